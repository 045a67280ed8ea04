// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Makes the bytes of a file by a recipe: texts in quotes and functions, joined by {@code +}.
 * <p>
 * {@code "a\n"} is text in UTF-8 with the escapes of Java and {@code \xHH}; {@code hex(1f8b)} is bytes;
 * {@code gzip(...)}, {@code zstd(...)}, {@code zip(...)}, {@code tar(...)}, {@code utf16le(...)}, {@code utf16be(...)},
 * {@code latin1(...)} code what is in them; {@code repeat(N, ...)}, {@code cut(N, ...)} without the last N bytes, and
 * {@code flip(N, ...)} with byte N inverted change it.
 */
final class FileRecipe
{
    private static final int ZSTD_MAGIC = 0xFD2FB528;
    private static final byte ZSTD_SINGLE_SEGMENT_WITH_SIZE = (byte)0xA0;
    private static final int ZSTD_OVERHEAD = 12;
    private static final int TAR_BLOCK = 512;
    private static final int TAR_MAGIC_AT = 257;

    private final String recipe;
    private int at;

    private FileRecipe(final String recipe)
    {
        this.recipe = recipe;
    }

    static byte[] bytes(final String recipe) throws IOException
    {
        final FileRecipe reader = new FileRecipe(recipe.strip());
        final byte[] bytes = reader.sum();
        if (reader.at < reader.recipe.length())
        {
            throw new IllegalArgumentException("what is at " + reader.at + " of recipe " + recipe + "?");
        }
        return bytes;
    }

    private byte[] sum() throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(term());
        while (is('+'))
        {
            bytes.write(term());
        }
        return bytes.toByteArray();
    }

    private byte[] term() throws IOException
    {
        skipBlanks();
        if ('"' == recipe.charAt(at))
        {
            return text().getBytes(StandardCharsets.UTF_8);
        }
        final String function = word();
        expect('(');
        final byte[] result;
        if ("hex".equals(function))
        {
            result = HexFormat.of().parseHex(word());
        }
        else if (recipe.substring(at).stripLeading().matches("(?s)\\d+,.*"))
        {
            skipBlanks();
            final int number = Integer.parseInt(word());
            expect(',');
            result = changed(function, number, sum());
        }
        else
        {
            result = coded(function, sum());
        }
        expect(')');
        return result;
    }

    private static byte[] changed(final String function, final int number, final byte[] content)
    {
        switch (function)
        {
            case "repeat":
                final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                for (int i = 0; i < number; i++)
                {
                    bytes.writeBytes(content);
                }
                return bytes.toByteArray();
            case "cut":
                return Arrays.copyOf(content, content.length - number);
            case "flip":
                content[number] ^= (byte)0xFF;
                return content;
            default:
                throw new IllegalArgumentException("what is " + function + "?");
        }
    }

    private static byte[] coded(final String function, final byte[] content) throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        switch (function)
        {
            case "gzip" -> write(new GZIPOutputStream(bytes), content);
            case "zstd" -> bytes.write(zstd(content));
            case "zip" ->
            {
                final ZipOutputStream zip = new ZipOutputStream(bytes);
                zip.putNextEntry(new ZipEntry("data"));
                write(zip, content);
            }
            case "tar" -> bytes.write(tar(content));
            case "utf16le" -> bytes.write(recoded(content, StandardCharsets.UTF_16LE));
            case "utf16be" -> bytes.write(recoded(content, StandardCharsets.UTF_16BE));
            case "latin1" -> bytes.write(recoded(content, StandardCharsets.ISO_8859_1));
            default -> throw new IllegalArgumentException("what is " + function + "?");
        }
        return bytes.toByteArray();
    }

    private static void write(final OutputStream to, final byte[] content) throws IOException
    {
        try (to)
        {
            to.write(content);
        }
    }

    private static byte[] recoded(final byte[] content, final Charset charset)
    {
        return new String(content, StandardCharsets.UTF_8).getBytes(charset);
    }

    /** A frame of one block that is not compressed, as RFC 8878 has it: magic, header, size of the content, block. */
    private static byte[] zstd(final byte[] content)
    {
        final ByteBuffer frame = ByteBuffer.allocate(ZSTD_OVERHEAD + content.length).order(ByteOrder.LITTLE_ENDIAN)
            .putInt(ZSTD_MAGIC).put(ZSTD_SINGLE_SEGMENT_WITH_SIZE).putInt(content.length);
        final int block = content.length << 3 | 1;
        return frame.put((byte)block).put((byte)(block >> 8)).put((byte)(block >> 16)).put(content).array();
    }

    private static byte[] tar(final byte[] content)
    {
        final byte[] tar = new byte[TAR_BLOCK + content.length];
        System.arraycopy("data".getBytes(StandardCharsets.US_ASCII), 0, tar, 0, 4);
        System.arraycopy("ustar".getBytes(StandardCharsets.US_ASCII), 0, tar, TAR_MAGIC_AT, 5);
        System.arraycopy(content, 0, tar, TAR_BLOCK, content.length);
        return tar;
    }

    private String text()
    {
        final StringBuilder text = new StringBuilder();
        at++;
        while ('"' != recipe.charAt(at))
        {
            text.append('\\' == recipe.charAt(at) ? escaped() : recipe.charAt(at));
            at++;
        }
        at++;
        return text.toString();
    }

    private char escaped()
    {
        at++;
        final char c = recipe.charAt(at);
        final int digits = 'x' == c ? 2 : 'u' == c ? 4 : 0;
        if (digits > 0)
        {
            at += digits;
            return (char)Integer.parseInt(recipe.substring(at - digits + 1, at + 1), 16);
        }
        return switch (c)
        {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case '0' -> '\0';
            default -> c;
        };
    }

    private String word()
    {
        final int begin = at;
        while (at < recipe.length() && Character.isLetterOrDigit(recipe.charAt(at)))
        {
            at++;
        }
        return recipe.substring(begin, at);
    }

    private boolean is(final char c)
    {
        skipBlanks();
        final boolean isThere = at < recipe.length() && c == recipe.charAt(at);
        at += isThere ? 1 : 0;
        return isThere;
    }

    private void expect(final char c)
    {
        if (!is(c))
        {
            throw new IllegalArgumentException("no '" + c + "' at " + at + " of recipe " + recipe);
        }
    }

    private void skipBlanks()
    {
        while (at < recipe.length() && Character.isWhitespace(recipe.charAt(at)))
        {
            at++;
        }
    }
}
