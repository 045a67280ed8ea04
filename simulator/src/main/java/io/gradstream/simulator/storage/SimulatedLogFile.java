// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.storage;

import io.aeron.protocol.DataHeaderFlyweight;
import io.gradstream.codecs.LogRecords;
import io.gradstream.codecs.log.ClockDoneDecoder;
import io.gradstream.codecs.log.ClockSummedDecoder;
import io.gradstream.codecs.log.MessageHeaderDecoder;
import io.gradstream.codecs.log.RefusedDecoder;
import io.gradstream.codecs.log.RowsUpdatedDecoder;
import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.Faults;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.Violation;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The bytes of one copy of a log, in terms: a record that does not fit the rest of a term begins in the next one. It
 * knows for itself which parts are recorded.
 */
public final class SimulatedLogFile
{
    /** A record, and where it ends. */
    public static final class Entry
    {
        public final UnsafeBuffer bytes;
        public final long end;
        private boolean isRotten;

        Entry(final UnsafeBuffer bytes, final long end)
        {
            this.bytes = bytes;
            this.end = end;
        }

        public boolean isRotten()
        {
            return isRotten;
        }
    }

    /** Told of each record appended. */
    @FunctionalInterface
    public interface Listener
    {
        void onAppended(long epoch, long end, long chainHash);
    }

    /** Of a frame's message. */
    private static final int FIRST_BIT = 32 * Byte.SIZE;

    private final int termLength;
    private Listener listener;
    private final List<Entry> entries = new ArrayList<>();
    private final long[] recorded = new long[ScenarioConfig.MOST_SLOTS];
    private final long[] recordedInPurged = new long[ScenarioConfig.MOST_SLOTS];
    /** Entries deleted in front of the first. */
    private int purged;
    private int recordedCount;
    private long start;
    private long position;
    private boolean isOpen;
    private boolean isThere;
    /** True if it is kept in files, with terms as long as those of an Archive. */
    private final boolean isBytes;
    /** Bits in the files that have turned, by their position in bits. */
    private final List<Long> flips = new ArrayList<>();
    /** The record that was being recorded when the process died, or null, and the position where that ends. */
    private Entry torn;
    private long tear;
    private boolean isWithdrawn;

    SimulatedLogFile(final int termLength)
    {
        this.termLength = termLength;
        isBytes = ScenarioConfig.SEGMENT_TERM_LENGTH == termLength;
    }

    public void onAppended(final Listener newListener)
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
        survivors = isBytes && !isTruncated ? tear(faults, survivors) : survivors;
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

    /** Where records that are not recorded yet lie on two pages, the write of one may have ended between these. */
    private int tear(final Faults faults, final int survivors)
    {
        for (int i = recordedCount; i < entries.size(); i++)
        {
            final Entry entry = entries.get(i);
            final long page = entry.end - 1 & -SegmentFiles.PAGE_LENGTH;
            if (page > begin(entry) && faults.strike(FaultClass.STORED_AS_BYTES, 0.8) && isLostFrom(page, entry))
            {
                torn = entry;
                tear = page;
                return i;
            }
        }

        return survivors;
    }

    /** True if something of a record is missing without its bytes from a position on: a file has zeros there. */
    private static boolean isLostFrom(final long position, final Entry entry)
    {
        final int first = (int)(position - begin(entry)) - DataHeaderFlyweight.HEADER_LENGTH;
        boolean isLost = false;
        for (int i = first; i < entry.bytes.capacity(); i++)
        {
            isLost |= 0 != entry.bytes.getByte(i);
        }

        return isLost;
    }

    private static long begin(final Entry entry)
    {
        return entry.end - LogRecords.alignedLength(entry.bytes.capacity());
    }

    /**
     * The next process finds the files as the repair has left them: everything that was recorded, or damage.
     *
     * @param isCut the planted fault of a damaged frame that is taken for a torn one.
     */
    void restart(final boolean isCut)
    {
        final Entry lastTorn = torn;
        torn = null;
        if (!isBytes || entries.isEmpty() || isWithdrawn)
        {
            return;
        }
        final SegmentFiles files = SegmentFiles.begin();
        files.write(start, entries, lastTorn, tear, flips);
        final SegmentFiles.Reading reading = files.mendAndRead(entries);
        final int damaged = reading.isValid() ? reading.records().indexOf(null) : 0;
        final boolean isValid = reading.isValid() || isCut;
        final long end = isCut && damaged > 0 ? entries.get(damaged - 1).end : reading.end();
        Violation.check(!isValid || end == end(), Violation.Kind.LOST, "repaired log, end, recorded", end, end());
        Violation.check(!flips.isEmpty() || isValid && damaged < 0, Violation.Kind.LOST,
            "nothing was damaged, damaged, recorded", damaged, entries.size());
        isWithdrawn = !isValid;
        for (int i = 0; i < entries.size(); i++)
        {
            final Entry read = reading.isValid() ? reading.records().get(i) : null;
            entries.get(i).isRotten = null == read;
            if (null != read)
            {
                Violation.check(read.end == entries.get(i).end && read.bytes.equals(entries.get(i).bytes),
                    Violation.Kind.HASH_DIFFERS, "a record has changed on disk, position", read.end);
                entries.set(i, read);
            }
        }
    }

    /** True if there are files of it, be they damaged. */
    boolean isKept()
    {
        return isThere;
    }

    /** Writes the files as the death of the process has left them. */
    void write(final RecordingFiles files)
    {
        files.write(start, entries.subList(0, recordedCount), torn, tear, flips);
    }

    /** True if the Archive has withdrawn the log because it is damaged. */
    boolean isWithdrawn()
    {
        return isWithdrawn;
    }

    /** True if the Archive lists it. */
    boolean isThere()
    {
        return isThere && !isWithdrawn;
    }

    /** True if a head may go on in the next term although there is room, so that a log has several. */
    boolean isTermGivenUp(final Faults faults)
    {
        return isBytes && faults.strike(FaultClass.STORED_AS_BYTES, 0.01) && 0 != (position & termLength - 1);
    }

    void record(final int most)
    {
        for (int i = 0; i < most && recordedCount < entries.size(); i++)
        {
            count(entries.get(recordedCount++), recorded);
        }
    }

    /** True if everything is recorded, so that the closed log may be read to its end. */
    boolean isDrained()
    {
        return isOpen || recordedCount == entries.size();
    }

    /** Last sequence of a slot that is recorded. */
    public long recorded(final int slot)
    {
        return recorded[slot];
    }

    public long recordedPosition()
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
        isThere = true;
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
        flips.removeIf((bit) -> bit / Byte.SIZE >= end());
        position = end();
        recount();
    }

    void wipe()
    {
        entries.clear();
        flips.clear();
        isThere = false;
        isWithdrawn = false;
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
        flips.removeIf((bit) -> bit / Byte.SIZE < start);
    }

    /** One bit of a recorded record flips, which the Archive's checksum shows when it is read. */
    public boolean rot(final Faults faults)
    {
        if (0 == recordedCount)
        {
            return false;
        }
        if (isBytes)
        {
            flips.add(faults.draw(FaultClass.LOG_ROT, start * Byte.SIZE, recordedPosition() * Byte.SIZE - 1));
        }
        else
        {
            entries.get((int)faults.draw(FaultClass.LOG_ROT, 0, recordedCount - 1)).isRotten = true;
        }
        return true;
    }

    /** One bit of a record of the second half flips. */
    public void rotLate(final Faults faults)
    {
        if (recordedCount > 0)
        {
            final Entry entry =
                entries.get((int)faults.draw(FaultClass.FATAL_LOSS, recordedCount / 2, recordedCount - 1));
            entry.isRotten = true;
            flips.add(Byte.SIZE * begin(entry) + FIRST_BIT);
        }
    }

    public boolean isRotten()
    {
        return !flips.isEmpty() || entries.stream().anyMatch(Entry::isRotten);
    }

    /** Number of the record that follows a position, counted from the first there ever was; -1 if none begins there. */
    public int indexAfter(final long from)
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
    public Entry entry(final int index)
    {
        return index < purged || index >= purged + entries.size() ? null : entries.get(index - purged);
    }

    /** How many were recorded since the first there ever was. */
    public int recordedIndex()
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
            case ClockSummedDecoder.TEMPLATE_ID ->
            {
                for (final ClockSummedDecoder.ContributionsDecoder contribution :
                    new ClockSummedDecoder().wrapAndApplyHeader(bytes, 0, new MessageHeaderDecoder()).contributions())
                {
                    count(contribution.slot(), contribution.sequence(), sequences);
                }
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
