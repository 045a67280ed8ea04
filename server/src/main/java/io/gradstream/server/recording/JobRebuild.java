/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
import java.util.TreeMap;

/**
 * All partitions of a job, rebuilt in memory from servers' directories: of each the copy that has come furthest, and
 * all as they were when the last slot ended the same iteration.
 */
public final class JobRebuild implements AutoCloseable
{
    /** Iterations are not looked at: the state is that of the end of each partition's log. */
    public static final long NO_CLOCK = -1;

    private final int jobId;
    private final UpdateFunctions functions;
    private final TreeMap<Integer, PartitionRebuild> partitions = new TreeMap<>();
    private final TreeMap<Integer, RecordingDirectory> directories = new TreeMap<>();
    private final List<String> remarks = new ArrayList<>();
    private long clock = NO_CLOCK;

    private JobRebuild(final int jobId, final UpdateFunctions functions)
    {
        this.jobId = jobId;
        this.functions = functions;
    }

    /**
     * Rebuild a job.
     *
     * @param servers    directories, which together have a copy of each partition.
     * @param jobId      of the job.
     * @param isOneClock is the state to be of one iteration? Else each partition's is that of its log's end.
     * @param functions  that its tables may have.
     * @return all partitions, to be closed.
     * @throws ReplayException          if a partition is missing, none of its copies can be rebuilt, or what is kept
     *                                  does not reach back to the iteration that all partitions have ended.
     * @throws IllegalArgumentException if a table has a function that is not among them.
     */
    public static JobRebuild run(
        final List<RecordingDirectory> servers,
        final int jobId,
        final boolean isOneClock,
        final UpdateFunctions functions)
    {
        final JobRebuild rebuild = new JobRebuild(jobId, functions);
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

    /**
     * Iterations that every slot had ended.
     *
     * @return their number; {@link Consistency#FINISHED} if all have finished; {@link #NO_CLOCK} if there is none.
     */
    public long clock()
    {
        return clock;
    }

    /**
     * The partitions.
     *
     * @return all of the job, by number.
     */
    public List<PartitionRebuild> partitions()
    {
        return List.copyOf(partitions.values());
    }

    /**
     * What was found on the way that did not stand in the way.
     *
     * @return one line each.
     */
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

    /** Null if it cannot be: another server may have a better copy. */
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

    /** A partition that is missing leaves a gap; without the last one keys are not where they belong. */
    private void checkWhole()
    {
        if (partitions.isEmpty())
        {
            throw new ReplayException("no partition of job=" + jobId + " can be rebuilt: " + remarks);
        }
        final int count = partitions.lastKey() + 1;
        final PartitionFunction placement = new PartitionFunction(count);
        for (int number = 0; number < count; number++)
        {
            final PartitionRebuild partition = partitions.get(number);
            if (null == partition)
            {
                throw new ReplayException("partition=" + number + " of " + count + " is in none of the directories," +
                    " or cannot be rebuilt: name those of all servers " + remarks);
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

    /** Take all partitions back to the iteration that each has ended, if there is one. */
    private void cut()
    {
        final long least = partitions.values().stream().mapToLong((one) -> one.partition().minClock()).min()
            .orElseThrow();
        clock = least > 0 ? least : NO_CLOCK;
        if (least <= 0 || Consistency.FINISHED == least)
        {
            return;
        }
        for (final int number : directories.keySet())
        {
            final PartitionRebuild end = partitions.get(number);
            final boolean isThere = end.partition().minClock() == least &&
                end.partition().consistency().isSequential();
            if (!isThere)
            {
                partitions.put(number, rebuildTo(least, number));
                end.close();
            }
        }
    }

    private PartitionRebuild rebuildTo(final long least, final int number)
    {
        try
        {
            return PartitionRebuild.runToClock(directories.get(number), jobId, number, least, functions);
        }
        catch (final ReplayException ex)
        {
            throw new ReplayException("partition=" + number + " cannot be taken back to the iteration that all have" +
                " ended: " + ex.getMessage() + "; take each as it is at the end of its log (--now)");
        }
    }
}
