// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.read;

import io.gradstream.training.DataFile;
import io.gradstream.training.MalformedDataException;
import io.gradstream.training.form.Utf8;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * The records of one file of separated values, one after the other: RFC 4180 with any separator.
 * <p>
 * Lines end in LF or CRLF. A field in quotes may hold separators, ends of lines and doubled quotes. Blanks around a
 * field are no part of it, those in quotes are. Blank lines are skipped. Fields are bytes of the record, in UTF-8 and
 * without quotes; nothing is allocated for one.
 */
final class CsvRecords
{
    /** Longest record in bytes. */
    static final int MAX_RECORD_LENGTH = 16 * 1024 * 1024;
    /** Most fields of a record. */
    static final int MAX_FIELDS = 1 << 16;

    private static final int BUFFER_LENGTH = 64 * 1024;
    private static final int INITIAL_RECORD_LENGTH = 8 * 1024;
    private static final int INITIAL_FIELDS = 64;
    private static final int END = -1;

    private final DataFile file;
    private final int separator;
    private final boolean isQuoted;
    private final byte[] buffer = new byte[BUFFER_LENGTH];
    private int bufferLength;
    private int bufferAt;
    private byte[] record = new byte[INITIAL_RECORD_LENGTH];
    private int recordLength;
    private int[] fieldEnds = new int[INITIAL_FIELDS];
    private int fieldCount;
    private long line;
    private long recordLine;

    CsvRecords(final DataFile file, final char separator, final boolean isQuoted)
    {
        this.file = file;
        this.separator = separator;
        this.isQuoted = isQuoted;
        fill();
    }

    /**
     * Read the next record that is not a blank line.
     *
     * @return false at the end of the file.
     * @throws MalformedDataException if it is malformed, naming file, line and column.
     */
    boolean next()
    {
        do
        {
            recordLine = line + 1;
            recordLength = 0;
            fieldCount = 0;
            int next = take();
            if (END == next)
            {
                return false;
            }

            while (readField(next))
            {
                next = take();
            }
            line++;
        }
        while (1 == fieldCount && 0 == recordLength);

        checkText();
        return true;
    }

    /** The line on which the current record begins, counted from 1. */
    long line()
    {
        return recordLine;
    }

    int fieldCount()
    {
        return fieldCount;
    }

    /** Bytes of the current record, in which the fields lie. */
    byte[] bytes()
    {
        return record;
    }

    int begin(final int field)
    {
        return 0 == field ? 0 : fieldEnds[field - 1];
    }

    int end(final int field)
    {
        return fieldEnds[field];
    }

    String text(final int field)
    {
        return new String(record, begin(field), end(field) - begin(field), StandardCharsets.UTF_8);
    }

    MalformedDataException malformed(final int field, final String name, final String what)
    {
        return new MalformedDataException(file.path() + ":" + recordLine + ": column " + (field + 1) +
            (null == name || name.equals(Integer.toString(field + 1)) ? "" : " ('" + name + "')") + ": " + what);
    }

    /** Checks each field alone: they lie next to each other without separators, so halves of characters could meet. */
    private void checkText()
    {
        if (Utf8.isAscii(record, recordLength))
        {
            return;
        }
        for (int field = 0; field < fieldCount; field++)
        {
            final int malformed = Utf8.firstMalformed(record, begin(field), end(field));
            if (Utf8.NONE != malformed)
            {
                throw malformed(field, null, String.format(Locale.ROOT, "is no text in UTF-8, as byte 0x%02x shows:" +
                    " save the file as UTF-8, or convert it, if it is Latin-1: iconv -f ISO-8859-1 -t UTF-8",
                    record[malformed]));
            }
        }
    }

    /** Reads a field from its first byte on; true if another field follows in this record. */
    private boolean readField(final int first)
    {
        int next = afterBlanks(first);
        if (isQuoted && '"' == next)
        {
            next = readQuoted();
        }
        else
        {
            int end = recordLength;
            while (isInside(next))
            {
                if (isQuoted && '"' == next)
                {
                    throw malformed(fieldCount, null, "a quote inside a field that does not begin with one");
                }
                if ('\r' == next)
                {
                    next = afterCarriageReturns();
                    continue;
                }
                append(next);
                end = isBlank(next) ? end : recordLength;
                next = take();
            }
            recordLength = end;
        }

        endField();
        return separator == next;
    }

    private boolean isInside(final int next)
    {
        return END != next && separator != next && '\n' != next;
    }

    /** True if a byte is a blank that is not the separator. */
    private boolean isBlank(final int next)
    {
        return separator != next && (' ' == next || '\t' == next);
    }

    private int afterBlanks(final int first)
    {
        int next = first;
        while (isBlank(next))
        {
            next = take();
        }
        return next;
    }

    /** Returns the end of line after carriage returns; without one, the file is of an old Mac, or damaged. */
    private int afterCarriageReturns()
    {
        int next = take();
        while ('\r' == next)
        {
            next = take();
        }
        if ('\n' != next && END != next)
        {
            throw malformed(fieldCount, null, "a carriage return stands inside the line: are these line ends of an" +
                " old Mac? Convert the file: tr '\\r' '\\n'");
        }
        return next;
    }

    /** Reads a field after its opening quote; returns what ends the field: a separator, an end of line or END. */
    private int readQuoted()
    {
        int next = take();
        while (true)
        {
            if (END == next)
            {
                throw malformed(fieldCount, null, "the file ends inside quotes");
            }
            if ('"' == next)
            {
                next = take();
                if ('"' != next)
                {
                    break;
                }
            }
            line += '\n' == next ? 1 : 0;
            append(next);
            next = take();
        }

        next = afterBlanks(next);
        if ('\r' == next)
        {
            next = afterCarriageReturns();
        }
        if (isInside(next))
        {
            throw malformed(fieldCount, null, "text after the closing quote");
        }
        return next;
    }

    private void append(final int next)
    {
        if (recordLength == record.length)
        {
            if (recordLength >= MAX_RECORD_LENGTH)
            {
                throw malformed(fieldCount, null, "record is longer than " + MAX_RECORD_LENGTH +
                    " bytes: is a quote not closed, or this not a text file?");
            }
            record = Arrays.copyOf(record, 2 * recordLength);
        }
        record[recordLength++] = (byte)next;
    }

    private void endField()
    {
        if (fieldCount == fieldEnds.length)
        {
            if (fieldCount >= MAX_FIELDS)
            {
                throw malformed(fieldCount, null, "more than " + MAX_FIELDS + " columns");
            }
            fieldEnds = Arrays.copyOf(fieldEnds, 2 * fieldCount);
        }
        fieldEnds[fieldCount++] = recordLength;
    }

    /** The next byte, 0 to 255, or END. */
    private int take()
    {
        if (bufferAt == bufferLength)
        {
            fill();
        }
        return bufferLength < 0 ? END : buffer[bufferAt++] & 0xFF;
    }

    private void fill()
    {
        bufferAt = 0;
        bufferLength = bufferLength < 0 ? bufferLength : file.read(buffer);
        if (bufferLength < 0)
        {
            bufferAt = bufferLength;
        }
    }
}
