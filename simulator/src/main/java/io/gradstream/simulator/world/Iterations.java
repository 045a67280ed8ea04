// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.world;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.PartitionFunction;

import java.util.SplittableRandom;

/**
 * The work of each slot where workers go through a table: what it pushes in each iteration. Each process of a slot
 * finds the same.
 *
 * @param seed            that the pushes are drawn from.
 * @param count           iterations of each slot.
 * @param isFinishing     by slot, true if it says at the end that it has finished.
 * @param isBoundChanging true if the staleness bound changes while slots push.
 */
public record Iterations(long seed, int count, boolean[] isFinishing, boolean isBoundChanging)
{
    private static final int LEAST = 6;
    private static final int SPREAD = 8;
    private static final int MOST_PUSHES = 2;
    private static final int MOST_ROWS = 3;
    private static final int MOST_VALUE = 7;

    static Iterations draw(final SplittableRandom random, final int staleness)
    {
        final boolean isBoundChanging = 0 == random.nextInt(3);
        final boolean[] isFinishing = new boolean[ScenarioConfig.SLOTS];
        for (int slot = 0; slot < isFinishing.length; slot++)
        {
            // where clocks are added up the end of one slot waits for the others
            final boolean isAsBefore = slot > 0 && (isBoundChanging || 0 == staleness);
            isFinishing[slot] = isAsBefore ? isFinishing[0] : random.nextInt(3) != 0;
        }

        return new Iterations(random.nextLong(), LEAST + random.nextInt(SPREAD), isFinishing, isBoundChanging);
    }

    /** Pushes of a slot in an iteration. */
    public int pushes(final int slot, final long iteration)
    {
        return random(slot, iteration, 0, 0).nextInt(MOST_PUSHES + 1);
    }

    /** One push of a slot at one partition. */
    public History.Part part(final int partition, final int slot, final long iteration, final int push)
    {
        final SplittableRandom random = random(slot, iteration, 1 + push, partition);
        final int[] keys = new int[1 + random.nextInt(MOST_ROWS)];
        final int[] values = new int[keys.length];
        final int first = random.nextInt(History.KEYS - MOST_ROWS);
        for (int i = 0; i < keys.length; i++)
        {
            keys[i] = first + i;
            values[i] = 1 + random.nextInt(MOST_VALUE);
        }

        return new History.Part(keys, values, false, iteration);
    }

    /** Iterations that all slots have ended when everything is over. */
    public long ended()
    {
        boolean areFinished = true;
        for (final boolean is : isFinishing)
        {
            areFinished &= is;
        }

        return areFinished ? Consistency.FINISHED : count;
    }

    private SplittableRandom random(final int slot, final long iteration, final int push, final int partition)
    {
        return new SplittableRandom(PartitionFunction.mix(
            PartitionFunction.mix(seed + slot) + (iteration << 16) + (push << 8) + partition));
    }
}
