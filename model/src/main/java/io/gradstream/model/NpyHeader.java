// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The header of an array in NumPy's NPY format (numpy.lib.format): written in version 1.0, read in any.
 *
 * @param type  of the elements, such as {@code <f4}.
 * @param shape length of each dimension, in C order; none for a single element.
 */
record NpyHeader(String type, long... shape)
{
    static final String FLOAT32 = "<f4";
    static final String INT64 = "<i8";
    /** Begins the type of texts; the number of UTF-32 characters follows. */
    static final String TEXT = "<U";

    private static final byte[] MAGIC = "\u0093NUMPY".getBytes(StandardCharsets.ISO_8859_1);
    private static final int ALIGNMENT = 64;
    private static final int MAX_LENGTH = 64 * 1024;
    private static final Pattern TYPE = Pattern.compile("'descr':\\s*'([^']*)'");
    private static final Pattern FORTRAN = Pattern.compile("'fortran_order':\\s*(True|False)");
    private static final Pattern SHAPE = Pattern.compile("'shape':\\s*\\(([\\d,\\s]*)\\)");

    /**
     * Type and shape as Python writes them.
     */
    String describe()
    {
        return "'" + type + "' " + tuple();
    }

    byte[] bytes()
    {
        final String dictionary = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + tuple() + ", }";
        final int prefix = MAGIC.length + 2 * Byte.BYTES + Short.BYTES;
        final int length = (prefix + dictionary.length() + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        final ByteBuffer bytes = ByteBuffer.allocate(length).order(ModelFormat.ORDER);
        bytes.put(MAGIC).put((byte)1).put((byte)0).putShort((short)(length - prefix));
        bytes.put(dictionary.getBytes(StandardCharsets.US_ASCII));
        while (bytes.remaining() > 1)
        {
            bytes.put((byte)' ');
        }

        return bytes.put((byte)'\n').array();
    }

    /**
     * Read a header, after which the elements follow.
     *
     * @throws ModelFileException if it is none, or of an array in Fortran order.
     */
    static NpyHeader read(final InputStream in) throws IOException
    {
        final DataInputStream data = new DataInputStream(in);
        final byte[] magic = new byte[MAGIC.length];
        data.readFully(magic);
        if (!Arrays.equals(MAGIC, magic))
        {
            throw new ModelFileException("is no NumPy array: it does not begin with \\x93NUMPY");
        }
        final int version = data.readByte();
        data.readByte();
        final int length = 1 == version ?
            Short.toUnsignedInt(Short.reverseBytes(data.readShort())) : Integer.reverseBytes(data.readInt());
        if (length < 0 || length > MAX_LENGTH)
        {
            throw new ModelFileException("has a header of length=" + length);
        }
        final byte[] bytes = new byte[length];
        data.readFully(bytes);

        return parsed(new String(bytes, StandardCharsets.ISO_8859_1));
    }

    private String tuple()
    {
        // (), (3,), (3, 2)
        final String lengths = Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(", "));
        return "(" + lengths + (1 == shape.length ? ",)" : ")");
    }

    private static NpyHeader parsed(final String dictionary) throws ModelFileException
    {
        final Matcher type = TYPE.matcher(dictionary);
        final Matcher fortran = FORTRAN.matcher(dictionary);
        final Matcher shape = SHAPE.matcher(dictionary);
        if (!type.find() || !fortran.find() || !shape.find())
        {
            throw new ModelFileException("has a header that is not understood: " + dictionary.trim());
        }
        final long[] lengths;
        try
        {
            lengths = Arrays.stream(shape.group(1).split(",")).map(String::trim)
                .filter((length) -> !length.isEmpty()).mapToLong(Long::parseLong).toArray();
        }
        catch (final NumberFormatException ex)
        {
            throw new ModelFileException("has a header that is not understood: " + dictionary.trim(), ex);
        }
        if (lengths.length > 1 && "True".equals(fortran.group(1)))
        {
            throw new ModelFileException("is in Fortran order; save numpy.ascontiguousarray(array)");
        }

        return new NpyHeader(type.group(1), lengths);
    }
}
