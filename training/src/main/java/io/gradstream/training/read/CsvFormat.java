// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.read;

import io.gradstream.training.Examples;
import io.gradstream.training.form.ExampleRule;
import io.gradstream.training.form.LabelValues;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Defines what the columns of a file of separated values mean, and how they become features. Immutable.
 * <p>
 * Columns are named by the header, or without a header by their number, from 1. One column is the label, some are
 * numbers, some are left out; all others are categories, of which each value is a feature of its own. An empty field is
 * a missing value, and no feature.
 * <p>
 * Features are numbered in this order, within {@code 0 .. 2^hashBits - 1}:
 * <ol>
 * <li>the intercept, if there is one: feature 0, of value 1 in each example;</li>
 * <li>the columns of numbers, in their order in the file, with the number as value;</li>
 * <li>categories: the first feature after those, plus XXH64 (seed 0) of the bytes {@code name=value} modulo the number
 * of features that are left (feature hashing: Weinberger et al., ICML 2009, without signs). Values are 1; categories
 * of an example that meet in one feature add up.</li>
 * </ol>
 *
 * @param separator      of fields.
 * @param hasHeader      true if the first line of each file names the columns.
 * @param isQuoted       true if fields may be quoted, as in RFC 4180.
 * @param label          name of the column of labels, or null if there is none.
 * @param numbers        names of the columns of numbers.
 * @param leftOut        names of the columns that are not read.
 * @param hashBits       features, as a power of 2.
 * @param hasIntercept   true if feature 0 is the intercept.
 * @param isLogScaled    true if numbers are scaled by their logarithm.
 * @param isLabelIgnored true if labels are not read, so that their column may be absent.
 * @param columns        of the model, in the order of its features; empty if it is to have those of the first file.
 * @param columnCount    of a format whose columns no option changes; else 0.
 * @param decimalPoint   the decimal sign, which stands before the fraction of a number.
 * @param labels         the two values that labels have, or null if labels are numbers.
 * @param rule           that examples must meet.
 */
public record CsvFormat(
    char separator,
    boolean hasHeader,
    boolean isQuoted,
    String label,
    List<String> numbers,
    List<String> leftOut,
    int hashBits,
    boolean hasIntercept,
    boolean isLogScaled,
    boolean isLabelIgnored,
    List<Column> columns,
    int columnCount,
    char decimalPoint,
    LabelValues labels,
    ExampleRule rule)
{
    /** Fewest hash bits. */
    public static final int MIN_HASH_BITS = 4;
    /** Most hash bits: features are ints. */
    public static final int MAX_HASH_BITS = 30;
    /** Hash bits by default. */
    public static final int DEFAULT_HASH_BITS = 20;

    /** Columns of Criteo's logs, the first of which is the label. */
    static final int CRITEO_COLUMNS = 40;

    private static final int CRITEO_NUMBERS = 13;

    /**
     * Separated by commas, with quotes as in RFC 4180 and a header.
     *
     * @param label name of the column of labels, or null if there is none.
     */
    public static Builder csv(final String label)
    {
        return new Builder(',', label).hasHeader(true).isQuoted(true);
    }

    /**
     * Separated by tabs, without quotes, with a header. A field that begins and ends with a quote is refused.
     *
     * @param label name of the column of labels, or null if there is none.
     */
    public static Builder tsv(final String label)
    {
        return new Builder('\t', label).hasHeader(true);
    }

    /**
     * Criteo's display advertising: tabs, no header; the label, 13 columns of whole numbers, which are scaled by their
     * logarithm, and 26 of categories.
     */
    public static Builder criteo()
    {
        final List<String> numbers = new ArrayList<>();
        for (int i = 0; i < CRITEO_NUMBERS; i++)
        {
            numbers.add(Integer.toString(2 + i));
        }
        final Builder builder = tsv("1").hasHeader(false).numbers(numbers).isLogScaled(true);
        builder.columnCount = CRITEO_COLUMNS;
        return builder;
    }

    /** True if fields in quotes are refused, since their writer means the text inside the quotes. */
    boolean isRefusingQuotes()
    {
        return !isQuoted && !isCriteo();
    }

    /** True if columns are those of Criteo, which no option changes. */
    boolean isCriteo()
    {
        return CRITEO_COLUMNS == columnCount;
    }

    /** Number of the first column of a file without a header: 2 if only the label is absent, else 1. */
    int firstColumn(final int count)
    {
        return isLabelIgnored && count == columnCount - 1 ? 2 : 1;
    }

    /** Number of features, used or not: {@link Examples#featureCount()} of all that is read. */
    public int featureCount()
    {
        return 1 << hashBits;
    }

    /** Feature of the first column of numbers. */
    int firstNumber()
    {
        return hasIntercept ? 1 : 0;
    }

    int firstCategory()
    {
        return firstNumber() + numbers.size();
    }

    /** Collects the properties of a format; {@link #build()} checks them. */
    public static final class Builder
    {
        private final String label;
        private char separator;
        private boolean hasHeader;
        private boolean isQuoted;
        private Collection<String> numbers = List.of();
        private Collection<String> leftOut = List.of();
        private int hashBits = DEFAULT_HASH_BITS;
        private boolean hasIntercept = true;
        private boolean isLogScaled;
        private boolean isLabelIgnored;
        private List<Column> columns = List.of();
        private int columnCount;
        private char decimalPoint = '.';
        private LabelValues labels;
        private ExampleRule rule = ExampleRule.numbers();

        private Builder(final char separator, final String label)
        {
            this.separator = separator;
            this.label = label;
        }

        /** Sets the separator of fields. */
        public Builder separator(final char separator)
        {
            this.separator = separator;
            return this;
        }

        /** Sets whether the first line of each file names the columns. */
        public Builder hasHeader(final boolean hasHeader)
        {
            this.hasHeader = hasHeader;
            return this;
        }

        /** Sets whether fields may be quoted, as in RFC 4180. If not, a quote in a field is an ordinary character. */
        public Builder isQuoted(final boolean isQuoted)
        {
            this.isQuoted = isQuoted;
            return this;
        }

        /** Names of the columns of numbers. */
        public Builder numbers(final Collection<String> numbers)
        {
            this.numbers = numbers;
            return this;
        }

        /** Names of the columns that are not read. */
        public Builder leftOut(final Collection<String> leftOut)
        {
            this.leftOut = leftOut;
            return this;
        }

        /**
         * Number of features, as a power of 2; by default 20 bits, about a million.
         *
         * @param hashBits {@link #MIN_HASH_BITS} to {@link #MAX_HASH_BITS}.
         */
        public Builder hashBits(final int hashBits)
        {
            this.hashBits = hashBits;
            return this;
        }

        /** Sets whether feature 0 is the intercept, as it is by default. */
        public Builder hasIntercept(final boolean hasIntercept)
        {
            this.hasIntercept = hasIntercept;
            return this;
        }

        /**
         * Sets whether a number {@code x} has the value {@code sign(x) * log(1 + |x|)}. This suits counts, which are
         * mostly small and sometimes huge. By default a number is a value as it is.
         */
        public Builder isLogScaled(final boolean isLogScaled)
        {
            this.isLogScaled = isLogScaled;
            return this;
        }

        /** Sets the decimal sign, which stands before the fraction of a number. By default it is a point. */
        public Builder decimalPoint(final char decimalPoint)
        {
            this.decimalPoint = decimalPoint;
            return this;
        }

        /** Sets the two values that labels have, which become 0 and 1, or null. By default labels are numbers. */
        public Builder labels(final LabelValues labels)
        {
            this.labels = labels;
            return this;
        }

        /** Sets the rule that examples must meet. By default labels are any finite numbers. */
        public Builder rule(final ExampleRule rule)
        {
            this.rule = rule;
            return this;
        }

        /**
         * Sets whether labels are ignored. Their column is then left out, and may be absent. By default they are read.
         */
        public Builder isLabelIgnored(final boolean isLabelIgnored)
        {
            this.isLabelIgnored = isLabelIgnored;
            return this;
        }

        /**
         * Sets the columns that a model was trained on. Columns of files are compared with them by name: numbers are
         * the same features as in training, wherever their column is. By default the first file determines the columns.
         */
        public Builder columns(final List<Column> columns)
        {
            this.columns = columns;
            return this;
        }

        /**
         * The format.
         *
         * @throws IllegalArgumentException naming the property that is wrong, its value, and what is allowed.
         */
        public CsvFormat build()
        {
            if (hashBits < MIN_HASH_BITS || hashBits > MAX_HASH_BITS)
            {
                throw new IllegalArgumentException("invalid hashBits=" + hashBits + ": must be " + MIN_HASH_BITS +
                    ".." + MAX_HASH_BITS);
            }

            final LinkedHashSet<String> seen = new LinkedHashSet<>();
            seen.add(label);
            for (final Collection<String> names : List.of(numbers, leftOut))
            {
                for (final String name : names)
                {
                    if (!seen.add(name))
                    {
                        throw new IllegalArgumentException(
                            "invalid column='" + name + "': must have one meaning, and be named once");
                    }
                }
            }

            final CsvFormat format = new CsvFormat(
                separator, hasHeader, isQuoted, label, List.copyOf(numbers), List.copyOf(leftOut), hashBits,
                hasIntercept, isLogScaled, isLabelIgnored, List.copyOf(columns), columnCount, decimalPoint, labels,
                rule);
            if (format.firstCategory() >= format.featureCount())
            {
                throw new IllegalArgumentException("invalid hashBits=" + hashBits + ": must leave room for " +
                    numbers.size() + " columns of numbers and for categories");
            }
            return format;
        }
    }
}
