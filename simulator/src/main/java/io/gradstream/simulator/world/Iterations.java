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
 * @param isBackedUp      by slot, true if two processes push the same.
 * @param slots           that count where slots wait for each other: the last one may not.
 * @param imports         rows that slots import between their iterations, or null.
 * @param first           iterations that an earlier run has left in the model.
 */
public record Iterations(
    long seed,
    int count,
    boolean[] isFinishing,
    boolean isBoundChanging,
    boolean[] isBackedUp,
    int slots,
    Imports imports,
    long first)
{
    /** Parts of an iteration of a slot that is backed up, at each partition: some of them are empty. */
    public static final int PARTS = 2;
    /** Of so many seeds two have a slot that is backed up, or both. */
    private static final int BACKED_UP_SEEDS = 6;
    /** Of so many seeds with a bound that is not 0 one does not count the last slot. */
    private static final int UNCOUNTED_SEEDS = 3;
    /** Of so many seeds one imports rows. */
    private static final int IMPORT_SEEDS = 3;
    private static final int LEAST = 6;
    private static final int SPREAD = 8;
    private static final int MOST_PUSHES = PARTS;
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

        final long seed = random.nextLong();
        final int count = LEAST + random.nextInt(SPREAD);
        final boolean isAnyBackedUp = random.nextInt(BACKED_UP_SEEDS) < 2;
        final boolean[] isBackedUp = new boolean[ScenarioConfig.SLOTS];
        final int alone = random.nextInt(ScenarioConfig.SLOTS + 1);
        for (int slot = 0; slot < isBackedUp.length; slot++)
        {
            isBackedUp[slot] = isAnyBackedUp && slot != alone;
        }

        final boolean isLastUncounted = 0 == random.nextInt(UNCOUNTED_SEEDS) && !isBoundChanging && 0 != staleness &&
            Consistency.UNBOUNDED != staleness;
        // drawn last, so that other seeds are what they were
        final Imports imports = 0 == random.nextInt(IMPORT_SEEDS) ? Imports.draw(random, isBackedUp) : null;

        return new Iterations(seed, count, isFinishing, isBoundChanging, isBackedUp,
            ScenarioConfig.SLOTS - (isLastUncounted ? 1 : 0), imports, 0);
    }

    /** The same, where partitions may add up two iterations of a slot. */
    Iterations summed()
    {
        return null == imports ? this : new Iterations(
            seed, count, isFinishing, isBoundChanging, isBackedUp, slots, imports.withoutSteps(), 0);
    }

    /** The rest after iterations of an earlier run. */
    Iterations after(final long iterations)
    {
        return new Iterations(seed, count - (int)iterations, isFinishing, isBoundChanging, isBackedUp, slots, imports,
            iterations);
    }

    /** A slot that one process holds at a time, and that puts a model in; -1 if there is none. */
    public int loader()
    {
        for (int slot = 0; slot < isBackedUp.length; slot++)
        {
            if (!isBackedUp[slot])
            {
                return slot;
            }
        }

        return -1;
    }

    boolean isAnyBackedUp()
    {
        boolean isAny = false;
        for (final boolean is : isBackedUp)
        {
            isAny |= is;
        }

        return isAny;
    }

    /** Last sequence of so many iterations of a slot that is backed up. */
    public long lastOf(final long ended, final boolean isFinished)
    {
        return ended * (PARTS + 1) + (isFinished ? 1 : 0);
    }

    /** Pushes of a slot in an iteration. */
    public int pushes(final int slot, final long iteration)
    {
        return random(slot, first + iteration, 0, 0).nextInt(MOST_PUSHES + 1);
    }

    /** One push of a slot at one partition. */
    public History.Part part(final int partition, final int slot, final long iteration, final int push)
    {
        final SplittableRandom random = random(slot, first + iteration, 1 + push, partition);
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

    /** Iterations that all slots that count have ended when everything is over. */
    public long ended()
    {
        boolean areFinished = true;
        for (int slot = 0; slot < slots; slot++)
        {
            areFinished &= isFinishing[slot];
        }

        return areFinished ? Consistency.FINISHED : count;
    }

    private SplittableRandom random(final int slot, final long iteration, final int push, final int partition)
    {
        return new SplittableRandom(PartitionFunction.mix(
            PartitionFunction.mix(seed + slot) + (iteration << 16) + (push << 8) + partition));
    }
}
