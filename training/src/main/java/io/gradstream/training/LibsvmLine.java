/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.training;

/**
 * Parses one line in LIBSVM format into an example.
 * <p>
 * Remembers which negative label, 0 or -1, the lines so far have used, since a mix is ambiguous.
 */
final class LibsvmLine
{
    private static final int MAX_QUOTED_LENGTH = 40;

    private final Examples.Builder examples;
    private final boolean areLabelsNumbers;
    private byte[] line;
    private int limit;
    private int tokenBegin;
    private int tokenEnd;
    private boolean hasZeroLabel;
    private boolean hasMinusLabel;

    /**
     * A parser.
     *
     * @param areLabelsNumbers may labels be any finite numbers?
     */
    LibsvmLine(final Examples.Builder examples, final boolean areLabelsNumbers)
    {
        this.areLabelsNumbers = areLabelsNumbers;
        this.examples = examples;
    }

    /**
     * Parse a line and add its example, if it has one.
     *
     * @throws SyntaxException if the line is malformed.
     */
    void parse(final byte[] line, final int length)
    {
        this.line = line;
        limit = contentEnd(line, length);
        tokenEnd = 0;
        if (!nextToken())
        {
            return;
        }

        final float label = areLabelsNumbers ? number(tokenBegin, "label must be a finite number") : label();
        int lastFeature = -1;
        while (nextToken())
        {
            lastFeature = entry(lastFeature);
        }
        examples.endExampleOf(label);
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

    private int label()
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
            throw malformed("label must be 0 or 1, or -1 or +1");
        }
        if (hasZeroLabel && hasMinusLabel)
        {
            throw malformed("labels 0 and -1 are mixed: use 0/1 or -1/+1 throughout");
        }

        return 0;
    }

    private int entry(final int lastFeature)
    {
        long feature = 0;
        int i = tokenBegin;
        while (i < tokenEnd && line[i] >= '0' && line[i] <= '9' && feature <= Examples.MAX_FEATURE)
        {
            feature = feature * 10 + (line[i++] - '0');
        }

        if (feature > Examples.MAX_FEATURE)
        {
            throw malformed("index must be at most " + Examples.MAX_FEATURE);
        }
        if (i == tokenBegin || i == tokenEnd || ':' != line[i])
        {
            throw malformed("expected index:value with a whole index of at least 0");
        }
        if (feature <= lastFeature)
        {
            throw malformed("indices must ascend, this one comes after " + lastFeature);
        }

        examples.entry((int)feature, number(i + 1, "value must be a finite number"));
        return (int)feature;
    }

    private float number(final int begin, final String expected)
    {
        final float number = Decimals.parse(line, begin, tokenEnd);
        if (Float.isNaN(number))
        {
            throw malformed(expected);
        }
        return number;
    }

    private SyntaxException malformed(final String what)
    {
        final StringBuilder message = new StringBuilder(what).append(", got '");
        final int end = Math.min(tokenEnd, tokenBegin + MAX_QUOTED_LENGTH);
        for (int i = tokenBegin; i < end; i++)
        {
            message.append(line[i] > ' ' && line[i] < 0x7F ? (char)line[i] : '?');
        }
        return new SyntaxException(message.append(end < tokenEnd ? "...'" : "'").toString());
    }

    /**
     * A line that is not in LIBSVM format; the reader adds file and line number.
     */
    static final class SyntaxException extends RuntimeException
    {
        private static final long serialVersionUID = 1L;

        SyntaxException(final String message)
        {
            super(message);
        }
    }
}
