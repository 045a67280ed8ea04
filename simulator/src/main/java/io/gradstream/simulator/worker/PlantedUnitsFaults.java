// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.SlotTakenDecoder;
import io.gradstream.codecs.coordinator.WorkDecoder;
import io.gradstream.coordinator.client.CoordinatorChannel;
import io.gradstream.coordinator.client.SlotAnswer;
import io.gradstream.coordinator.client.WorkAnswer;
import io.gradstream.coordinator.client.WorkCodec;
import io.gradstream.coordinator.client.WorkPiece;
import io.gradstream.coordinator.client.WorkReport;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.simulator.coordinator.SimulatedCoordinator;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.node.SimulatedNode;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.World;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Commits the planted faults of a process that shares work. */
final class PlantedUnitsFaults
{
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private final World world;
    private final Cluster cluster;
    private final WorkCodec works = new WorkCodec();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final SlotTakenDecoder slotTaken = new SlotTakenDecoder();
    /** The slot that was given last to a process, and its number; below 0 before. */
    private int lastSlot = -1;
    private long lastIncarnation;

    PlantedUnitsFaults(final World world, final Cluster cluster)
    {
        this.world = world;
        this.cluster = cluster;
    }

    /**
     * Returns what a process takes for a message of the coordinators.
     *
     * @param session by which the message came.
     */
    DirectBuffer told(
        final CoordinatorChannel session, final DirectBuffer buffer, final int offset, final int length)
    {
        final int kind = header.wrap(buffer, offset).templateId();
        if (SlotTakenDecoder.TEMPLATE_ID == kind && world.isPlanted(PlantedFault.SLOT_GIVEN_TO_TWO))
        {
            return slotOfAnother(copy(buffer, offset, length));
        }
        if (WorkDecoder.TEMPLATE_ID != kind)
        {
            return new UnsafeBuffer(buffer, offset, length);
        }
        final WorkAnswer answer = works.decodeAnswer(buffer, offset);
        final WorkAnswer taken = switch (world.planted())
        {
            case GIVEN_AGAIN_UNFENCED -> WorkAnswer.NO_SLOT == answer.adopt() ? answer : unfenced(session, answer);
            case UNIT_BEYOND_ITS_LIST -> beyond(answer);
            case ADOPTED_WITH_OLD_NUMBER -> WorkAnswer.NO_SLOT == answer.adopt() ? answer : adopting(answer,
                answer.adopt(), cluster.coordinator().checks().slots().incarnation(answer.adopt()));
            default -> answer;
        };
        final ExpandableArrayBuffer encoded = new ExpandableArrayBuffer();
        final int encodedLength = works.encode(taken, encoded);

        return new UnsafeBuffer(encoded, 0, encodedLength);
    }

    private UnsafeBuffer slotOfAnother(final UnsafeBuffer message)
    {
        slotTaken.wrapAndApplyHeader(message, 0, header);
        if (lastSlot >= 0 && SlotAnswer.NONE_FREE != slotTaken.slot())
        {
            message.putInt(
                MessageHeaderDecoder.ENCODED_LENGTH + SlotTakenDecoder.slotEncodingOffset(), lastSlot, ORDER);
            message.putLong(MessageHeaderDecoder.ENCODED_LENGTH + SlotTakenDecoder.incarnationEncodingOffset(),
                lastIncarnation, ORDER);
        }
        slotTaken.wrapAndApplyHeader(message, 0, header);
        lastSlot = slotTaken.slot();
        lastIncarnation = slotTaken.incarnation();

        return message;
    }

    /** Says that the slot to be adopted is left at the clock that it has now, and fences nobody. */
    private WorkAnswer unfenced(final CoordinatorChannel session, final WorkAnswer answer)
    {
        long clock = 0;
        for (int partition = 0; partition < world.config().partitions(); partition++)
        {
            final SimulatedNode head = cluster.node(Math.max(0, cluster.coordinator().chain(partition).head()));
            final HostedPartition copy = head.isAlive() ? head.process().hosted(partition) : null;
            final boolean isKnown = null != copy && answer.adopt() == copy.contents().nextSlot(answer.adopt());
            clock = isKnown ? Math.max(clock, copy.contents().clock(answer.adopt()) + 1) : clock;
        }
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final int length = works.encode(SimulatedCoordinator.CLUSTER_ID, ScenarioConfig.JOB_ID,
            new WorkReport(answer.adopt(), answer.adoptIncarnation(), answer.work(), clock, clock, 0, true), buffer);
        session.offer(buffer, 0, length);

        return adopting(answer, WorkAnswer.NO_SLOT, 0);
    }

    private static WorkAnswer adopting(final WorkAnswer answer, final int slot, final long incarnation)
    {
        return new WorkAnswer(answer.slot(), answer.incarnation(), answer.asked(), answer.work(), answer.floorClock(),
            answer.isOver(), answer.isReplaced(), answer.hasLeft(), answer.batchesDone(), slot, incarnation,
            answer.pieces());
    }

    private static WorkAnswer beyond(final WorkAnswer answer)
    {
        final List<WorkPiece> pieces = new ArrayList<>(answer.pieces());
        final long unit = pieces.isEmpty() ? answer.work().units() : pieces.get(pieces.size() - 1).unit() + 1;
        if (unit < answer.work().units())
        {
            pieces.add(new WorkPiece(unit, 0, answer.work().lengthOf(unit)));
        }

        return new WorkAnswer(answer.slot(), answer.incarnation(), answer.asked(), answer.work(), answer.floorClock(),
            answer.isOver(), answer.isReplaced(), answer.hasLeft(), answer.batchesDone(), answer.adopt(),
            answer.adoptIncarnation(), pieces);
    }

    private static UnsafeBuffer copy(final DirectBuffer buffer, final int offset, final int length)
    {
        final UnsafeBuffer copy = new UnsafeBuffer(new byte[length]);
        copy.putBytes(0, buffer, offset, length);

        return copy;
    }
}
