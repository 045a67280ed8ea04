// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.wire.ClockDoneDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.PullDecoder;
import io.gradstream.codecs.wire.RowsDecoder;
import io.gradstream.codecs.wire.WatermarksDecoder;
import io.gradstream.codecs.wire.WelcomeDecoder;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.World;
import io.gradstream.worker.client.Client;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.PartitionSession;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Commits the planted faults of a process that goes through iterations: what it says of clocks and of parts that it
 * adopts, and what it believes of a slot.
 */
final class PlantedTableFaults
{
    private final World world;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ClockDoneDecoder clockDone = new ClockDoneDecoder();
    private final PullDecoder pull = new PullDecoder();
    private final WelcomeDecoder welcome = new WelcomeDecoder();
    private final RowsDecoder rows = new RowsDecoder();
    private final WatermarksDecoder watermarks = new WatermarksDecoder();
    /** By partition the last part that a primary has said it holds. */
    private final long[] held;

    PlantedTableFaults(final World world)
    {
        this.world = world;
        held = new long[world.config().partitions()];
    }

    /** Returns what is sent in place of a request. */
    UnsafeBuffer request(final UnsafeBuffer message)
    {
        final int kind = header.wrap(message, 0).templateId();
        if (!world.config().isOfIterations() ||
            ClockDoneDecoder.TEMPLATE_ID != kind && PullDecoder.TEMPLATE_ID != kind)
        {
            return message;
        }
        final UnsafeBuffer said = new UnsafeBuffer(new byte[message.capacity()]);
        said.putBytes(0, message, 0, message.capacity());
        if (PullDecoder.TEMPLATE_ID == kind)
        {
            final long clock = pull.wrapAndApplyHeader(said, 0, header).clock();
            final int by = world.isPlanted(PlantedFault.PULL_BEHIND_ITS_CLOCK) ? -1 :
                world.isPlanted(PlantedFault.PULL_AHEAD_OF_ITS_CLOCK) ? 1 : 0;
            putLong(said, PullDecoder.clockEncodingOffset(), Math.max(0, clock + by));
        }
        else
        {
            clockDone.wrapAndApplyHeader(said, 0, header);
            putLong(said, ClockDoneDecoder.clockEncodingOffset(), clock(clockDone.clock()));
            putLong(said, ClockDoneDecoder.adoptedEncodingOffset(), adopted(clockDone.adopted()));
        }

        return said;
    }

    private long clock(final long clock)
    {
        final int count = world.config().iterations().count();
        if (Consistency.FINISHED == clock)
        {
            return world.isPlanted(PlantedFault.FINISH_TOLD_AS_A_CLOCK) ? count + 1 : clock;
        }

        return world.isPlanted(PlantedFault.CLOCK_TOLD_BEHIND) ? Math.max(1, clock - 1) :
            world.isPlanted(PlantedFault.CLOCK_TOLD_AHEAD) ? clock + 1 :
            world.isPlanted(PlantedFault.LAST_CLOCK_TOLD_AS_FINISH) && count == clock ? Consistency.FINISHED : clock;
    }

    private long adopted(final long adopted)
    {
        return world.isPlanted(PlantedFault.ADOPTED_NOT_NAMED) ? 0 :
            world.isPlanted(PlantedFault.ADOPTED_TOO_FEW) ? Math.max(0, adopted - 1) : adopted;
    }

    /** A process is about to ask behind which iterations of its slot it goes on. */
    void beforeSkip(final Client client)
    {
        for (int i = 0; world.isPlanted(PlantedFault.SKIPS_BEHIND_APPLIED) && i < client.partitions(); i++)
        {
            final PartitionSession session = client.session(i);
            final long applied = session.watermarks().of(AckLevel.APPLIED);
            session.onWatermarks(session.epoch(), applied, applied, applied, applied, world.events().nowNs());
        }
    }

    /** A message is about to reach the client. */
    void beforeAnswer(final UnsafeBuffer message, final Client client)
    {
        switch (world.config().isOfIterations() ? header.wrap(message, 0).templateId() : 0)
        {
            case WelcomeDecoder.TEMPLATE_ID -> onWelcome(message, client);
            case WatermarksDecoder.TEMPLATE_ID -> onWatermarks(message, client);
            case RowsDecoder.TEMPLATE_ID -> onRows(message, client);
            default ->
            {
                // nothing is planted there
            }
        }
    }

    /** A session has taken a welcome. */
    void afterWelcome(final PartitionSession session)
    {
        final long before = held[session.partition()];
        if (world.isPlanted(PlantedFault.HELD_OF_OLDER_PRIMARY_BELIEVED) && before > 0)
        {
            session.onHeld(session.epoch(), before, world.events().nowNs());
        }
    }

    private void onWelcome(final UnsafeBuffer message, final Client client)
    {
        welcome.wrapAndApplyHeader(message, 0, header);
        final PartitionSession session = client.session(welcome.partition());
        if (world.isPlanted(PlantedFault.ACKNOWLEDGED_PART_NOT_WELCOMED) && session.epoch() >= 0 &&
            session.acknowledgedThrough() > session.heldBefore().sequence())
        {
            putLong(message, WelcomeDecoder.lastSequenceEncodingOffset(), session.acknowledgedThrough() - 1);
            putLong(message, WelcomeDecoder.heldEncodingOffset(), session.acknowledgedThrough() - 1);
        }
        final long clock = welcome.clock();
        if (world.isPlanted(PlantedFault.WELCOME_CLOCK_BEHIND) && clock > 0 && Consistency.FINISHED != clock)
        {
            putLong(message, WelcomeDecoder.clockEncodingOffset(), clock - 1);
        }
        if (world.isPlanted(PlantedFault.WELCOME_CLOCK_AHEAD) && clock > 0 && Consistency.FINISHED != clock)
        {
            putLong(message, WelcomeDecoder.clockEncodingOffset(), clock + 1);
        }
        if (world.isPlanted(PlantedFault.HELD_PARTS_FORGOTTEN))
        {
            putLong(message, WelcomeDecoder.heldEncodingOffset(), welcome.lastSequence());
        }
        if (world.isPlanted(PlantedFault.BACKED_UP_BEGINS_BEHIND_ALL))
        {
            putLong(message, WelcomeDecoder.safeEncodingOffset(), welcome.lastSequence());
        }
        if (world.isPlanted(PlantedFault.SEQUENTIAL_NOT_TOLD))
        {
            putByte(message, WelcomeDecoder.sequentialEncodingOffset());
        }
        if (world.isPlanted(PlantedFault.LACK_NOT_TOLD))
        {
            putByte(message, WelcomeDecoder.mayLackEncodingOffset());
        }
    }

    private void onRows(final UnsafeBuffer message, final Client client)
    {
        rows.wrapAndApplyHeader(message, 0, header);
        if (world.isPlanted(PlantedFault.OVERTAKEN_NOT_SEEN))
        {
            putLong(message, RowsDecoder.slotClockEncodingOffset(),
                Math.min(rows.slotClock(), client.iteration().done()));
        }
        if (world.isPlanted(PlantedFault.CACHED_ROW_KEPT_TOO_LONG) && Consistency.FINISHED != rows.minClock())
        {
            putLong(message, RowsDecoder.minClockEncodingOffset(), rows.minClock() + 1);
        }
        onFinish(message);
    }

    private void onFinish(final UnsafeBuffer message)
    {
        if (world.isPlanted(PlantedFault.FINISH_NOT_SEEN_IN_ROWS) && Consistency.FINISHED == rows.slotClock())
        {
            putLong(message, RowsDecoder.slotClockEncodingOffset(), 0);
        }
    }

    private void onWatermarks(final UnsafeBuffer message, final Client client)
    {
        watermarks.wrapAndApplyHeader(message, 0, header);
        final WatermarksDecoder.PartitionsDecoder entries = watermarks.partitions();
        while (entries.hasNext())
        {
            final int offset = watermarks.limit();
            final PartitionSession session = client.session(entries.next().partition());
            held[session.partition()] = entries.held();
            if (world.isPlanted(PlantedFault.SENT_TAKEN_FOR_HELD))
            {
                message.putLong(offset + WatermarksDecoder.PartitionsDecoder.heldEncodingOffset(),
                    session.lastSequence(), MessageHeaderDecoder.BYTE_ORDER);
            }
            if (world.isPlanted(PlantedFault.HELD_TAKEN_FOR_APPLIED))
            {
                message.putLong(offset + WatermarksDecoder.PartitionsDecoder.appliedEncodingOffset(),
                    Math.max(entries.applied(), entries.held()), MessageHeaderDecoder.BYTE_ORDER);
            }
        }
    }

    private static void putLong(final UnsafeBuffer message, final int fieldOffset, final long value)
    {
        message.putLong(
            MessageHeaderDecoder.ENCODED_LENGTH + fieldOffset, value, MessageHeaderDecoder.BYTE_ORDER);
    }

    private static void putByte(final UnsafeBuffer message, final int fieldOffset)
    {
        message.putByte(MessageHeaderDecoder.ENCODED_LENGTH + fieldOffset, (byte)0);
    }
}
