// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import java.util.ArrayList;
import java.util.List;

/**
 * Counts lost, doubled and altered pushes by comparing three sums over sequences and one over contents. The worker says
 * what it sent to a partition, and the partition's audit table says what was applied.
 * <p>
 * A bare count would hide one lost and one doubled push; the sum of the sequences and of their squares do not. Where
 * the sums differ, lost and doubled are the smallest numbers that can explain them, at least one together.
 */
public final class Audit
{
    /**
     * The four sums.
     *
     * @param count   number of pushes.
     * @param sum     of their sequences.
     * @param squares sum of the squares of their sequences, modulo 2^64.
     * @param content sum of the hashes of their contents, modulo 2^64.
     */
    public record Sums(long count, long sum, long squares, long content)
    {
        /** No push. */
        public static final Sums ZERO = new Sums(0, 0, 0, 0);

        /** The same without the contents. */
        Sums sequences()
        {
            return new Sums(count, sum, squares, 0);
        }

        /**
         * Sums over the sequences 1 to count.
         *
         * @param count   last sequence.
         * @param content sum of the hashes of their contents.
         */
        public static Sums upTo(final long count, final long content)
        {
            long sum = 0;
            long squares = 0;
            for (long sequence = 1; sequence <= count; sequence++)
            {
                sum += sequence;
                squares += sequence * sequence;
            }

            return new Sums(count, sum, squares, content);
        }
    }

    private final List<String> differences = new ArrayList<>();
    private long sent;
    private long applied;
    private long lost;
    private long doubled;
    private long altered;
    private int unknown;

    /** An audit that has compared nothing yet. */
    public Audit()
    {
        // counts begin at zero
    }

    /**
     * Compare one worker's pushes to one partition.
     *
     * @param name        of worker and partition, for the user.
     * @param sentSums    as the worker says.
     * @param appliedSums as the partition's audit table says.
     */
    public void add(final String name, final Sums sentSums, final Sums appliedSums)
    {
        sent += sentSums.count();
        applied += appliedSums.count();
        if (sentSums.equals(appliedSums))
        {
            return;
        }

        differences.add(name + ": sent " + sentSums + ", applied " + appliedSums);
        if (sentSums.sequences().equals(appliedSums.sequences()))
        {
            altered++;
            return;
        }
        final long missing = sentSums.count() - appliedSums.count();
        final long missingSum = sentSums.sum() - appliedSums.sum();
        final long missingSquares = sentSums.squares() - appliedSums.squares();
        final boolean isOneKind = missing > 0 ?
            canBe(missing, missingSum, missingSquares) :
            missing < 0 && canBe(-missing, -missingSum, -missingSquares);
        final int hidden = isOneKind ? 0 : 1;
        lost += Math.max(0, missing) + hidden;
        doubled += Math.max(0, -missing) + hidden;
    }

    /**
     * Compare the pushes to one partition of a slot that one process after another has held. Of the processes before
     * the last, at most the number of pushes is known.
     *
     * @param name         of slot and partition, for the user.
     * @param own          as the last process says.
     * @param sentBefore   pushes of the processes before it; below 0 if unknown.
     * @param lastSequence of the processes before it; below 0 if unknown.
     * @param appliedSums  as the partition's audit table says.
     */
    public void addTakenOver(
        final String name, final Sums own, final long sentBefore, final long lastSequence, final Sums appliedSums)
    {
        final long count = appliedSums.count() - own.count();
        final long sum = appliedSums.sum() - own.sum();
        final long squares = appliedSums.squares() - own.squares();
        final long expected = sentBefore < 0 ? Math.max(0, count) : sentBefore;
        unknown += sentBefore < 0 ? 1 : 0;
        sent += own.count() + expected;
        applied += appliedSums.count();
        final boolean isPossible = 0 == count ? 0 == sum && 0 == squares :
            count > 0 && canBe(count, sum, squares) && (lastSequence < 0 || count <= lastSequence);
        if (count != expected || !isPossible)
        {
            differences.add(name + ": the last process sent " + own + ", those before " + expected + " pushes up to" +
                " sequence " + lastSequence + ", applied " + appliedSums);
            final int hidden = count == expected ? 1 : 0;
            lost += Math.max(0, expected - count) + hidden;
            doubled += Math.max(0, count - expected) + hidden;
        }
    }

    /** Pairs of slot and partition with an unknown number of pushes sent: the number applied is taken for it. */
    public int unknown()
    {
        return unknown;
    }

    /** One line for each worker and partition whose sums differ. */
    public List<String> differences()
    {
        return differences;
    }

    /** Pushes that workers sent, counted once for each partition they touch. */
    public long sent()
    {
        return sent;
    }

    /** Pushes that partitions applied, repetitions included. */
    public long applied()
    {
        return applied;
    }

    /** Pushes that were sent and not applied, at least. */
    public long lost()
    {
        return lost;
    }

    /** Pushes that were applied once too often, at least. */
    public long doubled()
    {
        return doubled;
    }

    /** Pushes that were replaced by another one with the same sequence, at least. */
    public long altered()
    {
        return altered;
    }

    /**
     * True if {@code count} sequences, each at least 1, may have this sum and these squares. The conditions checked are
     * necessary, not sufficient.
     */
    private static boolean canBe(final long count, final long sum, final long squares)
    {
        if (1 == count)
        {
            return sum > 0 && squares == sum * sum;
        }

        final double meanSquare = (double)sum * sum / count;
        return sum >= count && squares >= sum && squares >= meanSquare * (1 - 1e-9);
    }
}
