// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.coordinator;

import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.SnapshotSlotDecoder;
import io.gradstream.codecs.coordinator.SnapshotWorkDecoder;
import io.gradstream.codecs.coordinator.SnapshotWorkEncoder;
import io.gradstream.codecs.coordinator.WorkReportDecoder;
import io.gradstream.coordinator.client.WorkCodec;
import io.gradstream.coordinator.client.WorkReport;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.World;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/** The planted faults of slots and of work, where they can be made of what the coordinators are told and know. */
final class PlantedSlotFaults
{
    private final World world;
    private final WorkCodec works = new WorkCodec();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private SlotChecks slots;

    PlantedSlotFaults(final World world)
    {
        this.world = world;
    }

    /** Sets the knowledge of slots that a mistake may need. */
    void slots(final SlotChecks newSlots)
    {
        slots = newSlots;
    }

    /** Returns what is left of a client's message. */
    UnsafeBuffer command(final UnsafeBuffer message)
    {
        if (!is(message, WorkReportDecoder.TEMPLATE_ID))
        {
            return message;
        }
        final WorkReport said = works.decodeReport(message, 0);
        final boolean isAdoption = said.isLeaving() && slots.isTakeover(said.slot(), said.incarnation());
        if (isAdoption && world.isPlanted(PlantedFault.ADOPTED_CLOCK_NOT_READ))
        {
            final long clock = slots.floorClock(said.slot());
            return with(message, said, new WorkReport.Found(said.found().predecessor(), clock, clock), clock, clock);
        }
        if (isAdoption && world.isPlanted(PlantedFault.BEGUN_BATCH_GIVEN_AGAIN))
        {
            final long begin = Math.max(0, said.found().beginClock() - 1);
            return with(message, said, new WorkReport.Found(said.found().predecessor(),
                Math.min(begin, said.found().wholeClock()), begin), said.clock(), said.ackedClock());
        }

        return message;
    }

    /** Returns what a member takes of a message. */
    UnsafeBuffer taken(final UnsafeBuffer message)
    {
        if (!world.isPlanted(PlantedFault.DONE_COUNTED_TWICE) || !is(message, WorkReportDecoder.TEMPLATE_ID))
        {
            return message;
        }
        final WorkReport said = works.decodeReport(message, 0);

        return with(message, said, said.found(), said.clock(), Math.min(said.clock(), said.ackedClock() + 1));
    }

    private UnsafeBuffer with(
        final UnsafeBuffer message,
        final WorkReport said,
        final WorkReport.Found found,
        final long clock,
        final long ackedClock)
    {
        final WorkReportDecoder decoder = new WorkReportDecoder().wrapAndApplyHeader(message, 0, header);
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final int length = works.encode(decoder.clusterId(), decoder.jobId(), new WorkReport(said.slot(),
            said.incarnation(), said.spec(), found, clock, ackedClock, said.wanted(), said.isLeaving(),
            said.isFinishing()), buffer);

        return CoordinatorEntry.copy(buffer, 0, length);
    }

    /** Returns what a member reads of a message of its snapshot. */
    UnsafeBuffer snapshotMessage(final UnsafeBuffer message)
    {
        return world.isPlanted(PlantedFault.SNAPSHOT_LOSES_WHO_HOLDS_SLOTS) &&
            is(message, SnapshotSlotDecoder.TEMPLATE_ID) ? withFlag(message) : message;
    }

    /** True if a member goes on with a state in which a mistake was made, after an entry of a kind. */
    boolean isStateChanged(final CoordinatorEntry.Kind kind)
    {
        return switch (world.planted())
        {
            case LEASES_END_WITH_THEIR_LEADER, LEADER_FORGETS_WHO_HOLDS_SLOTS -> CoordinatorEntry.Kind.TERM == kind;
            case LEFT_BATCHES_DROPPED -> CoordinatorEntry.Kind.MESSAGE == kind;
            default -> false;
        };
    }

    /** True if a message of a member's snapshot shows that a work has begun. */
    boolean isReady(final UnsafeBuffer message)
    {
        return is(message, SnapshotWorkDecoder.TEMPLATE_ID);
    }

    /** Returns what a member that makes such a mistake knows in place of a message of its snapshot. */
    UnsafeBuffer changedState(final UnsafeBuffer message)
    {
        if (is(message, SnapshotSlotDecoder.TEMPLATE_ID))
        {
            return switch (world.planted())
            {
                case LEASES_END_WITH_THEIR_LEADER -> withLong(message, SnapshotSlotDecoder.heardMsEncodingOffset(), 1);
                case LEADER_FORGETS_WHO_HOLDS_SLOTS -> withFlag(message);
                default -> message;
            };
        }

        return world.isPlanted(PlantedFault.LEFT_BATCHES_DROPPED) && is(message, SnapshotWorkDecoder.TEMPLATE_ID) ?
            withoutAgain(message) : message;
    }

    private static UnsafeBuffer withFlag(final UnsafeBuffer message)
    {
        final UnsafeBuffer copy = CoordinatorEntry.copy(message, 0, message.capacity());
        copy.putByte(MessageHeaderDecoder.ENCODED_LENGTH + SnapshotSlotDecoder.isHeldEncodingOffset(), (byte)0);

        return copy;
    }

    private static UnsafeBuffer withLong(final UnsafeBuffer message, final int offset, final long value)
    {
        final UnsafeBuffer copy = CoordinatorEntry.copy(message, 0, message.capacity());
        copy.putLong(MessageHeaderDecoder.ENCODED_LENGTH + offset, value, ByteOrder.LITTLE_ENDIAN);

        return copy;
    }

    private UnsafeBuffer withoutAgain(final UnsafeBuffer message)
    {
        final SnapshotWorkDecoder from = new SnapshotWorkDecoder().wrapAndApplyHeader(message, 0, header);
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final SnapshotWorkEncoder to = new SnapshotWorkEncoder();
        to.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        WorkCodec.encode(WorkCodec.decode(from.work()), to.work());
        final long before = from.batchesDropped();
        to.next(from.next()).batchesDone(from.batchesDone()).unitsReissued(from.unitsReissued())
            .slotsAdopted(from.slotsAdopted()).batchesLeftOut(from.batchesLeftOut()).endedMs(from.endedMs())
            .replacedId(from.replacedId()).jobId(from.jobId());
        final SnapshotWorkDecoder.DurationsDecoder durations = from.durations();
        final SnapshotWorkEncoder.DurationsEncoder kept = to.durationsCount(durations.count());
        durations.forEach((duration) -> kept.next().batchUs(duration.batchUs()));
        int dropped = 0;
        for (final SnapshotWorkDecoder.AgainDecoder piece : from.again())
        {
            dropped += piece.length();
        }
        to.againCount(0);
        to.batchesDropped(before + dropped);

        return CoordinatorEntry.copy(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + to.encodedLength());
    }

    private boolean is(final UnsafeBuffer message, final int templateId)
    {
        return message.capacity() >= MessageHeaderDecoder.ENCODED_LENGTH && world.config().isOfUnits() &&
            templateId == header.wrap(message, 0).templateId();
    }
}
