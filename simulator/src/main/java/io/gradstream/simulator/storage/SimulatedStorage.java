// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.storage;

import io.gradstream.codecs.LogRecords;
import io.gradstream.recovery.log.Log;
import io.gradstream.recovery.log.Replay;
import io.gradstream.recovery.log.ReplicaStorage;
import io.gradstream.recovery.log.SnapshotRetention.StoredSnapshot;
import io.gradstream.recovery.log.SnapshotRetention;
import io.gradstream.recovery.log.SnapshotSink;
import io.gradstream.simulator.world.BufferArena;
import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.Faults;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.RowReader;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.SimulatedCrash;
import io.gradstream.simulator.world.Violation;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Log and snapshots of one replica that survive crashes of its node; recording trails appending, what takes long is
 * asked for again, and each operation may be the one in which the process dies.
 */
public final class SimulatedStorage implements ReplicaStorage
{
    private final Faults faults;
    private final PlantedFault planted;
    private final int maxRecordLength;
    private final int maxFrameLength;
    private final SimulatedLogFile file;
    private final SnapshotRetention retained = new SnapshotRetention(false);
    /** By recording: those that are kept, and others until they are deleted. */
    private final NavigableMap<Long, SimulatedSnapshot> snapshots = new TreeMap<>();
    private final long[] covered = new long[ScenarioConfig.MOST_SLOTS];
    private final long[] snapshotted = new long[ScenarioConfig.MOST_SLOTS];
    private SimulatedSnapshot sink;
    private long stepsToCrash = Long.MAX_VALUE;
    private int callsToDone;
    private RowReader rowReader;
    private BooleanSupplier mayDie = () -> true;
    private BooleanSupplier isPrimary = () -> false;
    private Runnable onCut = () -> {};

    public SimulatedStorage(final Faults faults, final PlantedFault planted, final ScenarioConfig config)
    {
        this.faults = faults;
        this.planted = planted;
        maxRecordLength = config.maxRecordLength();
        maxFrameLength = config.bounds().frameLength();
        file = new SimulatedLogFile(config.termLength());
    }

    public SimulatedLogFile file()
    {
        return file;
    }

    /** Sets the listener that is told before some of the log, or all, is deleted. */
    public void onCut(final Runnable listener)
    {
        onCut = listener;
    }

    /** A new process starts; it may die at a numbered operation. */
    public void start(
        final RowReader reader, final BooleanSupplier isCrashAllowed, final BooleanSupplier isPrimaryNow)
    {
        isPrimary = isPrimaryNow;
        file.restart(PlantedFault.BROKEN_FRAME_CUT_AS_TORN == planted);
        discover();
        rowReader = reader;
        mayDie = isCrashAllowed;
        callsToDone = lag();
        stepsToCrash = faults.strike(FaultClass.CRASH_POINT, 0.3) ?
            faults.draw(FaultClass.CRASH_POINT, 1, 600) : Long.MAX_VALUE;
    }

    public void disarm()
    {
        stepsToCrash = Long.MAX_VALUE;
    }

    public boolean isArmed()
    {
        return Long.MAX_VALUE != stepsToCrash;
    }

    /** The process dies: of what was not recorded a prefix survives. */
    public void crash()
    {
        if (null != sink && sink.isUnderWay())
        {
            // whole, though nobody has read it back: the next process finds it
            store(sink);
        }
        sink = null;
        file.crash(faults, PlantedFault.RECORDED_LOG_TRUNCATED == planted);
        if (retained.kept().size() > 1 && snapshots.values().stream().allMatch(SimulatedSnapshot::isSound) &&
            !file.isRotten() && faults.strike(FaultClass.SNAPSHOT_ROT, 0.2))
        {
            snapshot(0).rot();
        }
    }

    /** The Archive records some more. */
    public void record(final int most)
    {
        file.record(most);
        if (null != sink)
        {
            sink.verify();
        }
    }

    /** Last sequence of a slot that has ever been in the older of two kept snapshots that are sound. */
    public long covered(final int slot)
    {
        return covered[slot];
    }

    /** Last sequence of a slot that has ever been in each snapshot that is kept, be it one alone. */
    public long snapshotted(final int slot)
    {
        return snapshotted[slot];
    }

    /** Position of the snapshot kept beside the newest, of which this is the position. */
    long olderPosition(final long newest)
    {
        return PlantedFault.FIRST_SNAPSHOT_COVERS == planted && 1 == snapshotCount() ? newest :
            retained.olderPosition();
    }

    void step()
    {
        if (--stepsToCrash <= 0 && mayDie.getAsBoolean())
        {
            throw new SimulatedCrash();
        }
    }

    @Override
    public boolean isReady()
    {
        return isDone() && file.isDrained();
    }

    @Override
    public int snapshotCount()
    {
        return retained.kept().size();
    }

    @Override
    public List<String> lostSnapshots()
    {
        return retained.lost(isLossAccepted()).stream().map((recording) -> "snapshot " + recording).toList();
    }

    @Override
    public boolean isLossAccepted()
    {
        return false;
    }

    @Override
    public Replay openSnapshot(final int age)
    {
        step();
        final SimulatedSnapshot snapshot = snapshot(age);
        return new SimulatedReplay(snapshot.read(planted),
            !snapshot.isSound(), this::step);
    }

    @Override
    public Replay openReplay(final long fromPosition, final long toPosition)
    {
        step();
        return new SimulatedLogReplay(file, fromPosition, toPosition, this::step,
            PlantedFault.DAMAGED_LOG_PASSES_FOR_SHORT == planted && ReplicaStorage.TO_RECORDED_END == toPosition,
            lag());
    }

    @Override
    public void keepLogFrom(final long position)
    {
        retained.keepLogFrom(position);
    }

    @Override
    public Log openLog(final long position)
    {
        step();
        if (!isDone())
        {
            return null;
        }
        file.open(position);
        retained.onLogOpened();

        return new SimulatedLog();
    }

    @Override
    public void closeLog()
    {
        abandonSink();
        file.close();
        callsToDone = lag();
    }

    @Override
    public boolean truncate(final long position)
    {
        step();
        if (!isDone())
        {
            return false;
        }
        onCut.run();
        abandonSink();
        retained.cut(position, file.start());
        deleteUnretained();
        file.truncate(position);

        return true;
    }

    @Override
    public boolean wipe()
    {
        step();
        if (!isDone())
        {
            return false;
        }
        onCut.run();
        abandonSink();
        empty();

        return true;
    }

    /** Nothing is left of it. */
    public void empty()
    {
        retained.cut(SnapshotRetention.EVERYTHING, file.start());
        deleteUnretained();
        file.wipe();
        Arrays.fill(covered, 0);
        Arrays.fill(snapshotted, 0);
    }

    /** True if nothing is left of it. */
    public boolean isEmpty()
    {
        return snapshots.isEmpty() && !file.isKept();
    }

    @Override
    public SnapshotSink openSnapshotSink(final long position)
    {
        step();
        if (null != sink && sink.isUnderWay())
        {
            return null;
        }
        sink = new SimulatedSnapshot(
            position, this, faults, PlantedFault.NO_COPY_BEFORE_WRITE == planted ? rowReader : null,
            maxFrameLength);

        return sink;
    }

    @Override
    public void close()
    {
        file.close();
    }

    /** True if a snapshot that the Archive has read back may count. */
    boolean mayCount(final long position)
    {
        return mayCount(position, file.recordedPosition());
    }

    private boolean mayCount(final long position, final long recordedEnd)
    {
        return SnapshotRetention.mayCount(position, recordedEnd) || PlantedFault.SNAPSHOT_AHEAD_OF_LOG == planted;
    }

    /** Those kept before it are read back first. */
    void count(final SimulatedSnapshot snapshot)
    {
        final List<StoredSnapshot> sound = new ArrayList<>(List.of(store(snapshot)));
        StoredSnapshot older = retained.nextToJudge(sound, 0);
        for (int judged = 1; null != older; judged++)
        {
            if (snapshots.get(older.recordingId()).isSound())
            {
                sound.add(older.verified());
            }
            older = retained.nextToJudge(sound, judged);
        }
        retained.keep(sound);
        deleteUnretained();
        final boolean hasTwo = snapshotCount() > 1;
        file.purge(PlantedFault.LOG_DELETED_TOO_EARLY == planted && hasTwo ? snapshot.position() : retained.logBase());
        updateTruth();
    }

    private StoredSnapshot store(final SimulatedSnapshot snapshot)
    {
        final long recording = snapshots.isEmpty() ? 0 : snapshots.lastKey() + 1;
        snapshots.put(recording, snapshot);

        return new StoredSnapshot(recording, 0, snapshot.position(), true);
    }

    /** Finds what an earlier life has left. */
    private void discover()
    {
        final long logEnd = file.isThere() ? file.end() : SnapshotRetention.NO_LOG;
        final List<StoredSnapshot> found = new ArrayList<>();
        snapshots.values().removeIf((snapshot) -> !mayCount(snapshot.position(), logEnd));
        snapshots.descendingMap().forEach((recording, snapshot) ->
        {
            if (!SnapshotRetention.isEnough(found))
            {
                found.add(new StoredSnapshot(recording, 0, snapshot.position(), false));
            }
        });
        retained.onFound(found, List.of(), file.isThere());
        updateTruth();
    }

    private void updateTruth()
    {
        for (int slot = 0; snapshotCount() > 0 && slot < covered.length; slot++)
        {
            snapshotted[slot] = Math.max(snapshotted[slot], snapshot(snapshotCount() - 1).last(slot));
            covered[slot] = snapshotCount() > 1 ? snapshotted[slot] : covered[slot];
        }
    }

    /** Frames of the oldest sound snapshot that is kept and that the log reaches back to; none if there is no such. */
    public List<UnsafeBuffer> oldestFrames()
    {
        for (int age = snapshotCount() - 1; age >= 0 && file.start() > 0; age--)
        {
            if (snapshot(age).isSound() && snapshot(age).position() >= file.start())
            {
                return snapshot(age).read(planted);
            }
        }

        return List.of();
    }

    /** True if some of what is on the disk has rotted. */
    public boolean isDamaged()
    {
        return file.isRotten() || file.isWithdrawn() ||
            !snapshots.values().stream().allMatch(SimulatedSnapshot::isSound);
    }

    /** All snapshots that are on the disk, oldest first. */
    Collection<SimulatedSnapshot> snapshots()
    {
        return snapshots.values();
    }

    List<UnsafeBuffer> read(final SimulatedSnapshot snapshot)
    {
        return snapshot.read(planted);
    }

    private SimulatedSnapshot snapshot(final int age)
    {
        return snapshots.get(retained.kept().get(age).recordingId());
    }

    private void deleteUnretained()
    {
        snapshots.keySet().removeIf((recording) -> !retained.isKept(recording));
    }

    private void abandonSink()
    {
        if (null != sink)
        {
            sink.abandon();
            sink = null;
        }
    }

    private boolean isDone()
    {
        callsToDone = Math.max(0, callsToDone - 1);
        return 0 == callsToDone;
    }

    /** Calls that an operation takes. */
    private int lag()
    {
        return faults.strike(FaultClass.STORAGE_LAG, 0.4) ? (int)faults.draw(FaultClass.STORAGE_LAG, 1, 12) : 0;
    }

    private final class SimulatedLog implements Log
    {
        private UnsafeBuffer claim;
        private long claimEnd;

        @Override
        public int maxRecordLength()
        {
            return maxRecordLength;
        }

        @Override
        public long position()
        {
            return file.position();
        }

        @Override
        public boolean tryClaim(final int length)
        {
            step();
            if (length > maxRecordLength)
            {
                throw new IllegalArgumentException("length=" + length);
            }
            if (faults.strike(FaultClass.LOG_FULL, 0.05))
            {
                return false;
            }
            final int aligned = LogRecords.alignedLength(length);
            if (!file.fits(aligned) || isPrimary.getAsBoolean() && file.isTermGivenUp(faults))
            {
                file.padTo(file.nextTerm());
                if (faults.strike(FaultClass.LOG_FULL, 0.5))
                {
                    return false;
                }
            }
            claim = BufferArena.direct(length);
            claimEnd = file.position() + aligned;

            return true;
        }

        @Override
        public boolean tryPadTo(final long position)
        {
            Violation.check(position == file.nextTerm(), Violation.Kind.POSITIONS, "padding to, log, next term",
                position, file.position(), file.nextTerm());
            if (faults.strike(FaultClass.LOG_FULL, 0.1))
            {
                return false;
            }
            if (PlantedFault.PADDING_NOT_FOLLOWED != planted)
            {
                file.padTo(position);
            }

            return true;
        }

        @Override
        public long claimEndPosition()
        {
            return claimEnd;
        }

        @Override
        public MutableDirectBuffer buffer()
        {
            return claim;
        }

        @Override
        public int offset()
        {
            return 0;
        }

        @Override
        public void commit()
        {
            file.append(BufferArena.copy(claim, 0, claim.capacity()), claimEnd);
            // As Aeron does with what is recorded: whoever reads on finds nothing.
            claim.setMemory(0, claim.capacity(), (byte)0);
            step();
        }

        @Override
        public long recordedPosition()
        {
            return file.recordedPosition();
        }

        @Override
        public boolean isAlive()
        {
            return true;
        }

        @Override
        public void close()
        {
        }
    }
}
