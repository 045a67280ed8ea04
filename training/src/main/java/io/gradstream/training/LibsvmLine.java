// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import io.gradstream.training.form.ExampleRule;
import io.gradstream.training.form.Excerpt;
import io.gradstream.training.form.LabelValues;
import io.gradstream.training.form.LibsvmFormat;

import java.util.Arrays;

/**
 * Parses one line in LIBSVM format into an example.
 * <p>
 * Remembers which negative label, 0 or -1, the lines so far have used, since a mix is ambiguous.
 */
final class LibsvmLine
{
    private static final byte[] GROUP = { 'q', 'i', 'd', ':' };
    private static final int INITIAL_ENTRIES = 256;
    private static final String NO_INDEX = "expected index:value with a whole index of at least 0";

    private final Examples.Builder examples;
    private final LibsvmFormat format;
    private byte[] line;
    private int limit;
    private int tokenBegin;
    private int tokenEnd;
    /** Of this line, (feature, bits of the value): sorted as longs they are sorted by feature. */
    private long[] entries = new long[INITIAL_ENTRIES];
    private int entryCount;
    private boolean isSorted;
    private boolean hasZeroLabel;
    private boolean hasMinusLabel;

    /** A parser. */
    LibsvmLine(final Examples.Builder examples, final LibsvmFormat format)
    {
        this.format = format;
        this.examples = examples;
    }

    /**
     * Parse a line and add its example, if it has one.
     *
     * @throws SyntaxException if the line is malformed.
     */
    void parse(final byte[] line, final int length)
    {
        checkLineEnds(line, length);
        this.line = line;
        limit = contentEnd(line, length);
        tokenEnd = 0;
        if (!nextToken())
        {
            return;
        }

        final float label = label();
        entryCount = 0;
        isSorted = true;
        while (nextToken())
        {
            readEntry();
        }
        addEntries();
        if (format.rule().isRating() && !examples.isRating())
        {
            throw new SyntaxException(ExampleRule.NO_RATING);
        }
        examples.endExampleOf(label);
    }

    /**
     * Refuse a line of several that end in CR alone, as those of old Macs.
     *
     * @throws SyntaxException if a CR is followed by anything else.
     */
    static void checkLineEnds(final byte[] line, final int length)
    {
        int end = length;
        while (end > 0 && '\r' == line[end - 1])
        {
            end--;
        }
        for (int i = 0; i < end; i++)
        {
            if ('\r' == line[i])
            {
                throw new SyntaxException("a carriage return stands inside the line: are these line ends of an old" +
                    " Mac? Convert the file: tr '\\r' '\\n'");
            }
        }
    }

    private static int contentEnd(final byte[] line, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            if ('#' == line[i])
            {
                return i;
            }
        }
        return length;
    }

    private boolean nextToken()
    {
        int i = tokenEnd;
        while (i < limit && isBlank(line[i]))
        {
            i++;
        }
        tokenBegin = i;
        while (i < limit && !isBlank(line[i]))
        {
            i++;
        }
        tokenEnd = i;
        return tokenEnd > tokenBegin;
    }

    private static boolean isBlank(final byte b)
    {
        return ' ' == b || '\t' == b || '\r' == b;
    }

    private float label()
    {
        final LabelValues labels = format.labels();
        if (null != labels)
        {
            final int index = labels.indexOf(line, tokenBegin, tokenEnd);
            if (LabelValues.NEITHER == index)
            {
                throw malformed("label must be " + labels);
            }
            return index;
        }
        return format.rule().isBinary() ? signedLabel() : numericLabel();
    }

    private float numericLabel()
    {
        final float label = number(tokenBegin, "label must be a finite number");
        if (!format.rule().isLabel(label))
        {
            throw new SyntaxException(format.rule().labelError(token()));
        }
        return label;
    }

    private int signedLabel()
    {
        final float label = number(tokenBegin, "label must be 0 or 1, or -1 or +1");
        if (1.0f == label)
        {
            return 1;
        }

        hasZeroLabel |= 0.0f == label;
        hasMinusLabel |= -1.0f == label;
        if (label != 0.0f && label != -1.0f)
        {
            throw malformed(
                "label must be 0 or 1, or -1 or +1", ": labels of two other values are named by --label-values");
        }
        if (hasZeroLabel && hasMinusLabel)
        {
            throw malformed("labels 0 and -1 are mixed: use 0/1 or -1/+1 throughout");
        }

        return 0;
    }

    private void readEntry()
    {
        long feature = 0;
        int i = tokenBegin;
        while (i < tokenEnd && line[i] >= '0' && line[i] <= '9' && feature <= format.maxFeature())
        {
            feature = feature * 10 + (line[i++] - '0');
        }

        if (feature > format.maxFeature())
        {
            throw malformed("index must be at most " + format.maxFeature());
        }
        if (i == tokenBegin || (i < tokenEnd && ':' != line[i]))
        {
            throw malformed(NO_INDEX);
        }

        final float value = number(valueBegin(i), "value must be a finite number");
        add((int)feature, value);
    }

    /** Where the value begins after an index that ends there; blanks may stand on both sides of the colon. */
    private int valueBegin(final int indexEnd)
    {
        int i = skipBlanks(indexEnd);
        if (i == limit || ':' != line[i])
        {
            throw malformed(NO_INDEX);
        }
        i++;
        final int begin = i < tokenEnd ? i : skipBlanks(i);
        if (begin == limit)
        {
            throw malformed("value must be a finite number");
        }
        int end = Math.max(begin, tokenEnd);
        while (end < limit && !isBlank(line[end]))
        {
            end++;
        }
        tokenEnd = end;
        return begin;
    }

    private int skipBlanks(final int begin)
    {
        int i = begin;
        while (i < limit && isBlank(line[i]))
        {
            i++;
        }
        return i;
    }

    private void add(final int feature, final float value)
    {
        if (entryCount > 0)
        {
            final int last = feature(entryCount - 1);
            if (feature == last)
            {
                throw malformed("index " + feature + " is in this line twice");
            }
            isSorted &= feature > last;
        }
        if (entryCount == entries.length)
        {
            entries = Arrays.copyOf(entries, 2 * entryCount);
        }
        entries[entryCount++] = (long)feature << Integer.SIZE | (Float.floatToRawIntBits(value) & 0xFFFF_FFFFL);
    }

    private void addEntries()
    {
        if (!isSorted)
        {
            Arrays.sort(entries, 0, entryCount);
        }
        for (int i = 0; i < entryCount; i++)
        {
            if (i > 0 && feature(i) == feature(i - 1))
            {
                throw new SyntaxException("index " + feature(i) + " is in this line twice");
            }
            examples.entry(feature(i), Float.intBitsToFloat((int)entries[i]));
        }
    }

    private int feature(final int entry)
    {
        return (int)(entries[entry] >>> Integer.SIZE);
    }

    private float number(final int begin, final String expected)
    {
        final float number = Decimals.parse(line, begin, tokenEnd, format.decimalPoint());
        if (Float.isNaN(number))
        {
            final boolean isBeyond = Decimals.isBeyondFloats(line, begin, tokenEnd, format.decimalPoint());
            throw malformed(expected, isBeyond ? Decimals.RANGE : hint());
        }
        return number;
    }

    private SyntaxException malformed(final String what)
    {
        return malformed(what, hint());
    }

    private SyntaxException malformed(final String what, final String remedy)
    {
        return new SyntaxException(what + ", got " + token() + remedy);
    }

    private String token()
    {
        return Excerpt.of(line, tokenBegin, tokenEnd);
    }

    /** A hint at what the file may be instead of LIBSVM text, or an empty string. */
    private String hint()
    {
        if (tokenEnd - tokenBegin > GROUP.length && Arrays.equals(line, tokenBegin, tokenBegin + GROUP.length,
            GROUP, 0, GROUP.length))
        {
            return ": groups of ranking data are not read: leave qid out";
        }
        for (int i = tokenBegin; i < tokenEnd; i++)
        {
            if (',' == line[i] || ';' == line[i])
            {
                return ": are these separated values (--format csv)" +
                    ('.' == format.decimalPoint() ? ", or is ',' the decimal sign (--decimal ,)?" : "?");
            }
        }
        return "";
    }

    /** A line that is not in LIBSVM format; the reader adds file and line number. */
    static final class SyntaxException extends RuntimeException
    {
        private static final long serialVersionUID = 1L;

        SyntaxException(final String message)
        {
            super(message);
        }
    }
}
