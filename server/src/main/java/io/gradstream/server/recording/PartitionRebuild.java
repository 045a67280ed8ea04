// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.recording;

import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.TableSpec;
import io.gradstream.recovery.log.LogCursor;
import io.gradstream.recovery.log.RecordReplay;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.recovery.recording.RecordingEntry;
import io.gradstream.recovery.recording.RecordingReader;
import io.gradstream.recovery.recording.SnapshotScan;
import io.gradstream.recovery.recording.StreamReport;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.table.InMemoryRowStore;
import io.gradstream.server.table.RowStore;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;

/**
 * A partition's state as it was at a position of its log, rebuilt in memory from recorded files. As when a node
 * recovers, it comes from the newest sound snapshot that is not after the position, and from the records after that
 * snapshot. Where there is no such snapshot, it comes from the whole log.
 */
public final class PartitionRebuild implements AutoCloseable
{
    /** Rebuild up to the end of what is recorded. */
    public static final long END = Long.MAX_VALUE;
    /** Recording id where no snapshot was used. */
    public static final long NO_SNAPSHOT = -1;
    private static final long NO_CLOCK = -1;

    private final RecordingDirectory directory;
    private final int jobId;
    private final int partitionNumber;
    private final long to;
    private final long toClock;
    private final UpdateFunctions functions;
    private final RecordingEntry log;
    private final List<SnapshotScan> snapshots = new ArrayList<>();
    private final List<RebuiltTable> tables = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private Partition partition;
    private ClockEnds clockEnds;
    private long snapshotId = NO_SNAPSHOT;
    private long beginClock;

    private PartitionRebuild(
        final RecordingDirectory directory,
        final int jobId,
        final int partitionNumber,
        final long to,
        final long toClock,
        final UpdateFunctions functions)
    {
        this.directory = directory;
        this.jobId = jobId;
        this.partitionNumber = partitionNumber;
        this.to = to;
        this.toClock = toClock;
        this.functions = functions;
        log = directory.log(jobId, partitionNumber);
    }

    /**
     * Rebuild a partition whose tables have Gradstream's own functions only: as the other {@code run}, with no
     * functions of users.
     */
    public static PartitionRebuild run(
        final RecordingDirectory directory, final int jobId, final int partition, final long to)
    {
        return run(directory, jobId, partition, to, UpdateFunctions.BUILT_IN);
    }

    /**
     * Rebuild a partition.
     *
     * @param directory with its log and snapshots.
     * @param jobId     of the job.
     * @param partition its number.
     * @param to        position; one inside a record stands for the end of the record before. {@link #END} for all.
     * @param functions that its tables may have.
     * @return the state, to be closed.
     * @throws ReplayException          if the position is earlier than what is kept (the message names the earliest),
     *                                  lies beyond the end, or after a place where the log is broken.
     * @throws IllegalArgumentException if a table has a function that is not among {@code functions}. This copy is not
     *                                  damaged: no other can be rebuilt without the function either.
     */
    public static PartitionRebuild run(
        final RecordingDirectory directory,
        final int jobId,
        final int partition,
        final long to,
        final UpdateFunctions functions)
    {
        if (to < 0)
        {
            throw new ReplayException("position=" + to + ": positions begin at 0");
        }

        return new PartitionRebuild(directory, jobId, partition, to, NO_CLOCK, functions).run();
    }

    /**
     * Rebuild a partition as it was when the last slot ended an iteration.
     *
     * @param directory with its log and snapshots.
     * @param jobId     of the job.
     * @param partition its number.
     * @param clock     iterations, at least 1.
     * @param functions that its tables may have.
     * @return the state, to be closed.
     * @throws ReplayException          as {@link #run}; also if slots have not ended so many, or went beyond it at
     *                                  once.
     * @throws IllegalArgumentException as {@link #run}.
     */
    public static PartitionRebuild runToClock(
        final RecordingDirectory directory,
        final int jobId,
        final int partition,
        final long clock,
        final UpdateFunctions functions)
    {
        final Long position;
        try (PartitionRebuild rebuild = runFromBefore(directory, jobId, partition, clock, functions))
        {
            position = rebuild.clockPositions().get(clock);
            if (null == position)
            {
                throw new ReplayException("partition=" + partition + " has ended clock=" +
                    rebuild.partition.minClock() + ", not " + clock + rebuild.whyNot(clock));
            }
        }

        return run(directory, jobId, partition, position, functions);
    }

    private String whyNot(final long clock)
    {
        return partition.minClock() < clock ? "" : isBeforeExact(clock) ?
            ": the bound was set to 0 while slots were apart, and only from clock=" + partition.exactFrom() +
            " on nothing later is in it" :
            ": it was never there when the last slot ended that, or the bound or its slots have changed since";
    }

    private boolean isBeforeExact(final long clock)
    {
        return partition.consistency().isSequential() && clock < partition.exactFrom();
    }

    /**
     * Rebuild up to the end, from a snapshot that is not of a later iteration, so that the iteration's end is seen on
     * the way.
     */
    static PartitionRebuild runFromBefore(
        final RecordingDirectory directory,
        final int jobId,
        final int partition,
        final long clock,
        final UpdateFunctions functions)
    {
        return new PartitionRebuild(directory, jobId, partition, END, clock, functions).run();
    }

    private PartitionRebuild run()
    {
        try
        {
            scanSnapshots();
            loadState();
            beginClock = partition.minClock();
            clockEnds = new ClockEnds(partition);
            if (null != log && partition.cursor().position() < to)
            {
                applyLog();
            }

            return this;
        }
        catch (final RuntimeException ex)
        {
            close();
            throw ex;
        }
    }

    /** The state: the partition, which takes no pushes. */
    public Partition partition()
    {
        return partition;
    }

    /** Job id of the partition. */
    public int jobId()
    {
        return jobId;
    }

    /** The position of the state: the end of the last record applied, its number, epoch and chain hash. */
    public LogCursor cursor()
    {
        return partition.cursor();
    }

    /** Its tables, including system tables, in the order of their creation. */
    public List<RebuiltTable> tables()
    {
        return tables;
    }

    /** Recording id of the snapshot it was rebuilt from, or {@link #NO_SNAPSHOT}. */
    public long snapshotId()
    {
        return snapshotId;
    }

    /** Problems that did not prevent the rebuild, one line each: a damaged snapshot, a torn tail. */
    public List<String> remarks()
    {
        return remarks;
    }

    /** Positions of the log at which the last slot ended an iteration, since the snapshot that was used. */
    NavigableMap<Long, Long> clockPositions()
    {
        return clockEnds.positions();
    }

    /** Iterations that every slot had finished where the replay of the log began: earlier ends are not seen. */
    long beginClock()
    {
        return beginClock;
    }

    @Override
    public void close()
    {
        if (null != partition)
        {
            partition.close();
        }
    }

    private void scanSnapshots()
    {
        for (final RecordingEntry entry : directory.snapshots(jobId, partitionNumber))
        {
            final SnapshotScan scan = SnapshotScan.run(directory, entry);
            final StreamReport report = scan.report();
            if (StreamReport.State.COMPLETE == report.state())
            {
                snapshots.add(scan);
            }
            else
            {
                remarks.add("snapshot recordingId=" + entry.recordingId() + " is not used, " +
                    (report.isSound() ? "" : "broken at position=" + report.position() + " of its recording: ") +
                    report.problem());
            }
        }
        snapshots.sort(Comparator.comparingLong(SnapshotScan::position)
            .thenComparingLong((scan) -> scan.report().entry().recordingId()).reversed());
        if (null == log && snapshots.isEmpty())
        {
            throw new ReplayException("there is neither a log nor a whole snapshot of partition=" + partitionNumber +
                " of job=" + jobId + " in " + directory.path());
        }
    }

    private void loadState()
    {
        for (final SnapshotScan snapshot : snapshots)
        {
            if (isUsable(snapshot) && load(snapshot))
            {
                return;
            }
        }
        if (null == log || log.startPosition() > 0)
        {
            throw new ReplayException(tooEarly());
        }
        reset();
    }

    private boolean isUsable(final SnapshotScan snapshot)
    {
        final long position = snapshot.position();
        return position <= to &&
            (null == log ? END == to || position == to : position == to || log.startPosition() <= position);
    }

    private String tooEarly()
    {
        final String what = NO_CLOCK != toClock ? "clock=" + toClock : END == to ? "the end" : "position=" + to;
        final List<Long> positions = snapshots.stream().map(SnapshotScan::position).toList();
        if (null == log)
        {
            return what + " cannot be rebuilt: no log is kept, only snapshots at positions " + positions;
        }
        final List<Long> joined = positions.stream().filter((position) -> position >= log.startPosition()).toList();
        if (joined.isEmpty())
        {
            return what + " cannot be rebuilt: the log begins at position=" + log.startPosition() +
                " and whole snapshots are at positions " + positions;
        }

        return what + " is earlier than what is kept: the earliest is position=" + joined.get(joined.size() - 1) +
            " (servers keep everything with --log-retention all)";
    }

    private boolean load(final SnapshotScan snapshot)
    {
        final RecordingEntry entry = snapshot.report().entry();
        reset();
        try (RecordingReader reader = directory.read(entry))
        {
            while (!partition.isLoaded() && reader.next())
            {
                partition.loadFrame(reader.buffer(), reader.offset(), reader.length());
            }
            final boolean isUsable = !isBehindClock() || partition.minClock() == toClock && isExact();
            snapshotId = isUsable ? entry.recordingId() : NO_SNAPSHOT;

            return isUsable;
        }
        catch (final ReplayException ex)
        {
            remarks.add("snapshot recordingId=" + entry.recordingId() + " is not used: " + ex.getMessage());

            return false;
        }
    }

    private void applyLog()
    {
        final RecordReplay replay = new RecordReplay(partition);
        try (RecordingReader reader = directory.read(log, replay.cursor().position()))
        {
            while (replay.cursor().position() < to && reader.next() && reader.position() <= to)
            {
                final String problem =
                    replay.replay(reader.buffer(), reader.offset(), reader.length(), reader.position());
                if (null != problem)
                {
                    throw broken(reader.beginPosition(), problem);
                }
                clockEnds.onApplied();
            }
            if (null != reader.end())
            {
                onLogEnd(reader);
            }
        }
    }

    /** True if the last slot has ended the wanted iteration; a snapshot may be of a later one. */
    private boolean isBehindClock()
    {
        return NO_CLOCK != toClock && partition.minClock() >= toClock;
    }

    /** True if nothing of the next iteration is in the state, as is so where sums are applied. */
    private boolean isExact()
    {
        return partition.consistency().isSequential() && partition.isOfItsClock();
    }

    private void onLogEnd(final RecordingReader reader)
    {
        if (RecordingReader.End.BROKEN == reader.end())
        {
            throw broken(reader.position(), reader.problem());
        }
        if (END != to && to > reader.position())
        {
            throw new ReplayException("position=" + to + " is beyond the end of the log at position=" +
                reader.position());
        }
        if (RecordingReader.End.TORN == reader.end())
        {
            remarks.add("the log has a torn tail at position=" + reader.position() + ", which does not count");
        }
    }

    private ReplayException broken(final long position, final String problem)
    {
        return new ReplayException("the log in recordingId=" + log.recordingId() + " is broken at position=" +
            position + ": " + problem + "; it can be rebuilt up to position=" + partition.cursor().position());
    }

    private void reset()
    {
        close();
        tables.clear();
        // Which keys are its own matters to who pushes; records have passed that check.
        partition = new Partition(
            jobId, partitionNumber, 0, new PartitionFunction(PartitionFunction.MAX_PARTITIONS),
            (number, spec, rowLength) -> newStore(spec, rowLength), RecoveryMode.REPLAY, functions);
    }

    private RowStore newStore(final TableSpec spec, final int rowLength)
    {
        final RowStore store = new InMemoryRowStore(rowLength, Integer.MAX_VALUE);
        tables.add(new RebuiltTable(spec, rowLength, store));

        return store;
    }
}
