// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * A sparse data set in memory: labelled rows of (feature, value) entries in compressed sparse row form.
 * <p>
 * The entries of example {@code i} are {@code firstEntry(i) .. endEntry(i) - 1}, with features strictly ascending.
 * Labels are numbers: 0 or 1, the index of a class, or the number that a regression is to predict. Immutable, and no
 * accessor allocates.
 */
public final class Examples
{
    /** Most entries one data set can hold, which is what a Java array can hold. */
    public static final int MAX_ENTRIES = Integer.MAX_VALUE - 8;

    /** Largest feature id, so that {@link #featureCount()} is still an int. */
    public static final int MAX_FEATURE = Integer.MAX_VALUE - 1;

    private final int featureCount;
    private final int[] rowStart;
    private final int[] features;
    private final float[] values;
    private final float[] labels;

    private Examples(
        final int featureCount,
        final int[] rowStart,
        final int[] features,
        final float[] values,
        final float[] labels)
    {
        this.featureCount = featureCount;
        this.rowStart = rowStart;
        this.features = features;
        this.values = values;
        this.labels = labels;
    }

    /** Number of examples. */
    public int size()
    {
        return labels.length;
    }

    /** One more than the largest feature id of the whole set. A shard keeps the count of the set it was cut from. */
    public int featureCount()
    {
        return featureCount;
    }

    /** Number of (feature, value) entries in all examples together. */
    public int entryCount()
    {
        return features.length;
    }

    /**
     * Index of the first entry of an example.
     *
     * @param example index, 0 to {@code size() - 1}.
     * @return index of its first entry, for {@link #feature(int)} and {@link #value(int)}.
     */
    public int firstEntry(final int example)
    {
        return rowStart[example];
    }

    /** Index after the last entry of an example, 0 to {@code size() - 1}. */
    public int endEntry(final int example)
    {
        return rowStart[example + 1];
    }

    /** Feature id of an entry, 0 to {@code featureCount() - 1}. */
    public int feature(final int entry)
    {
        return features[entry];
    }

    /** Value of an entry, which is finite. */
    public float value(final int entry)
    {
        return values[entry];
    }

    /**
     * Label of an example of two classes or more.
     *
     * @param example index, 0 to {@code size() - 1}.
     * @return 0 or 1, or the index of the class; the label of a regression is cut to a whole number.
     */
    public int label(final int example)
    {
        return (int)labels[example];
    }

    /**
     * Label of an example, as it is.
     *
     * @param example index, 0 to {@code size() - 1}.
     * @return finite number.
     */
    public float target(final int example)
    {
        return labels[example];
    }

    /** True if every label is the index of one of so many classes. The labels of two classes are 0 and 1. */
    public boolean isOfClasses(final int classes)
    {
        for (final float label : labels)
        {
            if (!(label >= 0 && label < classes && label == (int)label))
            {
                return false;
            }
        }

        return true;
    }

    /**
     * The part of the set that belongs to one worker: example {@code i} belongs to worker {@code i mod workers}.
     *
     * @param worker  index, 0 to {@code workers - 1}.
     * @param workers number of workers, at least 1.
     * @return a copy of the worker's examples in their order, or this set when there is one worker.
     * @throws IllegalArgumentException if worker or workers is out of range.
     */
    public Examples shard(final int worker, final int workers)
    {
        checkShard(worker, workers);
        if (1 == workers)
        {
            return this;
        }

        final Builder shard = new Builder().featureCount(featureCount);
        for (long example = worker; example < size(); example += workers)
        {
            copy((int)example, shard);
        }

        return shard.build();
    }

    /**
     * A range of the set.
     *
     * @param end index after the last example.
     * @throws IllegalArgumentException unless {@code 0 <= begin <= end <= size()}.
     */
    public Examples slice(final int begin, final int end)
    {
        if (begin < 0 || begin > end || end > size())
        {
            throw new IllegalArgumentException(
                "invalid range begin=" + begin + " end=" + end + ": must be within 0.." + size());
        }

        final Builder slice = new Builder().featureCount(featureCount);
        for (int example = begin; example < end; example++)
        {
            copy(example, slice);
        }

        return slice.build();
    }

    /** True if all labels are the same, so that there is nothing to learn; also true for an empty set. */
    public boolean isOneLabel()
    {
        for (final float label : labels)
        {
            if (label != labels[0])
            {
                return false;
            }
        }

        return true;
    }

    /** Concatenate sets, one after the other: the only set, or a copy of all. */
    public static Examples concat(final List<Examples> parts)
    {
        if (1 == parts.size())
        {
            return parts.get(0);
        }
        final Builder all = new Builder();
        for (final Examples part : parts)
        {
            all.featureCount(part.featureCount);
            for (int example = 0; example < part.size(); example++)
            {
                part.copy(example, all);
            }
        }
        return all.build();
    }

    /** The same examples, all with label 0. */
    public Examples withoutLabels()
    {
        return new Examples(featureCount, rowStart, features, values, new float[labels.length]);
    }

    /** Mean of the labels; NaN if there are no examples. */
    public double meanLabel()
    {
        double sum = 0;
        for (final float label : labels)
        {
            sum += label;
        }
        return sum / labels.length;
    }

    /** The largest label; negative infinity if there are no examples. */
    public float maxLabel()
    {
        float max = Float.NEGATIVE_INFINITY;
        for (final float label : labels)
        {
            max = Math.max(max, label);
        }
        return max;
    }

    Examples select(final IntPredicate isWanted)
    {
        final Builder selected = new Builder().featureCount(featureCount);
        for (int example = 0; example < size(); example++)
        {
            if (isWanted.test(example))
            {
                copy(example, selected);
            }
        }

        return selected.build();
    }

    static void checkShard(final int worker, final int workers)
    {
        if (workers < 1)
        {
            throw new IllegalArgumentException("invalid workers=" + workers + ": must be at least 1");
        }
        if (worker < 0 || worker >= workers)
        {
            throw new IllegalArgumentException("invalid worker=" + worker + ": must be 0.." + (workers - 1));
        }
    }

    private void copy(final int example, final Builder target)
    {
        for (int entry = rowStart[example]; entry < rowStart[example + 1]; entry++)
        {
            target.entry(features[entry], values[entry]);
        }
        target.endExampleOf(labels[example]);
    }

    /** Collects examples one entry at a time; {@link #endExample(int)} closes each. */
    public static final class Builder
    {
        private static final int INITIAL_EXAMPLES = 1024;
        private static final int INITIAL_ENTRIES = 16 * 1024;

        private int featureCount;
        private int size;
        private int entryCount;
        private int[] rowStart = new int[INITIAL_EXAMPLES];
        private float[] labels = new float[INITIAL_EXAMPLES];
        private int[] features = new int[INITIAL_ENTRIES];
        private float[] values = new float[INITIAL_ENTRIES];

        /** Declare at least so many features, used or not: larger ones may be absent from the examples. */
        public Builder featureCount(final int featureCount)
        {
            this.featureCount = Math.max(this.featureCount, featureCount);
            return this;
        }

        /** Number of examples closed so far. */
        public int size()
        {
            return size;
        }

        /**
         * Add an entry to the example under construction.
         *
         * @param feature id, larger than the previous one of this example, at most {@link #MAX_FEATURE}.
         * @param value   finite value.
         * @throws IllegalArgumentException if the feature is out of order or range, or the value is not finite.
         * @throws IllegalStateException    if the set would exceed {@link #MAX_ENTRIES}.
         */
        public Builder entry(final int feature, final float value)
        {
            final boolean isFirst = entryCount == rowStart[size];
            if (feature < 0 || feature > MAX_FEATURE || (!isFirst && feature <= features[entryCount - 1]))
            {
                throw new IllegalArgumentException(
                    "invalid feature=" + feature + ": must be ascending within 0.." + MAX_FEATURE);
            }
            if (!Float.isFinite(value))
            {
                throw new IllegalArgumentException("invalid value=" + value + ": must be finite");
            }

            if (entryCount == features.length)
            {
                final int capacity = grown(entryCount);
                features = Arrays.copyOf(features, capacity);
                values = Arrays.copyOf(values, capacity);
            }

            features[entryCount] = feature;
            values[entryCount++] = value;
            featureCount = Math.max(featureCount, feature + 1);
            return this;
        }

        /** True if the example under construction is a rating: two entries of value 1, the user and the item. */
        public boolean isRating()
        {
            final int first = rowStart[size];
            return 2 == entryCount - first && 1.0f == values[first] && 1.0f == values[first + 1];
        }

        /**
         * Close the example under construction. An example without entries is allowed.
         *
         * @param label 0 or 1.
         * @throws IllegalArgumentException if the label is neither 0 nor 1.
         */
        public Builder endExample(final int label)
        {
            if (label != 0 && label != 1)
            {
                throw new IllegalArgumentException("invalid label=" + label + ": must be 0 or 1");
            }

            return endExampleOf(label);
        }

        /**
         * Close the example under construction with a label that need not be 0 or 1.
         *
         * @param target index of a class, or the number that is to be predicted.
         * @throws IllegalArgumentException if it is not finite.
         */
        public Builder endExampleOf(final float target)
        {
            if (!Float.isFinite(target))
            {
                throw new IllegalArgumentException("invalid target=" + target + ": must be finite");
            }

            labels[size++] = target;
            if (size == labels.length)
            {
                final int capacity = grown(size);
                rowStart = Arrays.copyOf(rowStart, capacity);
                labels = Arrays.copyOf(labels, capacity);
            }
            rowStart[size] = entryCount;
            return this;
        }

        /** The examples closed so far, in arrays of exactly their size. */
        public Examples build()
        {
            final int entries = rowStart[size];
            return new Examples(
                featureCount,
                Arrays.copyOf(rowStart, size + 1),
                Arrays.copyOf(features, entries),
                Arrays.copyOf(values, entries),
                Arrays.copyOf(labels, size));
        }

        private static int grown(final int capacity)
        {
            if (capacity == MAX_ENTRIES)
            {
                throw new IllegalStateException(
                    "more than " + MAX_ENTRIES + " entries: split the data between workers");
            }
            return (int)Math.min(MAX_ENTRIES, capacity * 2L);
        }
    }
}
