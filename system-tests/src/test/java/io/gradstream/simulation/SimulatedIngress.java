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
import io.gradstream.server.partition.Outcome;
import io.gradstream.server.partition.PartHeader;
import io.gradstream.server.partition.Partition;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Decodes what workers send to one process of the server, asks its partition, and answers. It keeps three rules that
 * the partition leaves to it: parts of an incarnation older than the one that said hello last are refused; a first
 * hello is answered only when everything the slot has is recorded, since the new incarnation cannot send it again;
 * and an answer goes to the incarnation that asked, or nowhere.
 */
final class SimulatedIngress
{
    private final Partition partition;
    private final SimulatedTransport[] links;
    private final PlantedFault planted;
    private final long[] incarnations = new long[Simulation.SLOTS];
    private final boolean[] isAttached = new boolean[Simulation.SLOTS];
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

    SimulatedIngress(final Partition partition, final SimulatedTransport[] links, final PlantedFault planted)
    {
        this.partition = partition;
        this.links = links;
        this.planted = planted;
    }

    boolean isAttached(final int slot)
    {
        return isAttached[slot];
    }

    void detach(final int slot)
    {
        isAttached[slot] = false;
    }

    boolean onMessage(final int slot, final DirectBuffer buffer, final int length)
    {
        header.wrap(buffer, 0);
        hasAnswerStream = incarnationOf(buffer) == links[slot].incarnation() ||
            PlantedFault.ANSWER_TO_SUCCESSOR == planted;
        return switch (header.templateId())
        {
            case HelloDecoder.TEMPLATE_ID -> onHello(slot, hello.wrapAndApplyHeader(buffer, 0, header));
            case PushDecoder.TEMPLATE_ID ->
                onPush(slot, push.wrapAndApplyHeader(buffer, 0, header), buffer, length);
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
        Refusal refusal = partition.onHello(slot, message.incarnation());
        if (Refusal.NONE == refusal && isFenced(slot, message.incarnation()))
        {
            refusal = Refusal.FENCED;
        }
        if (Refusal.NONE != refusal)
        {
            return refuse(slot, 0, refusal);
        }
        incarnations[slot] = message.incarnation();
        final long last = partition.lastSequence(slot);
        final boolean isFirst = 0 == message.oldestKept();
        if (isFirst && partition.recordedSequence(slot) < last && PlantedFault.WELCOME_AT_UNRECORDED != planted)
        {
            return refuse(slot, 0, Refusal.BUSY);
        }
        if (!hasAnswerStream)
        {
            // who asked is dead, and its successor must not take the answer for its own
            return true;
        }
        isAttached[slot] = true;
        welcomeEncoder.wrapAndApplyHeader(answer, 0, headerEncoder)
            .epoch(partition.epoch())
            .lastSequence(last)
            .position(partition.cursor().position())
            .partition(0)
            .slot(slot);

        return links[slot].offerToWorker(
            answer, 0, MessageHeaderEncoder.ENCODED_LENGTH + welcomeEncoder.encodedLength());
    }

    private boolean onPush(final int slot, final PushDecoder message, final DirectBuffer buffer, final int length)
    {
        if (isFenced(slot, message.incarnation()))
        {
            return refuse(slot, message.sequence(), Refusal.FENCED);
        }
        final int offset = MessageHeaderDecoder.ENCODED_LENGTH + PushDecoder.BLOCK_LENGTH;
        part.set(slot, message.incarnation(), message.epoch(), sequence(slot, message.sequence()),
            message.floor(), message.clock());

        return answer(slot, message.sequence(), partition.onPush(part, sections, buffer, offset, length - offset));
    }

    private boolean onClockDone(final int slot, final ClockDoneDecoder message)
    {
        if (isFenced(slot, message.incarnation()))
        {
            return refuse(slot, message.sequence(), Refusal.FENCED);
        }
        part.set(slot, message.incarnation(), message.epoch(), message.sequence(), message.floor(), message.clock());

        return answer(slot, message.sequence(), partition.onClockDone(part));
    }

    private boolean answer(final int slot, final long sequence, final Outcome outcome)
    {
        return switch (outcome)
        {
            case APPENDED, DUPLICATE -> true;
            case REFUSED -> refuse(slot, sequence, partition.refusal());
            case NOT_NOW -> false;
        };
    }

    private boolean isFenced(final int slot, final long incarnation)
    {
        return incarnation < incarnations[slot] && PlantedFault.OLD_INCARNATION_ADMITTED != planted;
    }

    private long sequence(final int slot, final long sequence)
    {
        final long last = partition.lastSequence(slot);
        return PlantedFault.DUPLICATE_ADMITTED == planted && sequence <= last ? last + 1 : sequence;
    }

    private boolean refuse(final int slot, final long sequence, final Refusal refusal)
    {
        if (!hasAnswerStream)
        {
            return true;
        }
        refusedEncoder.wrapAndApplyHeader(answer, 0, headerEncoder)
            .epoch(partition.epoch())
            .requestId(0)
            .sequence(sequence)
            .expected(partition.lastSequence(slot) + 1)
            .partition(0)
            .code((short)refusal.code());
        // if there is no room the worker finds out by its stall time
        links[slot].offerToWorker(answer, 0, MessageHeaderEncoder.ENCODED_LENGTH + refusedEncoder.encodedLength());

        return true;
    }
}
