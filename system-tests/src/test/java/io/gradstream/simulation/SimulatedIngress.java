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

import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.wire.ClockDoneDecoder;
import io.gradstream.codecs.wire.HelloDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PushDecoder;
import io.gradstream.codecs.wire.RefusedEncoder;
import io.gradstream.codecs.wire.WelcomeEncoder;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.Outcome;
import io.gradstream.server.partition.PartHeader;
import io.gradstream.server.partition.Partition;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/**
 * Decodes what workers send to one process of a node, asks its partitions, and answers whoever asked, if it can still
 * be reached. Which process holds a slot it leaves to the partition.
 */
final class SimulatedIngress
{
    private final World world;
    private final Cluster cluster;
    private final int nodeId;
    private final HostedPartition[] hosted;
    private final PlantedFault planted;
    private final boolean[][] isAttached;
    private final long[][] helloIds;
    /** The planted fault of a takeover that only memory knows of. */
    private final long[][] fenced;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final HelloDecoder hello = new HelloDecoder();
    private final PushDecoder push = new PushDecoder();
    private final ClockDoneDecoder clockDone = new ClockDoneDecoder();
    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final RefusedEncoder refusedEncoder = new RefusedEncoder();
    private final WelcomeEncoder welcomeEncoder = new WelcomeEncoder();
    private final UnsafeBuffer answer = new UnsafeBuffer(new byte[128]);
    private final PartHeader part = new PartHeader();
    private final Sections sections = new Sections();
    private int client;
    private long incarnation;
    private boolean hasAnswerStream;

    SimulatedIngress(final World world, final Cluster cluster, final int nodeId, final HostedPartition[] hosted)
    {
        this.world = world;
        this.cluster = cluster;
        this.nodeId = nodeId;
        this.hosted = hosted;
        planted = world.planted;
        isAttached = new boolean[Shape.CLIENTS][hosted.length];
        helloIds = new long[Shape.CLIENTS][hosted.length];
        fenced = new long[Shape.SLOTS][hosted.length];
    }

    boolean isAttached(final int client, final int partition)
    {
        return isAttached[client][partition];
    }

    void detach(final int client)
    {
        java.util.Arrays.fill(isAttached[client], false);
        java.util.Arrays.fill(helloIds[client], 0);
    }

    boolean onMessage(final int from, final DirectBuffer buffer)
    {
        header.wrap(buffer, 0);
        client = from;
        final int slot = from / Shape.SEATS;
        incarnation = incarnationOf(buffer);
        final WorkerLink link = cluster.link(client, nodeId);
        hasAnswerStream = link.isUp() && incarnation == link.incarnation();
        return switch (header.templateId())
        {
            case HelloDecoder.TEMPLATE_ID -> onHello(slot, hello.wrapAndApplyHeader(buffer, 0, header));
            case PushDecoder.TEMPLATE_ID ->
                onPush(slot, push.wrapAndApplyHeader(buffer, 0, header), buffer, buffer.capacity());
            case ClockDoneDecoder.TEMPLATE_ID ->
                onClockDone(slot, clockDone.wrapAndApplyHeader(buffer, 0, header));
            default -> throw new IllegalStateException("templateId=" + header.templateId());
        };
    }

    private long incarnationOf(final DirectBuffer buffer)
    {
        return switch (header.templateId())
        {
            case HelloDecoder.TEMPLATE_ID -> hello.wrapAndApplyHeader(buffer, 0, header).incarnation();
            case PushDecoder.TEMPLATE_ID -> push.wrapAndApplyHeader(buffer, 0, header).incarnation();
            default -> clockDone.wrapAndApplyHeader(buffer, 0, header).incarnation();
        };
    }

    private boolean onHello(final int slot, final HelloDecoder message)
    {
        final int number = message.partition();
        final HostedPartition host = hosted[number];
        final Refusal refusal = null == host ? Refusal.NOT_PRIMARY : judge(host, slot, message);
        if (null != host && host.mayAnswer() && 0 == message.oldestKept())
        {
            cluster.checker().onKnown(nodeId, host, slot);
        }
        if (Refusal.NONE != refusal)
        {
            return refuse(slot, number, 0, message.helloId(), refusal);
        }
        if (!hasAnswerStream)
        {
            // who asked is dead, and its successor must not take the answer for its own
            return true;
        }
        final Partition partition = host.partition();
        if (0 == message.oldestKept())
        {
            cluster.checker().onWelcome(nodeId, host, slot);
        }
        welcomeEncoder.wrapAndApplyHeader(answer, 0, headerEncoder)
            .epoch(partition.epoch())
            .lastSequence(partition.lastSequence(slot))
            .position(partition.cursor().position())
            .partition(number)
            .slot(slot)
            .incarnation(incarnation)
            .helloId(message.helloId())
            .lastIncarnation(host.lastIncarnation(slot));
        if (!cluster.link(client, nodeId).offerToWorker(
            answer, 0, MessageHeaderEncoder.ENCODED_LENGTH + welcomeEncoder.encodedLength()))
        {
            return false;
        }
        isAttached[client][number] = true;
        // a hello of an earlier connection may come later than that of this one
        helloIds[client][number] = Math.max(helloIds[client][number], message.helloId());
        world.journal.note("node-" + nodeId + "/" + number, "welcomes slot", slot, "behind",
            partition.lastSequence(slot));

        return true;
    }

    private Refusal judge(final HostedPartition host, final int slot, final HelloDecoder message)
    {
        final int number = host.number();
        if (PlantedFault.TAKEOVER_NOT_LOGGED == planted && host.isPrimary())
        {
            if (incarnation < fenced[slot][number])
            {
                return Refusal.FENCED;
            }
            fenced[slot][number] = incarnation;
            return host.onHello(slot, Math.min(incarnation, holder(host, slot)), oldestKept(message), message.clock());
        }
        final Refusal refusal = host.onHello(slot, incarnation, oldestKept(message), message.clock());
        final Partition partition = host.partition();
        final boolean isAllSafeButTheTakeover = host.mayAnswer() && holder(host, slot) == incarnation &&
            partition.recordedSequence(slot) == partition.lastSequence(slot) &&
            partition.replicatedSequence(slot) == partition.lastSequence(slot);

        return PlantedFault.WELCOME_BEFORE_TAKEOVER_IS_SAFE == planted && Refusal.BUSY == refusal &&
            isAllSafeButTheTakeover ? Refusal.NONE : refusal;
    }

    private static long holder(final HostedPartition host, final int slot)
    {
        return slot == host.contents().nextSlot(slot) ? host.contents().incarnation(slot) : Long.MIN_VALUE;
    }

    private long oldestKept(final HelloDecoder message)
    {
        return PlantedFault.WELCOME_AT_UNRECORDED == planted ? 1 : message.oldestKept();
    }

    private boolean onPush(final int slot, final PushDecoder message, final DirectBuffer buffer, final int length)
    {
        final int number = message.partition();
        final HostedPartition host = hosted[number];
        if (null == host || incarnation < fenced[slot][number])
        {
            return refusePart(slot, number, message.sequence(), null == host ? Refusal.NOT_PRIMARY : Refusal.FENCED);
        }
        final int offset = MessageHeaderDecoder.ENCODED_LENGTH + PushDecoder.BLOCK_LENGTH;
        final long sequence = message.sequence();
        part.set(slot, holderAdmitted(host, slot), message.epoch(), sequence(host, slot, sequence),
            message.floor(), message.clock());
        final UnsafeBuffer content = new UnsafeBuffer(new byte[length - offset]);
        content.putBytes(0, buffer, offset, length - offset);
        final boolean isFickle = sections.wrap(content, 0, content.capacity()).next() &&
            content.getFloat(sections.valuesOffset(), ByteOrder.LITTLE_ENDIAN) < 0;
        final boolean isRefused =
            isFickle && 0 == (PartitionFunction.mix(host.partition().epoch() * 31 + sequence) & 1);
        if (isRefused)
        {
            content.putFloat(sections.valuesOffset(), Float.NaN, ByteOrder.LITTLE_ENDIAN);
        }
        final long before = host.partition().lastSequence(slot);
        try
        {
            return answer(slot, host, sequence, host.onPush(part, sections, content, 0, content.capacity()));
        }
        finally
        {
            // also where the node dies while it commits: the record is in its log then
            if (isFickle && host.partition().lastSequence(slot) > before)
            {
                cluster.checker().onDecided(host, slot, sequence, isRefused);
            }
        }
    }

    private boolean onClockDone(final int slot, final ClockDoneDecoder message)
    {
        final int number = message.partition();
        final HostedPartition host = hosted[number];
        if (null == host || incarnation < fenced[slot][number])
        {
            return refusePart(slot, number, message.sequence(), null == host ? Refusal.NOT_PRIMARY : Refusal.FENCED);
        }
        part.set(
            slot, holderAdmitted(host, slot), message.epoch(), message.sequence(), message.floor(), message.clock());

        return answer(slot, host, message.sequence(), host.partition().onClockDone(part));
    }

    private boolean answer(final int slot, final HostedPartition host, final long sequence, final Outcome outcome)
    {
        return switch (outcome)
        {
            case APPENDED -> true;
            case DUPLICATE ->
            {
                isAttached[client][host.number()] |= hasAnswerStream;
                yield true;
            }
            case REFUSED -> refusePart(slot, host.number(), sequence, host.partition().refusal());
            case NOT_NOW -> false;
        };
    }

    private long holderAdmitted(final HostedPartition host, final int slot)
    {
        return PlantedFault.OLD_INCARNATION_ADMITTED == planted ?
            Math.max(incarnation, holder(host, slot)) : incarnation;
    }

    private long sequence(final HostedPartition host, final int slot, final long sequence)
    {
        final long last = host.partition().lastSequence(slot);
        return PlantedFault.DUPLICATE_ADMITTED == planted && sequence <= last ? last + 1 : sequence;
    }

    private boolean refusePart(final int slot, final int number, final long sequence, final Refusal refusal)
    {
        return refuse(slot, number, sequence, helloIds[client][number], refusal);
    }

    private boolean refuse(
        final int slot, final int number, final long sequence, final long helloId, final Refusal refusal)
    {
        if (!hasAnswerStream)
        {
            return true;
        }
        final Partition partition = null == hosted[number] ? null : hosted[number].partition();
        refusedEncoder.wrapAndApplyHeader(answer, 0, headerEncoder)
            .epoch(null == partition ? 0 : partition.epoch())
            .requestId(0)
            .sequence(sequence)
            .expected(null == partition ? 0 : partition.lastSequence(slot) + 1)
            .partition(number)
            .code((short)refusal.code())
            .incarnation(incarnation)
            .helloId(helloId);
        // if there is no room the worker finds out by its stall time
        cluster.link(client, nodeId).offerToWorker(
            answer, 0, MessageHeaderEncoder.ENCODED_LENGTH + refusedEncoder.encodedLength());

        return true;
    }
}
