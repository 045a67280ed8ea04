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
import io.gradstream.codecs.log.ClockDoneDecoder;
import io.gradstream.codecs.log.MessageHeaderDecoder;
import io.gradstream.codecs.log.RefusedDecoder;
import io.gradstream.codecs.log.RowsUpdatedDecoder;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The bytes of one copy of a log, in terms: a record that does not fit the rest of a term begins in the next one. It
 * knows for itself which parts are recorded.
 */
final class SimulatedLogFile
{
    /**
     * A record, and where it ends.
     */
    static final class Entry
    {
        final UnsafeBuffer bytes;
        final long end;
        private boolean isRotten;

        Entry(final UnsafeBuffer bytes, final long end)
        {
            this.bytes = bytes;
            this.end = end;
        }

        boolean isRotten()
        {
            return isRotten;
        }
    }

    /**
     * Told of each record appended.
     */
    @FunctionalInterface
    interface Listener
    {
        void onAppended(long epoch, long end, long chainHash);
    }

    private final int termLength;
    private Listener listener;
    private final List<Entry> entries = new ArrayList<>();
    private final long[] recorded = new long[Shape.SLOTS];
    private final long[] recordedInPurged = new long[Shape.SLOTS];
    /** Entries deleted in front of the first. */
    private int purged;
    private int recordedCount;
    private long start;
    private long position;
    private boolean isOpen;

    SimulatedLogFile(final int termLength)
    {
        this.termLength = termLength;
    }

    void onAppended(final Listener newListener)
    {
        listener = newListener;
    }

    /** Of what was not recorded a prefix survives; padding without its record is gone. */
    void crash(final Faults faults, final boolean isTruncated)
    {
        int survivors = recordedCount + faults.work().nextInt(entries.size() - recordedCount + 1);
        if (isTruncated && faults.work().nextInt(3) == 0)
        {
            survivors = Math.max(0, recordedCount - 3);
        }
        cut(survivors);
        recordedCount = Math.min(recordedCount, entries.size());
        record(entries.size());
        position = end();
        isOpen = false;
        if (isTruncated)
        {
            recount();
        }
    }

    void record(final int most)
    {
        for (int i = 0; i < most && recordedCount < entries.size(); i++)
        {
            count(entries.get(recordedCount++), recorded);
        }
    }

    /** Is everything recorded, so that the closed log may be read to its end? */
    boolean isDrained()
    {
        return isOpen || recordedCount == entries.size();
    }

    /** Last sequence of a slot that is recorded. */
    long recorded(final int slot)
    {
        return recorded[slot];
    }

    long recordedPosition()
    {
        return 0 == recordedCount ? Math.min(start, position) : entries.get(recordedCount - 1).end;
    }

    /** Where the last record ends. */
    long end()
    {
        return entries.isEmpty() ? start : entries.get(entries.size() - 1).end;
    }

    /** Where the next record begins, behind padding if there is some. */
    long position()
    {
        return position;
    }

    long start()
    {
        return start;
    }

    void open(final long at)
    {
        if (entries.isEmpty())
        {
            start = at;
        }
        Violation.check(end() == at && !isOpen, Violation.Kind.POSITIONS, "open log, end, at", end(), at);
        position = at;
        isOpen = true;
    }

    void close()
    {
        isOpen = false;
        position = end();
    }

    boolean fits(final int alignedLength)
    {
        return (position & (termLength - 1)) + alignedLength <= termLength;
    }

    long nextTerm()
    {
        return (position & -termLength) + termLength;
    }

    void padTo(final long newPosition)
    {
        position = newPosition;
    }

    void append(final UnsafeBuffer bytes, final long end)
    {
        Violation.check(isOpen, Violation.Kind.POSITIONS, "append to a closed log", end);
        entries.add(new Entry(bytes, end));
        position = end;
        listener.onAppended(LogRecords.epoch(bytes, 0), end, LogRecords.chainHash(bytes, 0));
    }

    /** Cut off behind a record; the file of a log that begins behind the cut is deleted. */
    void truncate(final long cut)
    {
        Violation.check(!isOpen, Violation.Kind.POSITIONS, "truncate an open log", cut);
        if (cut < start)
        {
            wipe();
            return;
        }
        int kept = entries.size();
        while (kept > 0 && entries.get(kept - 1).end > cut)
        {
            kept--;
        }
        cut(kept);
        recordedCount = Math.min(recordedCount, kept);
        position = end();
        recount();
    }

    void wipe()
    {
        entries.clear();
        recordedCount = 0;
        start = 0;
        position = 0;
        Arrays.fill(recordedInPurged, 0);
        Arrays.fill(recorded, 0);
    }

    /** Delete whole terms behind a snapshot. */
    void purge(final long snapshotPosition)
    {
        final long base = snapshotPosition & -termLength;
        while (recordedCount > 0 && entries.get(0).end <= base)
        {
            count(entries.remove(0), recordedInPurged);
            recordedCount--;
            purged++;
        }
        start = Math.max(start, base);
    }

    /** One bit of a recorded record flips, which the Archive's checksum shows when it is read. */
    boolean rot(final Faults faults)
    {
        if (0 == recordedCount)
        {
            return false;
        }
        entries.get((int)faults.draw(FaultClass.LOG_ROT, 0, recordedCount - 1)).isRotten = true;
        return true;
    }

    boolean isRotten()
    {
        return entries.stream().anyMatch(Entry::isRotten);
    }

    /** Number of the record that follows a position, counted from the first there ever was; -1 if none begins there. */
    int indexAfter(final long from)
    {
        if (from < start || from > end())
        {
            return -1;
        }
        int low = 0;
        while (low < entries.size() && entries.get(low).end <= from)
        {
            low++;
        }
        final boolean isBoundary = 0 == low || entries.get(low - 1).end == from;

        return isBoundary ? purged + low : -1;
    }

    /** A record by its number; null if it is deleted. */
    Entry entry(final int index)
    {
        return index < purged || index >= purged + entries.size() ? null : entries.get(index - purged);
    }

    /** How many were recorded since the first there ever was. */
    int recordedIndex()
    {
        return purged + recordedCount;
    }

    private void cut(final int kept)
    {
        entries.subList(kept, entries.size()).clear();
    }

    private void recount()
    {
        System.arraycopy(recordedInPurged, 0, recorded, 0, recorded.length);
        for (int i = 0; i < recordedCount; i++)
        {
            count(entries.get(i), recorded);
        }
    }

    private static void count(final Entry entry, final long[] sequences)
    {
        final UnsafeBuffer bytes = entry.bytes;
        switch (LogRecords.templateId(bytes, 0))
        {
            case RowsUpdatedDecoder.TEMPLATE_ID ->
            {
                final RowsUpdatedDecoder.ContributionsDecoder contribution =
                    new RowsUpdatedDecoder().wrapAndApplyHeader(bytes, 0, new MessageHeaderDecoder())
                        .contributions().next();
                count(contribution.slot(), contribution.sequence(), sequences);
            }
            case RefusedDecoder.TEMPLATE_ID ->
            {
                final RefusedDecoder refused =
                    new RefusedDecoder().wrapAndApplyHeader(bytes, 0, new MessageHeaderDecoder());
                count(refused.slot(), refused.sequence(), sequences);
            }
            case ClockDoneDecoder.TEMPLATE_ID ->
            {
                final ClockDoneDecoder clockDone =
                    new ClockDoneDecoder().wrapAndApplyHeader(bytes, 0, new MessageHeaderDecoder());
                count(clockDone.slot(), clockDone.sequence(), sequences);
            }
            default ->
            {
                // belongs to no slot
            }
        }
    }

    private static void count(final int slot, final long sequence, final long[] sequences)
    {
        sequences[slot] = Math.max(sequences[slot], sequence);
    }
}
