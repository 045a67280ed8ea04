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

/**
 * Decodes what workers send to one process of a node, asks its partitions, and answers. It keeps two rules that the
 * partition leaves to it: parts of an incarnation older than the one that connected last are refused, and an answer
 * goes to the incarnation that asked, or nowhere.
 */
final class SimulatedIngress
{
    private final World world;
    private final Cluster cluster;
    private final int nodeId;
    private final HostedPartition[] hosted;
    private final PlantedFault planted;
    private final long[] incarnations = new long[Shape.SLOTS];
    private final boolean[][] isAttached;
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
    private boolean hasAnswerStream;

    SimulatedIngress(final World world, final Cluster cluster, final int nodeId, final HostedPartition[] hosted)
    {
        this.world = world;
        this.cluster = cluster;
        this.nodeId = nodeId;
        this.hosted = hosted;
        planted = world.planted;
        isAttached = new boolean[Shape.SLOTS][hosted.length];
    }

    boolean isAttached(final int slot, final int partition)
    {
        return isAttached[slot][partition];
    }

    /** A worker's process connects: whatever an older one of its slot has still under way is no more its. */
    void onConnect(final int slot, final long incarnation)
    {
        incarnations[slot] = Math.max(incarnations[slot], incarnation);
    }

    void detach(final int slot)
    {
        java.util.Arrays.fill(isAttached[slot], false);
    }

    boolean onMessage(final int slot, final DirectBuffer buffer)
    {
        header.wrap(buffer, 0);
        hasAnswerStream = incarnationOf(buffer) == cluster.link(slot, nodeId).incarnation() ||
            PlantedFault.ANSWER_TO_SUCCESSOR == planted;
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
        final Refusal refusal = null == host ? Refusal.NOT_PRIMARY :
            isFenced(slot, message.incarnation()) ? Refusal.FENCED :
            host.onHello(slot, message.incarnation(), oldestKept(message), message.clock());
        if (null != host && host.mayAnswer() && 0 == message.oldestKept())
        {
            cluster.checker().onKnown(nodeId, host, slot);
        }
        if (Refusal.NONE != refusal)
        {
            return refuse(slot, number, 0, refusal);
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
            .slot(slot);
        if (!cluster.link(slot, nodeId).offerToWorker(
            answer, 0, MessageHeaderEncoder.ENCODED_LENGTH + welcomeEncoder.encodedLength()))
        {
            return false;
        }
        isAttached[slot][number] = true;
        world.journal.note("node-" + nodeId + "/" + number, "welcomes slot", slot, "behind",
            partition.lastSequence(slot));

        return true;
    }

    private long oldestKept(final HelloDecoder message)
    {
        return PlantedFault.WELCOME_AT_UNRECORDED == planted ? 1 : message.oldestKept();
    }

    private boolean onPush(final int slot, final PushDecoder message, final DirectBuffer buffer, final int length)
    {
        final int number = message.partition();
        final HostedPartition host = hosted[number];
        if (null == host || isFenced(slot, message.incarnation()))
        {
            return refuse(slot, number, message.sequence(), null == host ? Refusal.NOT_PRIMARY : Refusal.FENCED);
        }
        final int offset = MessageHeaderDecoder.ENCODED_LENGTH + PushDecoder.BLOCK_LENGTH;
        part.set(slot, message.incarnation(), message.epoch(), sequence(host, slot, message.sequence()),
            message.floor(), message.clock());

        return answer(slot, host, message.sequence(), !host.hasRoom() ? Outcome.NOT_NOW :
            host.partition().onPush(part, sections, buffer, offset, length - offset));
    }

    private boolean onClockDone(final int slot, final ClockDoneDecoder message)
    {
        final int number = message.partition();
        final HostedPartition host = hosted[number];
        if (null == host || isFenced(slot, message.incarnation()))
        {
            return refuse(slot, number, message.sequence(), null == host ? Refusal.NOT_PRIMARY : Refusal.FENCED);
        }
        part.set(slot, message.incarnation(), message.epoch(), message.sequence(), message.floor(), message.clock());

        return answer(slot, host, message.sequence(), host.partition().onClockDone(part));
    }

    private boolean answer(final int slot, final HostedPartition host, final long sequence, final Outcome outcome)
    {
        return switch (outcome)
        {
            case APPENDED -> true;
            case DUPLICATE ->
            {
                isAttached[slot][host.number()] |= hasAnswerStream;
                yield true;
            }
            case REFUSED -> refuse(slot, host.number(), sequence, host.partition().refusal());
            case NOT_NOW -> false;
        };
    }

    private boolean isFenced(final int slot, final long incarnation)
    {
        return incarnation < incarnations[slot] && PlantedFault.OLD_INCARNATION_ADMITTED != planted;
    }

    private long sequence(final HostedPartition host, final int slot, final long sequence)
    {
        final long last = host.partition().lastSequence(slot);
        return PlantedFault.DUPLICATE_ADMITTED == planted && sequence <= last ? last + 1 : sequence;
    }

    private boolean refuse(final int slot, final int number, final long sequence, final Refusal refusal)
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
            .code((short)refusal.code());
        // if there is no room the worker finds out by its stall time
        cluster.link(slot, nodeId).offerToWorker(
            answer, 0, MessageHeaderEncoder.ENCODED_LENGTH + refusedEncoder.encodedLength());

        return true;
    }
}
