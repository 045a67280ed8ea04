// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.world;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.coordinator.client.WorkSpec;

import java.util.SplittableRandom;

/**
 * The work that processes share: what a batch pushes, whichever process does it. The row of a batch tells how often
 * each push of that batch was applied.
 *
 * @param seed        that pushes are drawn from.
 * @param spec        of the work.
 * @param consistency of the job.
 * @param processes   that are to live at a time.
 */
public record SharedWork(long seed, WorkSpec spec, Consistency consistency, int processes)
{
    /** Processes that may live at the same time: those that do batches, and those that adopt a slot for them. */
    public static final int CLIENTS = 12;
    /** Most pushes of a batch. */
    public static final int MOST_PUSHES = 2;

    private static final int MOST_UNIT_BATCHES = 6;
    private static final int LEAST_BATCHES = 32;
    private static final int MOST_BATCHES = 1 << PartitionFunction.BLOCK_BITS;
    private static final int MOST_PROCESSES = 4;
    private static final int[] STALENESS = {1, 2, 4};
    /** Of so many seeds one has a bounded job, in which a slot keeps its batches. */
    private static final int BOUNDED_SEEDS = 4;
    /** Of so many seeds one does not give again what a process leaves undone. */
    private static final int DROPPING_SEEDS = 4;
    /** Of each push to each partition a row counts up to this, less one. */
    private static final int COUNTS = 16;

    static SharedWork draw(final SplittableRandom random)
    {
        final int passes = 1 + random.nextInt(2);
        final int unitBatches = 1 + random.nextInt(MOST_UNIT_BATCHES);
        final int batchesPerPass = (LEAST_BATCHES + random.nextInt(MOST_BATCHES - LEAST_BATCHES)) / passes;
        final int processes = 2 + random.nextInt(MOST_PROCESSES - 1);
        final Consistency consistency = 0 == random.nextInt(BOUNDED_SEEDS) ?
            new Consistency(processes, STALENESS[random.nextInt(STALENESS.length)]) : Consistency.EVENTUAL;

        return new SharedWork(random.nextLong(),
            new WorkSpec(1, batchesPerPass, unitBatches, passes, 0 != random.nextInt(DROPPING_SEEDS)), consistency,
            processes);
    }

    /** Batches of all passes. */
    public int batches()
    {
        return (int)spec.batches();
    }

    /** Pushes of a batch. */
    public int pushes(final int batch)
    {
        return 1 + random(batch, 0).nextInt(MOST_PUSHES);
    }

    /** True if a push of a batch has rows at a partition. */
    public boolean isAt(final int partition, final int batch, final int push)
    {
        return push < pushes(batch) && (0 == partition && 0 == push || 0 != random(batch, 1 + push + MOST_PUSHES *
            partition).nextInt(MOST_PUSHES + 1));
    }

    /** The value that a push brings to the row of its batch. */
    public static int value(final int push)
    {
        return 1 == push ? COUNTS : 1;
    }

    /** How often a push is in the row of its batch. */
    public static int count(final int row, final int push)
    {
        return row / value(push) % COUNTS;
    }

    private SplittableRandom random(final int batch, final int what)
    {
        return new SplittableRandom(PartitionFunction.mix(PartitionFunction.mix(seed + batch) + what));
    }
}
