// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.check;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.recovery.log.RecordReplay;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.recording.JobRebuild;
import io.gradstream.server.recording.PartitionRebuild;
import io.gradstream.server.recording.RebuiltTable;
import io.gradstream.server.table.InMemoryRowStore;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.node.SimulatedNode;
import io.gradstream.simulator.storage.ServerFiles;
import io.gradstream.simulator.storage.SimulatedLogFile;
import io.gradstream.simulator.storage.SimulatedStorage;
import io.gradstream.simulator.world.History;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.Resumed;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.Workload;
import io.gradstream.simulator.world.World;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Resumes a run whose processes have all died: writes the disks that are left as the files of Archives, has the
 * production code choose the copies and the iteration, and compares its choice with what the disks hold.
 */
public final class ResumeTrial implements AutoCloseable
{
    private static final int MAX_ROWS = 1 << 16;
    private static final int OLDER_TRIALS = 4;
    private static final int LOST_TRIALS = 3;

    /** The end of a copy of a partition on a disk: as far as its log goes, and the iterations that all have ended. */
    private record Copy(int server, long epoch, long position, long clock)
    {
        boolean isFurther(final Copy other)
        {
            return null == other || epoch > other.epoch || epoch == other.epoch && position > other.position;
        }
    }

    private final World world;
    private final Cluster cluster;
    private final Checker checker;
    private final SplittableRandom random;
    private final ServerFiles files = new ServerFiles();
    private final List<RecordingDirectory> directories = new ArrayList<>();
    /** By partition the copies on the disks that are left. */
    private final List<List<Copy>> copies = new ArrayList<>();
    /** A server of which an older copy of the directory is left; -1: none. */
    private int older = -1;
    private int lost = -1;
    private boolean isDamaged;

    public ResumeTrial(final World world, final Cluster cluster, final Checker checker)
    {
        this.world = world;
        this.cluster = cluster;
        this.checker = checker;
        random = world.faults().iterations();
        for (int i = 0; i < world.config().partitions(); i++)
        {
            copies.add(new ArrayList<>());
        }
    }

    /** The processes live, and somebody may copy the directory of a server. */
    public void beforeDeath()
    {
        final int nodes = world.config().nodes();
        if (nodes > 1 && 0 == random.nextInt(OLDER_TRIALS))
        {
            older = random.nextInt(nodes);
            take(older);
        }
        else if (nodes > 1 && 0 == random.nextInt(LOST_TRIALS))
        {
            lost = random.nextInt(nodes);
        }
    }

    /**
     * Resume the run, all of whose processes have died.
     *
     * @return where it goes on; null if it cannot be resumed, or has ended.
     */
    public Resumed run(final boolean isDoubted)
    {
        for (int server = 0; server < world.config().nodes(); server++)
        {
            if (server != older && server != lost)
            {
                take(server);
            }
        }
        dropBest();
        final boolean isOneClock = !world.isPlanted(PlantedFault.RESUMED_AT_END_OF_LOGS);
        try (JobRebuild rebuild = JobRebuild.run(directories, ScenarioConfig.JOB_ID, world.config().partitions(),
            isOneClock, UpdateFunctions.BUILT_IN))
        {
            return resume(rebuild, isOneClock ? rebuild.clock() : leastClock(rebuild), isDoubted);
        }
        catch (final ReplayException ex)
        {
            world.journal().note("resume", "is not possible:", ex.getMessage());
            Violation.check(isDamaged || null != missing(), Violation.Kind.LOST,
                "cannot be resumed though a whole copy of each partition is there: " + ex.getMessage(), expected());

            return null;
        }
    }

    private static long leastClock(final JobRebuild rebuild)
    {
        return rebuild.partitions().stream().mapToLong((one) -> one.partition().minClock()).min().orElseThrow();
    }

    private Resumed resume(final JobRebuild rebuild, final long clock, final boolean isDoubted)
    {
        final long expected = expected();
        world.journal().note("resume", "after iterations", clock, "expected", expected, "older", older, "lost", lost);
        Violation.check(isDamaged || Math.max(0, clock) >= expected, Violation.Kind.LOST,
            "resumed behind what the disks hold: clock, expected", clock, expected);
        Violation.check(isDamaged || older >= 0 || lost >= 0 || world.config().isReplicated() ||
            Math.max(0, clock) >= acknowledged(), Violation.Kind.LOST,
            "resumed behind what was acknowledged: clock, acknowledged", clock, acknowledged());
        if (clock <= 0)
        {
            // as train: a run that has not ended an iteration is not resumed
            return null;
        }
        final int count = world.config().iterations().count();
        final long clocks = Consistency.FINISHED == clock ? count : clock;
        final float[][] rows = new float[world.config().partitions()][History.KEYS];
        for (final PartitionRebuild partition : rebuild.partitions())
        {
            final int number = partition.partition().partition();
            read(number, earlier(partition, number, clock), rows[number]);
            final float[] ofWork = History.ofIterations(world.config(), number, clocks);
            for (int key = 0; key < History.KEYS && !isDoubted; key++)
            {
                Violation.check(ofWork[key] == rows[number][key], Violation.Kind.MODEL_DIFFERS,
                    "model of a resumed run, partition, key, iterations", number, key, clocks);
            }
        }
        final long begin = clocks + (world.isPlanted(PlantedFault.RESUMED_ONE_LATER) ? 1 : 0);

        // nor is a run that has ended all
        return isDoubted || begin >= count ? null : new Resumed(begin, rows);
    }

    private List<RebuiltTable> earlier(final PartitionRebuild partition, final int number, final long clock)
    {
        if (!world.isPlanted(PlantedFault.RESUMED_EARLIER_AT_ONE) || 0 != number || clock < 2 ||
            Consistency.FINISHED == clock)
        {
            return partition.tables();
        }
        for (final RecordingDirectory directory : directories)
        {
            try
            {
                return PartitionRebuild.runToClock(
                    directory, ScenarioConfig.JOB_ID, number, clock - 1, UpdateFunctions.BUILT_IN).tables();
            }
            catch (final ReplayException ex)
            {
                world.journal().note("resume", "not from there:", ex.getMessage());
            }
        }

        return partition.tables();
    }

    private void read(final int number, final List<RebuiltTable> tables, final float[] rows)
    {
        final UnsafeBuffer row = new UnsafeBuffer(0, 0);
        for (final RebuiltTable table : tables)
        {
            for (int i = 0; Workload.COUNTS.equals(table.spec()) && i < table.store().size(); i++)
            {
                table.store().wrap(i, row);
                rows[(int)(table.store().key(i) - world.config().firstKey(number))] =
                    row.getFloat(RebuiltTable.VERSION_LENGTH, ByteOrder.LITTLE_ENDIAN);
            }
        }
    }

    /** The planted fault: of partition 0 the best copy is left out where there is another one. */
    private void dropBest()
    {
        final Copy best = best(0);
        if (world.isPlanted(PlantedFault.RESUMED_FROM_OLDER_COPY) && null != best && copies.get(0).size() > 1)
        {
            directories.removeIf((directory) -> directory.path().endsWith("server-" + best.server));
        }
    }

    /** The iterations that all slots have ended in the copies that have come furthest. */
    private long expected()
    {
        long expected = Consistency.FINISHED;
        for (int number = 0; number < copies.size(); number++)
        {
            final Copy best = best(number);
            expected = Math.min(expected, null == best ? 0 : best.clock);
        }

        return expected;
    }

    /** A partition of which no whole copy is left, or null. */
    private Integer missing()
    {
        for (int number = 0; number < copies.size(); number++)
        {
            if (null == best(number))
            {
                return number;
            }
        }

        return null;
    }

    private Copy best(final int number)
    {
        Copy best = null;
        for (final Copy copy : copies.get(number))
        {
            best = copy.isFurther(best) ? copy : best;
        }

        return best;
    }

    /** The iterations whose ends were acknowledged to all slots at all partitions. */
    private long acknowledged()
    {
        long least = Consistency.FINISHED;
        for (int number = 0; number < copies.size(); number++)
        {
            final long[] lasts = checker.acknowledged(number);
            for (int slot = 0; slot < lasts.length; slot++)
            {
                least = Math.min(least, cluster.histories().history(number).clock(slot, lasts[slot]));
            }
        }

        return least;
    }

    private void take(final int server)
    {
        final SimulatedNode node = cluster.node(server);
        final List<SimulatedStorage> partitions = new ArrayList<>();
        for (int number = 0; number < copies.size(); number++)
        {
            final SimulatedStorage storage = node.storage(number);
            partitions.add(storage);
            if (null != storage)
            {
                isDamaged |= storage.isDamaged();
                final Copy copy = copy(server, number, storage);
                if (null != copy)
                {
                    copies.get(number).add(copy);
                }
            }
        }
        directories.add(files.write(server, partitions));
    }

    private Copy copy(final int server, final int number, final SimulatedStorage storage)
    {
        final List<UnsafeBuffer> frames = storage.oldestFrames();
        final Partition state = new Partition(
            ScenarioConfig.JOB_ID, number, 0, new PartitionFunction(world.config().partitions()),
            (id, spec, rowLength) -> new InMemoryRowStore(rowLength, MAX_ROWS));
        frames.forEach((frame) -> state.loadFrame(frame, 0, frame.capacity()));
        final int first = storage.file().indexAfter(state.cursor().position());
        final RecordReplay replay = new RecordReplay(state);
        for (int i = first; i >= 0 && i < storage.file().recordedIndex(); i++)
        {
            final SimulatedLogFile.Entry entry = storage.file().entry(i);
            final String problem = replay.replay(entry.bytes, 0, entry.bytes.capacity(), entry.end);
            Violation.check(null == problem, Violation.Kind.HASH_DIFFERS, problem, entry.end);
        }
        final Copy copy = first < 0 || 0 == state.cursor().position() ? null :
            new Copy(server, state.cursor().epoch(), state.cursor().position(), state.minClock());
        state.close();

        return copy;
    }

    @Override
    public void close()
    {
        files.close();
    }
}
