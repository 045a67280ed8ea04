// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.filter;

import io.gradstream.codecs.Check;
import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;

/**
 * Leaves rows out of the pushes of a table's handle: a user-defined filter of the parameter-server papers (Li et al.,
 * OSDI 2014, and NIPS 2014). A handle has at most one of each kind, and applies them in the order {@link Kkt},
 * {@link RandomSkip}, {@link Significant}, whatever the order in which they are given.
 */
public sealed interface PushFilter permits PushFilter.Significant, PushFilter.RandomSkip, PushFilter.Kkt
{
    /** Iterations for which {@link #significant(double)} holds back a gradient at most. */
    int DEFAULT_AGE = 8;
    /** Greatest threshold. */
    double MAX_THRESHOLD = 1e6;
    /** Greatest age. */
    int MAX_AGE = 1_000_000;
    /** Greatest probability. */
    double MAX_PROBABILITY = 0.99;
    /** Word for {@link Significant} in texts. */
    String SIGNIFICANT = "significant";
    /** Word for {@link RandomSkip} in texts. */
    String SKIP = "skip";
    /** Word for {@link Kkt} in texts. */
    String KKT = "kkt";

    /**
     * Hold back a gradient until the sum of what is held back of its row is significant: its Euclidean norm is above a
     * share of the row's, as this process has pulled the row last. For a row that it has not pulled, the mean norm of
     * the rows that it has counts; without any, nothing is held back. The sum is pushed at the latest before the end of
     * the iteration that is {@code age} after that of its first gradient.
     *
     * @param threshold share of the norm of the row, above 0.
     * @param age       iterations, 0 or more; 0 holds back within an iteration only.
     */
    record Significant(double threshold, int age) implements PushFilter
    {
        /** Refuses numbers that are out of range. */
        public Significant
        {
            Check.that(threshold > 0 && threshold <= MAX_THRESHOLD, "threshold", threshold,
                "above 0, and at most " + (long)MAX_THRESHOLD);
            Check.range("age", age, 0, MAX_AGE);
        }

        /** True if a sum of gradients is to be pushed to a row, whose norm may be NaN for not known. */
        public boolean isSignificant(final double norm, final double normOfRow)
        {
            return !(norm <= threshold * normOfRow);
        }

        @Override
        public String toString()
        {
            return SIGNIFICANT + ":" + threshold + ":" + age;
        }
    }

    /**
     * Leave each row out with a probability, and multiply the gradients of the others by 1 / (1 - probability): the
     * mean over many draws is the gradient. What is drawn follows from the table, the key, the slot, its clock and the
     * number of the handle's push in the iteration.
     *
     * @param probability 0 or more, and at most 0.99.
     */
    record RandomSkip(double probability) implements PushFilter
    {
        private static final long GOLDEN = 0x9E3779B97F4A7C15L;

        /** Refuses a probability that is out of range. */
        public RandomSkip
        {
            Check.range("probability", probability, 0, MAX_PROBABILITY);
        }

        /** True if a row is left out. */
        public boolean skips(final int tableId, final long key, final int slot, final long clock, final int push)
        {
            long bits = mixed(key + GOLDEN * (1 + tableId));
            bits = mixed(bits ^ mixed(clock + GOLDEN * (1 + slot)));
            bits = mixed(bits + GOLDEN * push);

            return (bits >>> 11) * 0x1.0p-53 < probability;
        }

        /** The factor of the gradients that are pushed. */
        public float factor()
        {
            return (float)(1 / (1 - probability));
        }

        /** The last step of SplitMix64 (Steele et al., OOPSLA 2014). */
        private static long mixed(final long value)
        {
            long bits = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
            bits = (bits ^ bits >>> 27) * 0x94D049BB133111EBL;

            return bits ^ bits >>> 31;
        }

        @Override
        public String toString()
        {
            return SKIP + ":" + probability;
        }
    }

    /**
     * Leave out a row that L1 regularisation is expected to keep at 0: all of its values were 0 when this process
     * pulled it last, and no element of the gradient is beyond a share of the function's {@code l1}. Such a gradient is
     * never pushed. The function must be {@code ftrl/1} with an {@code l1} above 0.
     *
     * @param share of l1, above 0, and at most 1.
     */
    record Kkt(double share) implements PushFilter
    {
        /** Refuses a share that is out of range. */
        public Kkt
        {
            Check.that(share > 0 && share <= 1, "share", share, "above 0, and at most 1");
        }

        /** The most that an element of a gradient may be so that its row is left out. */
        public float most(final String function)
        {
            return (float)(share * l1(function));
        }

        @Override
        public String toString()
        {
            return KKT + ":" + share;
        }
    }

    /** As {@link #significant(double, int)} with an age of {@link #DEFAULT_AGE}. */
    static PushFilter significant(final double threshold)
    {
        return new Significant(threshold, DEFAULT_AGE);
    }

    /** As {@link Significant} says. */
    static PushFilter significant(final double threshold, final int age)
    {
        return new Significant(threshold, age);
    }

    /** As {@link RandomSkip} says. */
    static PushFilter randomSkip(final double probability)
    {
        return new RandomSkip(probability);
    }

    /** As {@link Kkt} says. */
    static PushFilter kkt(final double share)
    {
        return new Kkt(share);
    }

    /**
     * A filter out of its text, as {@code toString()} writes it: {@code significant:0.1}, {@code significant:0.1:8},
     * {@code skip:0.5} or {@code kkt:0.9}.
     *
     * @throws IllegalArgumentException if it is none; it says what is allowed.
     */
    static PushFilter parse(final String text)
    {
        final String[] parts = text.trim().split(":", -1);
        try
        {
            if (SIGNIFICANT.equals(parts[0]) && (2 == parts.length || 3 == parts.length))
            {
                return new Significant(
                    Double.parseDouble(parts[1]), 2 == parts.length ? DEFAULT_AGE : Integer.parseInt(parts[2]));
            }
            if (SKIP.equals(parts[0]) && 2 == parts.length)
            {
                return new RandomSkip(Double.parseDouble(parts[1]));
            }
            if (KKT.equals(parts[0]) && 2 == parts.length)
            {
                return new Kkt(Double.parseDouble(parts[1]));
            }
        }
        catch (final NumberFormatException ignore)
        {
            // the message below says what is allowed
        }
        throw new IllegalArgumentException("'" + text + "' must be " + SIGNIFICANT + ":THRESHOLD[:AGE], " + SKIP +
            ":PROBABILITY or " + KKT + ":SHARE");
    }

    /**
     * Why a filter cannot be one of a table, or null if it can.
     *
     * @param function of the table.
     */
    default String problem(final String function)
    {
        final String[] words = function.trim().split(" +");
        if ("assign/1".equals(words[0]))
        {
            return "filter " + this + " is for gradients, and the function assign/1 takes values";
        }
        if (this instanceof Kkt && (!"ftrl/1".equals(words[0]) || !(l1(function) > 0)))
        {
            return "filter " + this + " needs the function ftrl/1 with an l1 above 0, which keeps weights at 0, and" +
                " the function is '" + function.trim() + "'";
        }

        return null;
    }

    /**
     * Why a filter cannot be one of a table, or null if it can.
     *
     * @param spec of the table.
     */
    default String problem(final TableSpec spec)
    {
        return ElementType.FLOAT32 != spec.elementType() ?
            "filter " + this + " is for gradients, and the table holds " + spec.elementType() :
            problem(spec.function());
    }

    private static double l1(final String function)
    {
        for (final String word : function.trim().split(" +"))
        {
            if (word.startsWith("l1="))
            {
                return Float.parseFloat(word.substring("l1=".length()));
            }
        }

        return 0;
    }
}
