// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.read;

import io.gradstream.training.DataFile;
import io.gradstream.training.Decimals;
import io.gradstream.training.Examples;
import io.gradstream.training.MalformedDataException;
import io.gradstream.training.form.ExampleRule;
import io.gradstream.training.form.Excerpt;
import io.gradstream.training.form.LabelValues;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads data sets out of files of separated values; {@link CsvFormat} says how fields become features.
 * <p>
 * Labels are finite numbers, taken as they are. Files may be compressed, as {@link DataFile} reads them. Each file is
 * read with the columns of the first: a header must be the same in all.
 */
public final class CsvReader
{
    private static final int INITIAL_LENGTH = 256;
    private static final String OF_WORDS = "two labels that are words are named by --label-values";
    private static final String WORD = "\\p{IsAlphabetic}.*";
    /** How pandas, R and others write that there is no number. */
    private static final String MISSING = "(?i)[-+]?(|nan|na|n/a|null|none|nil|\\?|inf|infinity|-)";

    private final CsvFormat format;
    private final Examples.Builder examples = new Examples.Builder();
    /** Columns of the file that is read. */
    private CsvColumns columns;
    /** The columns that those of all files are compared with: the columns of the model, or of the first file. */
    private List<Column> known;
    private byte[] hashed = new byte[INITIAL_LENGTH];
    /** The example under construction, as (feature, bits of the value): sorting the longs sorts by feature. */
    private long[] entries = new long[INITIAL_LENGTH];
    private int entryCount;
    private float target;

    private CsvReader(final CsvFormat format)
    {
        this.format = format;
        known = format.columns();
        examples.featureCount(format.featureCount());
    }

    /**
     * Read files, one after the other, as one data set.
     *
     * @param files at least one, each with at least one example.
     * @throws MalformedDataException if a file is missing, not readable, empty or malformed; for a malformed field the
     *                                message is {@code FILE:LINE: column N ('NAME'): what was wrong, got '...'}.
     */
    public static Examples read(final List<Path> files, final CsvFormat format)
    {
        if (files.isEmpty())
        {
            throw new MalformedDataException("no data file named: name at least one");
        }

        final CsvReader reader = new CsvReader(format);
        for (final Path path : files)
        {
            try (DataFile file = DataFile.openText(path))
            {
                reader.readWholeFile(file);
            }
        }
        return reader.examples.build();
    }

    /**
     * Read one file.
     *
     * @throws MalformedDataException as {@link #read(List, CsvFormat)}.
     */
    public static Examples read(final Path file, final CsvFormat format)
    {
        return read(List.of(file), format);
    }

    /**
     * The columns of a file, in its order.
     *
     * @throws MalformedDataException as {@link #read(List, CsvFormat)}.
     */
    public static List<Column> columns(final Path path, final CsvFormat format)
    {
        final CsvReader reader = new CsvReader(format);
        try (DataFile file = DataFile.openText(path))
        {
            try
            {
                reader.readColumns(file);
            }
            catch (final MalformedDataException ex)
            {
                throw file.orDamaged(ex);
            }
        }
        return reader.columns.columns();
    }

    private void readColumns(final DataFile file)
    {
        final CsvRecords records = new CsvRecords(file, format.separator(), format.isQuoted());
        if (!records.next())
        {
            throw new MalformedDataException(file.path() + ": holds no examples");
        }
        findColumns(file, records);
    }

    private void readWholeFile(final DataFile file)
    {
        try
        {
            readFile(file);
        }
        catch (final MalformedDataException ex)
        {
            throw file.orDamaged(ex);
        }
    }

    private void readFile(final DataFile file)
    {
        final int before = examples.size();
        final CsvRecords records = new CsvRecords(file, format.separator(), format.isQuoted());
        boolean hasRecord = records.next();
        if (hasRecord)
        {
            findColumns(file, records);
            hasRecord = !format.hasHeader() || records.next();
        }

        while (hasRecord)
        {
            checkCount(file, records);
            readExample(file, records);
            hasRecord = records.next();
        }

        if (examples.size() == before)
        {
            throw new MalformedDataException(file.path() + ": holds no examples");
        }
    }

    private void findColumns(final DataFile file, final CsvRecords records)
    {
        try
        {
            final List<String> names = names(records);
            columns = known.isEmpty() ? new CsvColumns(format, names) : new CsvColumns(format, known, names);
            known = columns.columns();
        }
        catch (final IllegalArgumentException ex)
        {
            throw new MalformedDataException(file.path() + ":" + records.line() + ": " + ex.getMessage(), ex);
        }
    }

    private List<String> names(final CsvRecords records)
    {
        if (!format.hasHeader())
        {
            return CsvColumns.numbered(format, known, records.fieldCount());
        }
        if (isSeparatorLine(records))
        {
            throw new IllegalArgumentException("'sep=' is a line for Excel: leave it out, and say --separator");
        }
        final List<String> names = new ArrayList<>();
        for (int field = 0; field < records.fieldCount(); field++)
        {
            checkQuotes(records, field, null);
            names.add(records.text(field));
        }
        return names;
    }

    /** The separator itself may part the line. */
    private static boolean isSeparatorLine(final CsvRecords records)
    {
        final String first = records.text(0);
        return 1 == records.fieldCount() && first.matches("(?i)sep=.") ||
            2 == records.fieldCount() && first.equalsIgnoreCase("sep=") && records.text(1).isEmpty();
    }

    private void checkCount(final DataFile file, final CsvRecords records)
    {
        if (records.fieldCount() != columns.count())
        {
            throw new MalformedDataException(file.path() + ":" + records.line() + ": " + records.fieldCount() +
                " columns where there should be " + columns.count() +
                ": a separator is missing, or one too many" +
                (format.isQuoted() ? " that is not in quotes" : ", in quotes or not"));
        }
    }

    private void readExample(final DataFile file, final CsvRecords records)
    {
        entryCount = 0;
        if (format.hasIntercept())
        {
            add(0, 1.0f);
        }
        for (int column = 0; column < columns.count(); column++)
        {
            readField(records, column);
        }

        try
        {
            addEntries();
            checkExample(file, records);
            examples.endExampleOf(target);
        }
        catch (final IllegalStateException ex)
        {
            throw records.malformed(0, columns.name(0), "too much data: " + ex.getMessage());
        }
    }

    private void checkExample(final DataFile file, final CsvRecords records)
    {
        if (format.rule().isRating() && !examples.isRating())
        {
            throw new MalformedDataException(file.path() + ":" + records.line() + ": " + ExampleRule.NO_RATING);
        }
    }

    private void readField(final CsvRecords records, final int column)
    {
        final int role = columns.role(column);
        if (CsvColumns.LEFT_OUT != role)
        {
            checkQuotes(records, column, columns.name(column));
        }
        if (CsvColumns.LABEL == role)
        {
            target = null == format.labels() ? numericLabel(records, column) : label(records, column);
        }
        else if (CsvColumns.LEFT_OUT != role && records.end(column) > records.begin(column))
        {
            if (CsvColumns.CATEGORY == role)
            {
                add(category(records, column), 1.0f);
            }
            else
            {
                addNumber(role, number(records, column, "must be a finite number or empty"));
            }
        }
    }

    /** R writes all text in quotes, and pandas some. */
    private void checkQuotes(final CsvRecords records, final int field, final String name)
    {
        final int last = records.end(field) - 1;
        if (format.isRefusingQuotes() && last > records.begin(field) &&
            '"' == records.bytes()[records.begin(field)] && '"' == records.bytes()[last])
        {
            throw records.malformed(field, name, "is in quotes, which --format tsv does not have: read it with" +
                " --format csv --separator '\\t', or write it without quotes");
        }
    }

    private float numericLabel(final CsvRecords records, final int column)
    {
        final float label = number(records, column, "label must be a finite number");
        if (!format.rule().isLabel(label))
        {
            throw records.malformed(
                column, columns.name(column), format.rule().labelError(Excerpt.of(records.text(column))));
        }
        return label;
    }

    private int label(final CsvRecords records, final int column)
    {
        final int label = format.labels().indexOf(records.bytes(), records.begin(column), records.end(column));
        if (LabelValues.NEITHER == label)
        {
            throw records.malformed(column, columns.name(column),
                "label must be " + format.labels() + ", got " + Excerpt.of(records.text(column)));
        }
        return label;
    }

    private void addNumber(final int feature, final float number)
    {
        final float value = format.isLogScaled() ?
            (float)(Math.signum(number) * StrictMath.log1p(Math.abs(number))) : number;
        if (value != 0.0f)
        {
            add(feature, value);
        }
    }

    private int category(final CsvRecords records, final int column)
    {
        final byte[] prefix = columns.prefix(column);
        final int length = records.end(column) - records.begin(column);
        if (hashed.length < prefix.length + length)
        {
            hashed = new byte[2 * (prefix.length + length)];
        }
        System.arraycopy(prefix, 0, hashed, 0, prefix.length);
        System.arraycopy(records.bytes(), records.begin(column), hashed, prefix.length, length);

        final int first = format.firstCategory();
        final long hash = XxHash64.hash(hashed, prefix.length + length);
        return first + (int)Long.remainderUnsigned(hash, format.featureCount() - first);
    }

    private void add(final int feature, final float value)
    {
        if (entryCount == entries.length)
        {
            entries = Arrays.copyOf(entries, 2 * entryCount);
        }
        entries[entryCount++] = (long)feature << Integer.SIZE | (Float.floatToRawIntBits(value) & 0xFFFF_FFFFL);
    }

    /** Only features of categories can coincide, and their values are all 1: their sum is their count. */
    private void addEntries()
    {
        Arrays.sort(entries, 0, entryCount);
        int at = 0;
        while (at < entryCount)
        {
            final int feature = feature(at);
            int end = at + 1;
            while (end < entryCount && feature(end) == feature)
            {
                end++;
            }
            final float value = Float.intBitsToFloat((int)entries[at]);
            examples.entry(feature, end - at > 1 ? end - at : value);
            at = end;
        }
    }

    private int feature(final int entry)
    {
        return (int)(entries[entry] >>> Integer.SIZE);
    }

    private float number(final CsvRecords records, final int column, final String expected)
    {
        final float number = Decimals.parse(
            records.bytes(), records.begin(column), records.end(column), format.decimalPoint());
        if (Float.isNaN(number))
        {
            final String text = records.text(column);
            throw records.malformed(
                column, columns.name(column), expected + ", got " + Excerpt.of(text) + hint(records, text, column));
        }
        return number;
    }

    /** The remedy for text where a number should be; may be empty. */
    private String hint(final CsvRecords records, final String text, final int column)
    {
        if (Decimals.isBeyondFloats(
            records.bytes(), records.begin(column), records.end(column), format.decimalPoint()))
        {
            return Decimals.RANGE;
        }
        final boolean isLabel = CsvColumns.LABEL == columns.role(column);
        if (!format.hasHeader() && 1 == records.line() && text.matches(WORD) && !text.matches(MISSING))
        {
            return format.isCriteo() ? ": Criteo's logs have no header: leave the first line out" :
                ": is the first line a header? Then leave --no-header out" + (isLabel ? "; " + OF_WORDS : "");
        }
        if (!format.isCriteo() && '.' == format.decimalPoint() && text.matches("[-+]?[0-9]+,[0-9]+"))
        {
            return ": if ',' is the decimal sign, say so (--decimal ,)";
        }
        if (!isLabel)
        {
            return "";
        }
        return text.matches(MISSING) ? ": is it missing? Leave such lines out" :
            format.isCriteo() ? "" : ": " + OF_WORDS;
    }
}
