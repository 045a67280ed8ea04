// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Sections;

/**
 * Adds up the pushes of slots to one partition in one duty cycle, in order of arrival, where the staleness bound is not
 * 0. One sum goes into the log instead of each part. Nothing of it is in the state, or acknowledged, before the last
 * record of the sum is applied: a failover forgets it, and workers send it again.
 * <p>
 * It is empty at the end of a duty cycle unless the log had no room; it then takes no part until the log has room. Only
 * a primary gathers anything, and only while {@link IterationAggregator} holds nothing.
 */
final class DutyCycleAggregator implements PushGate
{
    /** Most parts and ends of clocks in one sum: fewer than a slot may have that are not recorded. */
    static final int MAX_ENTRIES = BufferedUpdates.MAX_ENTRIES;

    private final PartitionState state;
    private final CopyOnWriteRows copies;
    private final AggregatedGradient sum;
    /** Most bytes that one sum counts for; 0 where nothing is added up. */
    private long maxBytes;
    private int entries;

    DutyCycleAggregator(final PartitionState state, final CopyOnWriteRows copies)
    {
        this.state = state;
        this.copies = copies;
        sum = new AggregatedGradient(state);
    }

    /** Add up from now on, to sums that may count for so many bytes, as held parts do. */
    void turnOn(final long newMaxBytes)
    {
        maxBytes = newMaxBytes;
    }

    boolean isOn()
    {
        return maxBytes > 0;
    }

    /** Forget everything: the sum is in the log, a new epoch begins, or the state is replaced. */
    void clear()
    {
        sum.clear();
        entries = 0;
        state.releaseRows();
    }

    @Override
    public boolean isCycleOpen()
    {
        return sum.isPending();
    }

    @Override
    public long lastTaken(final int slot)
    {
        return Math.max(state.lastSequence(slot), sum.lastSequence(slot));
    }

    /** Add a part. If it does not fit as well, the parts gathered before are logged first. */
    @Override
    public Outcome onPart(final PushPartHeader part, final Sections sections, final RecordWriter writer)
    {
        final long rowBytes = state.rowBytes(sections);
        final boolean isFitting = !hasEnded(part.slot) && copies.hasRoomFor(sum.rowBytes() + rowBytes) &&
            sum.heldBytes() + heldBytes(sections) <= limit(writer);
        if (!makeRoom(isFitting, writer) || !copies.hasRoomFor(rowBytes))
        {
            return Outcome.NOT_NOW;
        }
        sum.add(sections.rewind());
        state.holdRows(sections);

        return contribute(part, 0);
    }

    @Override
    public Outcome onRefused(final PushPartHeader part, final Refusal why, final RecordWriter writer)
    {
        if (!makeRoom(!hasEnded(part.slot), writer))
        {
            return Outcome.NOT_NOW;
        }
        sum.addRefused(part.slot, part.sequence, why.code());

        return contribute(part, 0);
    }

    /** Take the end of an iteration: it counts with what the slot pushed before, and not earlier. */
    @Override
    public Outcome onClock(final PushPartHeader part, final RecordWriter writer)
    {
        return makeRoom(!hasEnded(part.slot), writer) ? contribute(part, part.clock) : Outcome.NOT_NOW;
    }

    /**
     * True if a slot has ended an iteration in this sum. The next push of the slot belongs to another iteration and so
     * to another sum: there is then a state in which the slot has ended the one and not begun the next.
     */
    private boolean hasEnded(final int slot)
    {
        return sum.clock(slot) > 0;
    }

    private boolean makeRoom(final boolean isFitting, final RecordWriter writer)
    {
        if (sum.isPending() && !(isFitting && entries < MAX_ENTRIES && !sum.isComplete()))
        {
            endCycle(writer);
            return !sum.isPending();
        }

        return true;
    }

    /** No more than is appended in one go, so that parts do not wait for it. */
    private long limit(final RecordWriter writer)
    {
        return Math.min(maxBytes, (long)AggregatedGradient.MAX_RECORDS * writer.appender().log().maxRecordLength());
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

    private Outcome contribute(final PushPartHeader part, final long clock)
    {
        sum.contribute(part.slot, part.sequence, part.acknowledgedThrough, part.incarnation, clock);
        entries++;

        return Outcome.APPENDED;
    }

    /** Log the sum. A sum that finds no room comes in a later cycle. */
    @Override
    public int endCycle(final RecordWriter writer)
    {
        if (!sum.isPending() || !copies.hasRoomFor(sum.rowBytes()) ||
            !sum.isComplete() && !writer.appendRateFactors())
        {
            return 0;
        }
        sum.complete();
        final int records = sum.append(writer.appender());
        if (!sum.isPending())
        {
            clear();
        }

        return records;
    }
}
