// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.recording;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.TableSpec;
import io.gradstream.recovery.log.LogCursor;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.server.function.UpdateFunctions;
import org.agrona.CloseHelper;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * All partitions of a job, rebuilt in memory from servers' directories: of each partition the copy that has come
 * furthest, and all as they were when the last slot ended the same iteration.
 */
public final class JobRebuild implements AutoCloseable
{
    /**
     * Stands for an unknown number of partitions: there are as many as the number of the last one that is found, plus
     * one.
     */
    public static final int UNKNOWN_COUNT = 0;

    /** Stands for no iteration: the state is that of the end of each partition's log. */
    public static final long NO_CLOCK = -1;
    private static final String NOW_ADVICE =
        "; take each as it is at the end of its log (gradstream model export --now)";

    private final int jobId;
    private final int partitionCount;
    private final UpdateFunctions functions;
    private final TreeMap<Integer, PartitionRebuild> partitions = new TreeMap<>();
    private final TreeMap<Integer, RecordingDirectory> directories = new TreeMap<>();
    private final List<String> remarks = new ArrayList<>();
    private long clock = NO_CLOCK;

    private JobRebuild(final int jobId, final int partitionCount, final UpdateFunctions functions)
    {
        this.jobId = jobId;
        this.partitionCount = partitionCount;
        this.functions = functions;
    }

    /**
     * Rebuild a job.
     *
     * @param servers        directories, which together have a copy of each partition.
     * @param jobId          of the job.
     * @param partitionCount of the job, or {@link #UNKNOWN_COUNT}: half of the partitions may then pass for all, where
     *                       the keys in them are those that they would have without the other half.
     * @param isOneClock     true if the state is to be of one iteration; else each partition's is that of its log's
     *                       end.
     * @param functions      that its tables may have.
     * @return all partitions, to be closed.
     * @throws ReplayException          if a partition is missing, none of its copies can be rebuilt, or the records
     *                                  that are kept do not reach back to the iteration that all partitions have ended.
     * @throws IllegalArgumentException if a table has a function that is not among them.
     */
    public static JobRebuild run(
        final List<RecordingDirectory> servers,
        final int jobId,
        final int partitionCount,
        final boolean isOneClock,
        final UpdateFunctions functions)
    {
        final JobRebuild rebuild = new JobRebuild(jobId, partitionCount, functions);
        try
        {
            for (final RecordingDirectory server : servers)
            {
                rebuild.add(server);
            }
            rebuild.checkWhole();
            if (isOneClock)
            {
                rebuild.cut();
            }

            return rebuild;
        }
        catch (final RuntimeException ex)
        {
            rebuild.close();
            throw ex;
        }
    }

    /** Iterations of every slot; {@link Consistency#FINISHED} if all finished, {@link #NO_CLOCK} if there is none. */
    public long clock()
    {
        return clock;
    }

    /** All partitions of the job, by number. */
    public List<PartitionRebuild> partitions()
    {
        return List.copyOf(partitions.values());
    }

    /** Problems that were found and did not prevent the rebuild, one line each. */
    public List<String> remarks()
    {
        return remarks;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(partitions.values());
    }

    private void add(final RecordingDirectory server)
    {
        for (final int number : server.partitions(jobId))
        {
            final PartitionRebuild copy = rebuild(server, number);
            final PartitionRebuild known = partitions.get(number);
            if (null != copy && (null == known || isFurther(copy.cursor(), known.cursor())))
            {
                CloseHelper.close(known);
                partitions.put(number, copy);
                directories.put(number, server);
            }
            else
            {
                CloseHelper.close(copy);
            }
        }
    }

    /** Rebuild one copy; null if that fails: another server may have a better copy. */
    private PartitionRebuild rebuild(final RecordingDirectory server, final int number)
    {
        try
        {
            final PartitionRebuild copy = PartitionRebuild.run(server, jobId, number, PartitionRebuild.END, functions);
            copy.remarks().forEach((remark) -> remarks.add(server.path() + ": " + remark));

            return copy;
        }
        catch (final ReplayException ex)
        {
            remarks.add(server.path() + ": " + ex.getMessage());

            return null;
        }
    }

    private static boolean isFurther(final LogCursor one, final LogCursor other)
    {
        return one.epoch() > other.epoch() || one.epoch() == other.epoch() && one.position() > other.position();
    }

    /**
     * Check that no partition is missing. A missing partition leaves a gap; without the last one, keys are not in the
     * partitions to which they belong.
     */
    private void checkWhole()
    {
        if (partitions.isEmpty())
        {
            throw new ReplayException("no partition of job=" + jobId + " can be rebuilt: " + remarks);
        }
        final int count = UNKNOWN_COUNT == partitionCount ? partitions.lastKey() + 1 : partitionCount;
        final PartitionFunction placement = new PartitionFunction(count);
        for (int number = 0; number < count; number++)
        {
            final PartitionRebuild partition = partitions.get(number);
            if (null == partition)
            {
                throw new ReplayException("partition=" + number + " of " + count + " is in none of the directories," +
                    " or cannot be rebuilt: name those of all servers" + (remarks.isEmpty() ? "" : " " + remarks));
            }
            for (final RebuiltTable table : partition.tables())
            {
                checkKeys(placement, number, table);
            }
        }
    }

    private static void checkKeys(final PartitionFunction placement, final int number, final RebuiltTable table)
    {
        final TableSpec spec = table.spec();
        for (int i = 0; !spec.isSystem() && i < table.store().size(); i++)
        {
            if (placement.partitionOf(spec.tableId(), table.store().key(i)) != number)
            {
                throw new ReplayException("key=" + table.store().key(i) + " of table '" + spec.name() +
                    "' is not of partition=" + number + " of " + placement.partitionCount() +
                    ": the job has more partitions; name the directories of all servers");
            }
        }
    }

    /** Take all partitions back to the newest iteration at whose end each has stood, if any has ended. */
    private void cut()
    {
        final long least = partitions.values().stream().mapToLong((one) -> one.partition().minClock()).min()
            .orElseThrow();
        if (least <= 0)
        {
            return;
        }
        if (Consistency.FINISHED == least)
        {
            requireEnded();
            clock = least;
            return;
        }
        Long common = newestCommon(least);
        // each round begins at an earlier snapshot of some partition, and the last at the beginning of all logs
        for (long before = least; null == common && before > 0; before = Math.min(before - 1, latestBegun()))
        {
            beginBefore(before);
            common = newestCommon(least);
        }
        if (null == common)
        {
            throw new ReplayException("there is no iteration at whose end all partitions stood: " + newest(least) +
                NOW_ADVICE);
        }
        for (final int number : directories.keySet())
        {
            takeBack(number, common);
        }
        clock = common;
        if (common < least)
        {
            remarks.add("clock=" + common + " is the newest at whose end all partitions stood, though all have ended" +
                " clock=" + least);
        }
    }

    private void beginBefore(final long before)
    {
        for (final int number : directories.keySet())
        {
            replace(number, before, () -> PartitionRebuild.runFromBefore(
                directories.get(number), jobId, number, before, functions));
        }
    }

    private long latestBegun()
    {
        return partitions.values().stream().mapToLong(PartitionRebuild::beginClock).max().orElseThrow();
    }

    private void requireEnded()
    {
        for (final PartitionRebuild end : partitions.values())
        {
            if (!end.partition().isOfItsClock())
            {
                throw new ReplayException("partition=" + end.partition().partition() +
                    " has taken pushes of slots that had finished: they may be of another moment at each partition" +
                    NOW_ADVICE);
            }
        }
    }

    private Long newestCommon(final long least)
    {
        final TreeSet<Long> common = new TreeSet<>(partitions.firstEntry().getValue().clockPositions().keySet());
        partitions.values().forEach((partition) -> common.retainAll(partition.clockPositions().keySet()));

        return common.floor(least);
    }

    private String newest(final long least)
    {
        final StringJoiner text = new StringJoiner(", ");
        partitions.forEach((number, end) ->
        {
            final Long newest = end.clockPositions().floorKey(least);
            final boolean isSequential = end.partition().consistency().isSequential();
            text.add("partition=" + number + (null == newest ? " at none" : " at clock=" + newest) +
                (isSequential && least < end.partition().exactFrom() ? " (the bound was set to 0 while slots were" +
                " apart: all have to end clock=" + end.partition().exactFrom() + ")" : ""));
        });

        return text.toString();
    }

    private void takeBack(final int number, final long common)
    {
        final PartitionRebuild end = partitions.get(number);
        final long position = end.clockPositions().get(common);
        // more may have been applied since, without another iteration: pushes of a slot that has finished
        if (position != end.cursor().position())
        {
            replace(number, common, () -> PartitionRebuild.run(
                directories.get(number), jobId, number, position, functions));
        }
    }

    private void replace(final int number, final long wanted, final Supplier<PartitionRebuild> rebuild)
    {
        try
        {
            CloseHelper.close(partitions.put(number, rebuild.get()));
        }
        catch (final ReplayException ex)
        {
            throw new ReplayException("partition=" + number + " cannot be taken back to clock=" + wanted +
                ", which all have ended: " + ex.getMessage() + NOW_ADVICE);
        }
    }
}
