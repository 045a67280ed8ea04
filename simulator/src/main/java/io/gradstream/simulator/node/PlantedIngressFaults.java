// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.codecs.wire.ClockDoneDecoder;
import io.gradstream.codecs.wire.ClockDoneEncoder;
import io.gradstream.codecs.wire.ConnectDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.PushDecoder;
import io.gradstream.codecs.wire.PushEncoder;
import io.gradstream.server.node.IngressAdapter;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.World;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The planted faults of who it is that a worker's message comes from; without one it changes nothing. It belongs to
 * one process of a node.
 */
final class PlantedIngressFaults
{
    private final World world;
    /** By slot: the newest process that has connected, and its stream. */
    private final long[] newest = new long[ScenarioConfig.MOST_SLOTS];
    private final int[] sessions = new int[ScenarioConfig.MOST_SLOTS];
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ConnectDecoder connect = new ConnectDecoder();
    private final PushDecoder push = new PushDecoder();
    private final ClockDoneDecoder clockDone = new ClockDoneDecoder();
    private final PlantedKeyFaults keyFaults;

    PlantedIngressFaults(final World world)
    {
        this.world = world;
        keyFaults = new PlantedKeyFaults(world);
    }

    boolean onMessage(final IngressAdapter receiver, final int sessionId, final UnsafeBuffer said)
    {
        final UnsafeBuffer message = keyFaults.map(sessionId, said);
        if (world.isPlanted(PlantedFault.ANSWERED_FROM_ANOTHER_JOB) &&
            ConnectDecoder.TEMPLATE_ID == header.wrap(message, 0).templateId())
        {
            message.putInt(MessageHeaderDecoder.ENCODED_LENGTH + ConnectDecoder.jobIdEncodingOffset(),
                ScenarioConfig.JOB_ID, java.nio.ByteOrder.LITTLE_ENDIAN);
        }
        if (world.isPlanted(PlantedFault.OLD_INCARNATION_ADMITTED))
        {
            switch (header.wrap(message, 0).templateId())
            {
                case ConnectDecoder.TEMPLATE_ID -> onConnect(sessionId, message);
                case PushDecoder.TEMPLATE_ID ->
                {
                    push.wrapAndApplyHeader(message, 0, header);
                    return asNewest(receiver, sessionId, message, push.slot(), push.incarnation());
                }
                case ClockDoneDecoder.TEMPLATE_ID ->
                {
                    clockDone.wrapAndApplyHeader(message, 0, header);
                    return asNewest(receiver, sessionId, message, clockDone.slot(), clockDone.incarnation());
                }
                default ->
                {
                    // says nothing of a part
                }
            }
        }

        return receiver.onMessage(sessionId, message, 0, message.capacity());
    }

    private void onConnect(final int sessionId, final UnsafeBuffer message)
    {
        connect.wrapAndApplyHeader(message, 0, header);
        if (connect.incarnation() >= newest[connect.slot()])
        {
            newest[connect.slot()] = connect.incarnation();
            sessions[connect.slot()] = sessionId;
        }
    }

    /** A part of an older process of a slot passes for one of the newest. */
    private boolean asNewest(
        final IngressAdapter receiver,
        final int sessionId,
        final UnsafeBuffer message,
        final int slot,
        final long incarnation)
    {
        if (incarnation >= newest[slot])
        {
            return receiver.onMessage(sessionId, message, 0, message.capacity());
        }
        final UnsafeBuffer changed = new UnsafeBuffer(new byte[message.capacity()]);
        changed.putBytes(0, message, 0, message.capacity());
        final int offset = MessageHeaderDecoder.ENCODED_LENGTH +
            (PushDecoder.TEMPLATE_ID == header.templateId() ?
                PushEncoder.incarnationEncodingOffset() : ClockDoneEncoder.incarnationEncodingOffset());
        changed.putLong(offset, newest[slot], java.nio.ByteOrder.LITTLE_ENDIAN);

        return receiver.onMessage(sessions[slot], changed, 0, changed.capacity());
    }
}
