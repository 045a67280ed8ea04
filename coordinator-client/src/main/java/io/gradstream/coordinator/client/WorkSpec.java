// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.client;

import io.gradstream.codecs.Check;

import java.util.StringJoiner;

/**
 * The batches that the slots of a cluster share: passes over data, cut into units of consecutive batches. Unit u of all
 * belongs to pass u / {@link #unitsPerPass()}; the last unit of a pass may be shorter. A batch is one clock of the slot
 * that does it.
 *
 * @param workId         above that of any work of the cluster before, and at least 1.
 * @param batchesPerPass batches of one pass.
 * @param unitBatches    most batches of a unit.
 * @param passes         how often all batches are done.
 * @param isGivenAgain   true if what a slot leaves undone is given to another one, false if it is dropped.
 */
public record WorkSpec(long workId, long batchesPerPass, int unitBatches, int passes, boolean isGivenAgain)
{
    /** Most batches of all passes together. */
    public static final long MAX_BATCHES = 1L << 40;
    /** Most batches of a unit. */
    public static final int MAX_UNIT_BATCHES = 1 << 20;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException naming the one that is wrong, and what is allowed.
     */
    public WorkSpec
    {
        Check.atLeast("workId", workId, 1);
        Check.range("batchesPerPass", batchesPerPass, 1, MAX_BATCHES);
        Check.range("unitBatches", unitBatches, 1, MAX_UNIT_BATCHES);
        Check.range("passes", passes, 1, MAX_BATCHES / batchesPerPass);
    }

    /** Says what of this work is not as in another one that was asked for. The numbers of the two do not count. */
    public String difference(final WorkSpec asked)
    {
        final StringJoiner text = new StringJoiner(", ");
        if (batchesPerPass != asked.batchesPerPass)
        {
            text.add(batchesPerPass + " batches a pass instead of " + asked.batchesPerPass);
        }
        if (unitBatches != asked.unitBatches)
        {
            text.add("units of " + unitBatches + " batches instead of " + asked.unitBatches);
        }
        if (passes != asked.passes)
        {
            text.add(passes + " passes instead of " + asked.passes);
        }
        if (isGivenAgain != asked.isGivenAgain)
        {
            text.add("what a slot leaves undone " + (isGivenAgain ? "given to others" : "dropped"));
        }

        return 0 == text.length() ? "the same units" : text.toString();
    }

    /** Units of one pass. */
    public long unitsPerPass()
    {
        return (batchesPerPass + unitBatches - 1) / unitBatches;
    }

    /** Units of all passes. */
    public long units()
    {
        return unitsPerPass() * passes;
    }

    /** Batches of all passes. */
    public long batches()
    {
        return batchesPerPass * passes;
    }

    /** The pass to which a unit belongs, from 0. */
    public int passOf(final long unit)
    {
        return (int)(unit / unitsPerPass());
    }

    /** The first batch of a unit, counted from the beginning of its pass. */
    public long firstBatchOf(final long unit)
    {
        return unit % unitsPerPass() * unitBatches;
    }

    /** The number of batches of a unit. */
    public int lengthOf(final long unit)
    {
        return (int)Math.min(unitBatches, batchesPerPass - firstBatchOf(unit));
    }
}
