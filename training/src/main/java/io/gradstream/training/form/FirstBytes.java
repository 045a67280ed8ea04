// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.form;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** Recognizes, by its first bytes, a file of a kind that cannot be read. */
public final class FirstBytes
{
    /** Number of first bytes that are looked at. */
    public static final int LENGTH = 512;

    private static final String EXTRACT = "extract the data file from it and name that one";
    private static final String UNPACK = "unpack it, or compress it with gzip or zstd";
    private static final String EXPORT = "write the data as csv or LIBSVM text";
    private static final int BZIP2_AT = 4;
    private static final int TAR_AT = 257;
    private static final int LEAST_UTF16 = 4;
    private static final byte[] UTF_8_MARK = { (byte)0xEF, (byte)0xBB, (byte)0xBF };
    private static final String TO_UTF_8 = ": save it as UTF-8, or convert it: iconv -f %s -t UTF-8";

    private static final List<Kind> KINDS = List.of(
        new Kind("314159265359", BZIP2_AT, "compressed by bzip2", UNPACK),
        new Kind("fd377a585a00", 0, "compressed by xz", UNPACK),
        new Kind("5d0000", 0, "compressed by lzma", UNPACK),
        new Kind("04224d18", 0, "compressed by lz4", UNPACK),
        new Kind("1f9d", 0, "compressed by compress (.Z)", UNPACK),
        new Kind("1f8b08", 0, "compressed by gzip", UNPACK),
        new Kind("28b52ffd", 0, "compressed by zstd", UNPACK),
        new Kind("504b0304", 0, "a zip archive (.zip, .xlsx, .npz)", EXTRACT),
        new Kind("504b0506", 0, "an empty zip archive", EXTRACT),
        new Kind("377abcaf271c", 0, "a 7z archive", EXTRACT),
        new Kind("526172211a07", 0, "a rar archive", EXTRACT),
        new Kind("7573746172", TAR_AT, "a tar archive", EXTRACT),
        new Kind("5041523115", 0, "a Parquet file", EXPORT),
        new Kind("894844460d0a1a0a", 0, "an HDF5 file", EXPORT),
        new Kind("934e554d5059", 0, "an array of NumPy (.npy)", EXPORT),
        new Kind("53514c69746520666f726d6174203300", 0, "an SQLite database", EXPORT),
        new Kind("4f626a01", 0, "an Avro file", EXPORT),
        new Kind("4152524f57310000", 0, "an Arrow file", EXPORT),
        new Kind("d0cf11e0a1b11ae1", 0, "an old Excel file (.xls)", EXPORT),
        new Kind("255044462d", 0, "a PDF", EXPORT));

    private FirstBytes()
    {
    }

    /**
     * Recognize content that is compressed or packed in a way that cannot be read, or is no data at all.
     *
     * @param head   the first bytes of the content.
     * @param length of them.
     * @return a message with the kind of file and the remedy, or null if no such kind is recognized.
     */
    public static String ofOther(final byte[] head, final int length)
    {
        for (final Kind kind : KINDS)
        {
            if (kind.isAt(head, length))
            {
                return "is " + kind.title + ": " + kind.remedy;
            }
        }

        final String text = new String(head, 0, length, StandardCharsets.ISO_8859_1).stripLeading()
            .toLowerCase(Locale.ROOT);
        if (text.startsWith("version https://git-lfs."))
        {
            return "is a pointer of Git LFS: fetch the file that it stands for: git lfs pull";
        }
        return text.startsWith("<!doctype html") || text.startsWith("<html") ?
            "is a web page: was it downloaded from the right address?" : null;
    }

    /**
     * Recognize content that is no text in ASCII or UTF-8.
     *
     * @param head   the first bytes of the content.
     * @param length of them.
     * @return a message with what it is and the remedy, or null if it may be text.
     */
    public static String ofNoText(final byte[] head, final int length)
    {
        final int first = length < 2 ? 0 : (head[0] & 0xFF) << Byte.SIZE | (head[1] & 0xFF);
        final boolean isFollowedByZeros = length >= 4 && 0 == head[2] && 0 == head[3];
        if (0xFFFE == first)
        {
            return inUtf(isFollowedByZeros ? "UTF-32" : "UTF-16");
        }
        if (0xFEFF == first)
        {
            return inUtf("UTF-16");
        }

        final int zero = firstZero(head, length);
        if (zero < 0)
        {
            return null;
        }
        final String utf16 = utf16WithoutMark(head, length);
        return null != utf16 ? inUtf(utf16) :
            "is no text: byte " + zero + " is zero; is it cut by a crash, binary, or of another --format?";
    }

    /** Number of bytes of the byte order mark that text in UTF-8 may begin with, or 0. */
    public static int markLength(final byte[] head, final int length)
    {
        final int mark = UTF_8_MARK.length;
        return length >= mark && Arrays.equals(head, 0, mark, UTF_8_MARK, 0, mark) ? mark : 0;
    }

    private static int firstZero(final byte[] head, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            if (0 == head[i])
            {
                return i;
            }
        }
        return -1;
    }

    /** The coding in which each second byte is zero and no other is, or null. */
    private static String utf16WithoutMark(final byte[] head, final int length)
    {
        final int[] zeros = new int[2];
        for (int i = 0; i < length; i++)
        {
            zeros[i & 1] += 0 == head[i] ? 1 : 0;
        }
        final int half = length / 2;
        if (length < LEAST_UTF16 || Math.min(zeros[0], zeros[1]) > 0 || Math.max(zeros[0], zeros[1]) < half)
        {
            return null;
        }
        return zeros[0] > 0 ? "UTF-16BE" : "UTF-16LE";
    }

    private static String inUtf(final String coding)
    {
        return "is text in " + coding + String.format(Locale.ROOT, TO_UTF_8, coding);
    }

    /** A kind of file that is recognized by its bytes at one place. */
    private static final class Kind
    {
        private final byte[] magic;
        private final int at;
        private final String title;
        private final String remedy;

        private Kind(final String magic, final int at, final String title, final String remedy)
        {
            this.magic = HexFormat.of().parseHex(magic);
            this.at = at;
            this.title = title;
            this.remedy = remedy;
        }

        private boolean isAt(final byte[] head, final int length)
        {
            // a file of images begins with zeros, and may have any pixels further on
            return length >= at + magic.length && (0 == at || 0 != head[0]) &&
                Arrays.equals(head, at, at + magic.length, magic, 0, magic.length);
        }
    }
}
