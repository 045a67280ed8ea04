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
package io.gradstream.simulation;

import io.gradstream.codecs.LogRecords;
import io.gradstream.recovery.log.Log;
import io.gradstream.recovery.log.Replay;
import io.gradstream.recovery.log.ReplicaStorage;
import io.gradstream.recovery.log.SnapshotSink;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Log and snapshots of one replica that survive crashes of its node; recording trails appending, what takes long is
 * asked for again, and each operation may be the one in which the process dies.
 */
final class SimulatedStorage implements ReplicaStorage
{
    private static final int KEPT_SNAPSHOTS = 2;

    private final Faults faults;
    private final PlantedFault planted;
    private final SimulatedLogFile file;
    private final List<SimulatedSnapshot> snapshots = new ArrayList<>();
    private final long[] covered = new long[Shape.SLOTS];
    private final long[] snapshotted = new long[Shape.SLOTS];
    private SimulatedSnapshot sink;
    private long stepsToCrash = Long.MAX_VALUE;
    private int callsToDone;
    private RowReader rowReader;
    private BooleanSupplier mayDie = () -> true;
    private BooleanSupplier isPrimary = () -> false;

    SimulatedStorage(final Faults faults, final PlantedFault planted, final int termLength)
    {
        this.faults = faults;
        this.planted = planted;
        file = new SimulatedLogFile(termLength);
    }

    SimulatedLogFile file()
    {
        return file;
    }

    /** A new process starts; it may die at a numbered operation. */
    void start(
        final RowReader reader, final BooleanSupplier isCrashAllowed, final BooleanSupplier isPrimaryNow)
    {
        isPrimary = isPrimaryNow;
        file.restart(PlantedFault.BROKEN_FRAME_CUT_AS_TORN == planted);
        rowReader = reader;
        mayDie = isCrashAllowed;
        callsToDone = lag();
        stepsToCrash = faults.strike(FaultClass.CRASH_POINT, 0.3) ?
            faults.draw(FaultClass.CRASH_POINT, 1, 600) : Long.MAX_VALUE;
    }

    void disarm()
    {
        stepsToCrash = Long.MAX_VALUE;
    }

    boolean isArmed()
    {
        return Long.MAX_VALUE != stepsToCrash;
    }

    /** The process dies: of what was not recorded a prefix survives. */
    void crash()
    {
        sink = null;
        file.crash(faults, PlantedFault.RECORDED_LOG_TRUNCATED == planted);
        if (KEPT_SNAPSHOTS == snapshots.size() && snapshots.stream().allMatch(SimulatedSnapshot::isSound) &&
            !file.isRotten() && faults.strike(FaultClass.SNAPSHOT_ROT, 0.2))
        {
            snapshots.get(snapshots.size() - 1).rot();
        }
    }

    /** The Archive records some more. */
    void record(final int most)
    {
        file.record(most);
        if (null != sink)
        {
            sink.verify();
        }
    }

    /** Last sequence of a slot that has ever been in the older of two kept snapshots that are sound. */
    long covered(final int slot)
    {
        return covered[slot];
    }

    /** Last sequence of a slot that has ever been in each snapshot that is kept, be it one alone. */
    long snapshotted(final int slot)
    {
        return snapshotted[slot];
    }

    /** Position of the snapshot kept beside the newest, of which this is the position. */
    long olderPosition(final long newest)
    {
        final boolean hasTwo = KEPT_SNAPSHOTS == snapshots.size();
        return hasTwo ? snapshots.get(0).position() : PlantedFault.FIRST_SNAPSHOT_COVERS == planted ? newest : 0;
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
        return snapshots.size();
    }

    @Override
    public List<String> lostSnapshots()
    {
        return 0 == file.end() && !snapshots.isEmpty() ? List.of("snapshots") : List.of();
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
        final SimulatedSnapshot snapshot = snapshots.get(snapshots.size() - 1 - age);
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
    public Log openLog(final long position)
    {
        step();
        if (!isDone())
        {
            return null;
        }
        file.open(position);

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
        abandonSink();
        file.truncate(position);
        snapshots.removeIf((snapshot) -> snapshot.position() > position);

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
        abandonSink();
        empty();

        return true;
    }

    /** Nothing is left of it. */
    void empty()
    {
        file.wipe();
        snapshots.clear();
        Arrays.fill(covered, 0);
        Arrays.fill(snapshotted, 0);
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
            position, this, faults, PlantedFault.NO_COPY_BEFORE_WRITE == planted ? rowReader : null);

        return sink;
    }

    @Override
    public void close()
    {
        file.close();
    }

    /** A snapshot counts only when the log has been recorded up to it, or a crash would leave it ahead of its log. */
    boolean mayKeep(final long position)
    {
        return file.recordedPosition() >= position || PlantedFault.SNAPSHOT_AHEAD_OF_LOG == planted;
    }

    void keep(final SimulatedSnapshot snapshot)
    {
        // whoever keeps a new one reads the older ones back first
        snapshots.removeIf((kept) -> !kept.isSound());
        snapshots.add(snapshot);
        if (snapshots.size() > KEPT_SNAPSHOTS)
        {
            snapshots.remove(0);
        }
        if (snapshots.size() == KEPT_SNAPSHOTS)
        {
            file.purge(snapshots.get(PlantedFault.LOG_DELETED_TOO_EARLY == planted ? 1 : 0).position());
        }
        for (int slot = 0; slot < covered.length; slot++)
        {
            snapshotted[slot] = Math.max(snapshotted[slot], snapshots.get(0).last(slot));
            covered[slot] = KEPT_SNAPSHOTS == snapshots.size() ? snapshotted[slot] : covered[slot];
        }
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
            return Shape.MAX_LENGTH;
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
            if (length > Shape.MAX_LENGTH)
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
            claim = Arena.direct(length);
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
            file.append(Arena.copy(claim, 0, claim.capacity()), claimEnd);
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
