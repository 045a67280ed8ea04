// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.world;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.recovery.chain.ChainTiming;
import io.gradstream.worker.session.AckLevel;

/**
 * The scenario of a seed: how many nodes, partitions and copies, and what a push must have reached to be acknowledged.
 *
 * @param nodes         of the job.
 * @param partitions    of the job.
 * @param job           as the coordinators are told it.
 * @param levels        of each slot.
 * @param termLength    of the logs, in bytes.
 * @param bounds        of queues and messages.
 * @param applying      how partitions apply what is pushed.
 * @param iterations    that workers go through, or null where they push parts.
 * @param resuming      whether the run is resumed.
 * @param work          that processes share, or null where each has a slot of its own.
 */
public record ScenarioConfig(
    int nodes, int partitions, JobSpec job, AckLevel[] levels, int termLength, Bounds bounds, Applying applying,
    Iterations iterations, Resuming resuming, SharedWork work)
{
    /**
     * Whether the run is resumed.
     *
     * @param isEndedEarly whether all processes die for good in the middle of the run.
     * @param resumed      the point at which an earlier run was resumed, or null.
     */
    record Resuming(boolean isEndedEarly, Resumed resumed)
    {
    }

    /**
     * How partitions apply what is pushed.
     *
     * @param isCycleSummed   whether they add up what one duty cycle brings.
     * @param isRateScheduled whether there is a table with a schedule of its rate.
     * @param encoding        of the gradients that workers push.
     * @param isKeyCached     whether workers name lists of keys that servers have.
     * @param keyListBytes    most bytes of the lists that a node keeps.
     */
    record Applying(
        boolean isCycleSummed,
        boolean isRateScheduled,
        ValueEncoding encoding,
        boolean isKeyCached,
        long keyListBytes)
    {
    }

    /**
     * Limits of queues and messages.
     *
     * @param responseLength longest message to a worker, in bytes.
     * @param spoolBytes     of a worker, for each partition.
     * @param maxInFlight    parts of a worker that are not acknowledged, for each partition.
     * @param queueLength    bytes of records that wait for a follower.
     * @param window         messages under way in one image.
     * @param frameLength    longest frame of a snapshot.
     * @param refusedOneOf   of so many parts one is refused.
     */
    public record Bounds(
        int responseLength,
        int spoolBytes,
        int maxInFlight,
        int queueLength,
        int window,
        int frameLength,
        int refusedOneOf)
    {
        static final Bounds WIDE = new Bounds(MAX_RESPONSE_LENGTH, 8192, 32, 16 * 1024, 128, MAX_LENGTH, 12);
        static final Bounds TINY = new Bounds(192, 2048, 4, 8 * 1024, 8, MAX_LENGTH, 12);
        /** A slot that is backed up keeps room for the empty parts of its iteration and for the end. */
        static final Bounds TINY_SHARED =
            new Bounds(192, 2048, 2 * Iterations.PARTS + 1, 8 * 1024, 8, MAX_LENGTH, 12);
        static final Bounds REFUSING = new Bounds(192, 8192, 32, 16 * 1024, 128, 128, 2);
    }

    /** The job that every seed begins with. */
    public static final int JOB_ID = 1;
    /** Greatest number of a job. */
    public static final int MAX_JOB_ID = 6;
    /** Most partitions of all jobs together. */
    public static final int MAX_PARTITIONS = 16;
    /** Longest response. */
    public static final int MAX_RESPONSE_LENGTH = 4096;
    /** Workers, each with a slot of its own. */
    public static final int SLOTS = 2;
    /** Processes of a slot that may live at the same time: who holds it, and who did before. */
    public static final int SEATS = 2;
    /** Processes of workers that may live at the same time. */
    public static final int CLIENTS = SLOTS * SEATS;
    /** The same with those of other jobs, which have one each. */
    public static final int ALL_CLIENTS = CLIENTS + MAX_JOB_ID + 1;
    /** Most slots of a seed. */
    public static final int MOST_SLOTS = 8;
    /** Heartbeats, leases and suspicion. */
    public static final ChainTiming TIMING = ChainTiming.ofMs(4, 20, 40).requireCopies(3);
    /** Longest record and frame. */
    public static final int MAX_LENGTH = 1024;

    /** Bytes that a partition holds for sequential slots: a clock of each, and a little of the next. */
    public static final long MAX_HELD_BYTES = 3 * 1024;

    /** Length of terms where logs are kept as bytes: that of the least segment of an Archive. */
    public static final int SEGMENT_TERM_LENGTH = 64 * 1024;

    private static final int CLOCK_EVERY = 9;
    private static final int SEQUENTIAL_CLOCK_EVERY = Bounds.TINY.maxInFlight();
    private static final int SUMMED_RECORD_LENGTH = 288;
    private static final int VIRTUAL_NODES = 8;
    /** In one of so many seeds a node comes late. */
    private static final long LATE_NODE_DRAWS = 4;
    /** Of so many draws */
    private static final long REFUSING_DRAWS = 8;
    /** this one makes a seed refuse much; none of those in seeds.txt draws it, so that they are what they were. */
    private static final long REFUSING_DRAW = 3;
    /** Of so many seeds in which rows may be cached none are in one. */
    private static final int UNCACHED_OF = 4;
    private static final int[] COPIES = {1, 2, 2, 2, 3, 3};
    private static final int[] STALENESS = {0, 1, 2, 4};
    private static final int[] ITERATIONS_STALENESS = {0, 0, 0, 1, 2, Consistency.UNBOUNDED};

    /** Which of the processes one is. */
    public static int client(final int slot, final long incarnation)
    {
        return slot * SEATS + (int)(incarnation % SEATS);
    }

    /** The process that pushes to a job that is not the first one. */
    public static int clientOfJob(final int jobId)
    {
        return CLIENTS + jobId;
    }

    static ScenarioConfig of(final Faults faults, final Resumed resumed)
    {
        final SharedWork work = null == faults.units() ? null : SharedWork.draw(faults.units());
        final int copies = COPIES[faults.work().nextInt(COPIES.length)];
        final int fixedNodes = 1 == copies ? 1 : copies + faults.work().nextInt(2);
        final boolean isOneLate = faults.isOn(FaultClass.LATE_NODE) &&
            0 == faults.draw(FaultClass.LATE_NODE, 0, LATE_NODE_DRAWS - 1);
        final int nodes = isOneLate ? copies + 1 : fixedNodes;
        final int staleness = null == faults.iterations() ? Consistency.UNBOUNDED :
            ITERATIONS_STALENESS[faults.iterations().nextInt(ITERATIONS_STALENESS.length)];
        final Iterations iterations =
            null == faults.iterations() ? null : Iterations.draw(faults.iterations(), staleness);
        final int partitions = (0 == faults.work().nextInt(3)) == (null == iterations && null == work) ? 2 : 1;
        final JobSpec job = new JobSpec(
            partitions, copies, isOneLate ? copies : nodes, VIRTUAL_NODES, 1, JobSpec.MIN_REPAIR_DELAY_MS,
            RecoveryMode.CHAIN)
            .with(consistency(faults, work, iterations, staleness));
        final boolean isReplicated = copies > 1 && faults.work().nextBoolean();
        final AckLevel[] levels = new AckLevel[null == work ? SLOTS : MOST_SLOTS];
        for (int slot = 0; slot < levels.length; slot++)
        {
            levels[slot] = isReplicated ? AckLevel.REPLICATED :
                null == work && 0 == faults.work().nextInt(5) ? AckLevel.SNAPSHOTTED : AckLevel.RECORDED;
        }

        final boolean isTiny = faults.isOn(FaultClass.TINY_BOUNDS) && 0 == faults.draw(FaultClass.TINY_BOUNDS, 0, 2);

        final boolean isRefusing = faults.isOn(FaultClass.MANY_REFUSALS) &&
            REFUSING_DRAW == faults.draw(FaultClass.MANY_REFUSALS, 0, REFUSING_DRAWS - 1);

        final int termLength = 1 << 11 + faults.work().nextInt(2);
        final boolean isBytes =
            faults.isOn(FaultClass.STORED_AS_BYTES) && 0 == faults.draw(FaultClass.STORED_AS_BYTES, 0, 11);

        final boolean isCycleSummed = faults.isCycleSummed() && !job.consistency().isSequential();

        // logs that the production code reads have terms as long as those of an Archive
        final boolean isEndedEarly = null != iterations && null == iterations.imports() && iterations.loader() >= 0 &&
            job.consistency().isSequential() && !iterations.isBoundChanging() && faults.iterations().nextBoolean();

        return new ScenarioConfig(nodes, partitions, job, levels,
            isBytes || isEndedEarly ? SEGMENT_TERM_LENGTH : termLength,
            isTiny ? tiny(iterations) : isRefusing ? Bounds.REFUSING : Bounds.WIDE,
            new Applying(isCycleSummed, faults.isRateScheduled(), faults.encoding(), faults.isKeyCached(),
            faults.keyListBytes()),
            null == iterations ? null : isCycleSummed ? iterations.summed() :
            null == resumed ? iterations : iterations.after(resumed.clock()),
            new Resuming(isEndedEarly && null == resumed, resumed), work);
    }

    private static Consistency consistency(
        final Faults faults, final SharedWork work, final Iterations iterations, final int staleness)
    {
        if (null != work)
        {
            return work.consistency();
        }
        if (null != iterations)
        {
            return new Consistency(iterations.slots(), staleness);
        }

        return null == faults.bound() ? Consistency.EVENTUAL :
            new Consistency(SLOTS, STALENESS[faults.bound().nextInt(STALENESS.length)]);
    }

    private static Bounds tiny(final Iterations iterations)
    {
        return null != iterations && iterations.isAnyBackedUp() ? Bounds.TINY_SHARED : Bounds.TINY;
    }

    /** True if a node comes when the job has begun without it. */
    public boolean isLate(final int node)
    {
        return node >= job.nodes();
    }

    /** True if workers go through a table, one iteration after the other. */
    public boolean isOfIterations()
    {
        return null != iterations;
    }

    /** True if processes share units of work, in slots that the coordinators give them. */
    public boolean isOfUnits()
    {
        return null != work;
    }

    /** Slots that processes may be in. */
    public int slots()
    {
        return null == work ? SLOTS : MOST_SLOTS;
    }

    /** Processes of workers that may live at the same time. */
    public int clients()
    {
        return null == work ? CLIENTS : SharedWork.CLIENTS;
    }

    /** The same with those of other jobs, of which there are none beside a shared work. */
    public int allClients()
    {
        return null == work ? ALL_CLIENTS : SharedWork.CLIENTS;
    }

    /** The job to which a process of a worker pushes. */
    public int jobOfClient(final int client)
    {
        return client < clients() ? JOB_ID : client - CLIENTS;
    }

    /** True if all processes die for good in the middle of the run, which is then resumed. */
    public boolean isEndedEarly()
    {
        return resuming.isEndedEarly;
    }

    /** The point at which an earlier run was resumed, or null. */
    public Resumed resumed()
    {
        return resuming.resumed;
    }

    /** True if slots import rows. */
    public boolean isImporting()
    {
        return isOfIterations() && null != iterations.imports();
    }

    /** True if processes keep rows that they have pulled, and pull them from there within the bound. */
    public boolean isCached()
    {
        return isOfIterations() && job.consistency().isBounded() && !isSequential() &&
            !iterations.isBoundChanging() && 0 != Math.floorMod(iterations.seed(), UNCACHED_OF);
    }

    /** True if not all rows have room where processes keep them. */
    public boolean isCacheTight()
    {
        return 1 == Math.floorMod(iterations.seed(), UNCACHED_OF);
    }

    /** True if two processes push the same for a slot. */
    public boolean isBackedUp(final int slot)
    {
        return isOfIterations() && iterations.isBackedUp()[slot];
    }

    /** True if sums depend on the order in which slots are added up: they are floats that are not whole numbers. */
    public boolean isOrdered()
    {
        return isSequential() && (null == iterations || !iterations.isBoundChanging());
    }

    /** True if partitions may ever add up what all slots push in a clock. */
    public boolean mayBeSequential()
    {
        return isSequential() || null != iterations && iterations.isBoundChanging();
    }

    /** Hosts on which processes of nodes may run: each node has another one. */
    public int seats()
    {
        return 2 * nodes;
    }

    /** True if acknowledged pushes may be in memory only, so that not more than one copy may be lost at a time. */
    public boolean isReplicated()
    {
        return AckLevel.REPLICATED == levels[0];
    }

    /** True if a worker waits for snapshots. */
    public boolean isCovered()
    {
        return AckLevel.SNAPSHOTTED == levels[0] || AckLevel.SNAPSHOTTED == levels[1];
    }

    /** True if partitions add up what one duty cycle brings. */
    public boolean isCycleSummed()
    {
        return applying.isCycleSummed;
    }

    /** True if there is a table with a schedule of its rate. */
    public boolean isRateScheduled()
    {
        return applying.isRateScheduled;
    }

    /** True if workers name lists of keys that servers have. */
    public boolean isKeyCached()
    {
        return applying.isKeyCached;
    }

    /** Most bytes of the lists of keys that a node keeps. */
    public long keyListBytes()
    {
        return applying.keyListBytes;
    }

    /** The encoding of the gradients that workers push. */
    public ValueEncoding encoding()
    {
        return applying.encoding;
    }

    /**
     * True if the schedule depends on how much was pushed alone, and not on who came when. Then the model knows what it
     * comes to.
     */
    public boolean isRateKnown()
    {
        return isRateScheduled() && (isSequential() || !job.consistency().isBounded() && !isCycleSummed());
    }

    /** True if partitions add up what all slots push in a clock. */
    public boolean isSequential()
    {
        return job.consistency().isSequential();
    }

    /** A slot ends a clock with each of so many parts: with the last, too, where others wait for it. */
    int clockEvery()
    {
        return isSequential() ? SEQUENTIAL_CLOCK_EVERY : CLOCK_EVERY;
    }

    /** Iterations that a slot has finished with a part. */
    public long clock(final long sequence)
    {
        return Math.max(0, sequence) / clockEvery();
    }

    /**
     * Returns the last of its own parts that a slot sees in a pull after one: where clocks are added up, the last of a
     * whole clock.
     */
    public long shown(final long sequence)
    {
        return isSequential() ? clock(sequence) * clockEvery() : sequence;
    }

    /** Longest record: short where a sum is to be several. */
    public int maxRecordLength()
    {
        return mayBeSequential() || isCycleSummed() ? SUMMED_RECORD_LENGTH : MAX_LENGTH;
    }

    /** First of the keys that a partition keeps. */
    public long firstKey(final int partition)
    {
        return firstKey(Workload.COUNTS, partition);
    }

    /** First of the keys of a table that a partition keeps. */
    public long firstKey(final TableSpec table, final int partition)
    {
        final PartitionFunction placement = new PartitionFunction(partitions);
        long key = 0;
        while (placement.partitionOf(table.tableId(), key) != partition)
        {
            key += 1L << PartitionFunction.BLOCK_BITS;
        }

        return key;
    }
}
