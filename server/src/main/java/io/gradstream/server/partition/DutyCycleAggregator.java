// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Sections;
import org.agrona.collections.IntArrayList;

/**
 * Adds up the pushes of slots to one partition in one duty cycle, in order of arrival, where the staleness bound is not
 * 0. One sum goes into the log instead of each part. Nothing of it is in the state, or acknowledged, before the last
 * record of the sum is applied: a failover forgets it, and workers send it again.
 * <p>
 * It is empty at the end of a duty cycle unless the log had no room; it then takes no part until the log has room. Only
 * a primary gathers anything, and only while {@link IterationAggregator} holds nothing.
 */
final class DutyCycleAggregator
{
    /** Most records of a sum that are appended in one go. */
    static final int MAX_RECORDS = IterationAggregator.MAX_RECORDS;
    /** Most parts and ends of clocks in one sum: fewer than a slot may have that are not recorded. */
    static final int MAX_ENTRIES = BufferedUpdates.MAX_ENTRIES;

    /** A slot that has sent something in this cycle; reused. */
    private static final class Contributor
    {
        private long sequence;
        private long acknowledgedThrough;
        private long incarnation;
        private long clock;
    }

    private final PartitionState state;
    private final RowCopies copies;
    private final AggregatedGradient sum;
    private final Contributor[] contributors = new Contributor[PartitionState.MAX_SLOTS];
    /** Slots that have sent something in this cycle, in the order of their first part. */
    private final IntArrayList slots = new IntArrayList();
    /** Most bytes that one sum counts for; 0 where nothing is added up. */
    private long maxBytes;
    private int entries;
    /** True if it takes nothing more until all of it is in the log. */
    private boolean isComplete;

    DutyCycleAggregator(final PartitionState state, final RowCopies copies)
    {
        this.state = state;
        this.copies = copies;
        sum = new AggregatedGradient(state);
    }

    /**
     * Add up from now on.
     *
     * @param newMaxBytes that a sum may count for, as held parts do.
     */
    void turnOn(final long newMaxBytes)
    {
        maxBytes = newMaxBytes;
    }

    boolean isOn()
    {
        return maxBytes > 0;
    }

    /** Forget everything: a new epoch begins, or the state is replaced. */
    void clear()
    {
        for (int i = 0; i < slots.size(); i++)
        {
            contributors[slots.getInt(i)].sequence = 0;
        }
        slots.clear();
        sum.clear();
        entries = 0;
        isComplete = false;
    }

    /** True if something was taken that is not in the log yet. */
    boolean isPending()
    {
        return !slots.isEmpty();
    }

    /** Last sequence of a slot that was taken and is not in the log yet, 0 if none. */
    long lastSequence(final int slot)
    {
        return null == contributors[slot] ? 0 : contributors[slot].sequence;
    }

    /**
     * Add a part that was found right. If the part does not fit as well, the parts gathered before are logged first.
     *
     * @param rowBytes of the rows that it changes, for the snapshot under way.
     * @return false if there is no room now; then the part was not taken.
     */
    boolean addPart(
        final PushPartHeader part, final Sections sections, final long rowBytes, final RecordWriter writer)
    {
        final boolean isFitting = !hasEnded(part.slot) && copies.hasRoomFor(sum.rowBytes() + rowBytes) &&
            sum.heldBytes() + heldBytes(sections) <= limit(writer);
        if (!makeRoom(isFitting, writer) || !copies.hasRoomFor(rowBytes))
        {
            return false;
        }
        sections.rewind();
        sum.add(sections);
        sections.rewind();
        while (sections.next())
        {
            state.table(sections.tableId()).holdRows(sections);
        }
        contribute(part);

        return true;
    }

    /** Record that a part is refused for its content, as {@link #addPart}. */
    boolean addRefused(final PushPartHeader part, final Refusal refusal, final RecordWriter writer)
    {
        if (!makeRoom(!hasEnded(part.slot), writer))
        {
            return false;
        }
        sum.addRefused(part.slot, part.sequence, refusal.code());
        contribute(part);

        return true;
    }

    /** Take the end of a clock, as {@link #addPart}: it counts with what the slot pushed before, and not earlier. */
    boolean addClock(final PushPartHeader part, final RecordWriter writer)
    {
        if (!makeRoom(!hasEnded(part.slot), writer))
        {
            return false;
        }
        final Contributor contributor = contribute(part);
        contributor.clock = Math.max(contributor.clock, part.clock);

        return true;
    }

    /**
     * True if a slot has ended an iteration in this sum. The next push of the slot belongs to another iteration and so
     * to another sum: there is then a state in which the slot has ended the one and not begun the next.
     */
    private boolean hasEnded(final int slot)
    {
        return lastSequence(slot) > 0 && contributors[slot].clock > 0;
    }

    private boolean makeRoom(final boolean isFitting, final RecordWriter writer)
    {
        if (isPending() && !(isFitting && entries < MAX_ENTRIES && !isComplete))
        {
            append(writer);
            return !isPending();
        }

        return true;
    }

    /** No more than is appended in one go, so that parts do not wait for it. */
    private long limit(final RecordWriter writer)
    {
        return Math.min(maxBytes, (long)MAX_RECORDS * writer.appender().log().maxRecordLength());
    }

    private long heldBytes(final Sections sections)
    {
        long bytes = 0;
        sections.rewind();
        while (sections.next())
        {
            bytes += AggregatedGradient.heldBytes(state.table(sections.tableId()), sections.rowCount());
        }

        return bytes;
    }

    private Contributor contribute(final PushPartHeader part)
    {
        if (null == contributors[part.slot])
        {
            contributors[part.slot] = new Contributor();
        }
        final Contributor contributor = contributors[part.slot];
        if (0 == contributor.sequence)
        {
            slots.addInt(part.slot);
            contributor.clock = 0;
        }
        contributor.sequence = part.sequence;
        contributor.acknowledgedThrough = part.acknowledgedThrough;
        contributor.incarnation = part.incarnation;
        entries++;

        return contributor;
    }

    /**
     * The cycle ends: append the parts gathered. Those that find no room come in a later cycle.
     *
     * @return records that were appended.
     */
    int append(final RecordWriter writer)
    {
        if (!isPending() || !copies.hasRoomFor(sum.rowBytes()) || !isComplete && !writer.appendRateFactors())
        {
            return 0;
        }
        complete();
        int records = 0;
        while (sum.isPending() && records < MAX_RECORDS && sum.append(writer.appender()))
        {
            records++;
        }
        if (!sum.isPending())
        {
            clear();
            for (int i = 0; i < state.tables().size(); i++)
            {
                state.tables().get(i).releaseRows();
            }
        }

        return records;
    }

    private void complete()
    {
        if (!isComplete)
        {
            for (int i = 0; i < slots.size(); i++)
            {
                final Contributor from = contributors[slots.getInt(i)];
                sum.contribute(
                    slots.getInt(i), from.sequence, from.acknowledgedThrough, from.incarnation, from.clock);
            }
            sum.complete();
            isComplete = true;
        }
    }
}
