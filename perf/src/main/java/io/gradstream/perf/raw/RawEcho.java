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
package io.gradstream.perf.raw;

import io.aeron.Aeron;
import io.aeron.ControlledFragmentAssembler;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.ControlledFragmentHandler.Action;
import io.aeron.logbuffer.Header;
import io.gradstream.driver.HostDriver;
import io.gradstream.launcher.process.ParentLink;
import io.gradstream.launcher.process.StatusLine;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;

/**
 * The other process of the raw rig: a driver of its own, unless both share one, and one thread that answers, as a
 * server process has.
 */
public final class RawEcho
{
    private static final int FRAGMENT_LIMIT = 16;

    private final UnsafeBuffer answer;
    private final ExclusivePublication publication;

    private RawEcho(final ExclusivePublication publication)
    {
        this.publication = publication;
        answer = new UnsafeBuffer(ByteBuffer.allocateDirect(publication.maxMessageLength()));
    }

    /**
     * Answer until standard input ends.
     *
     * @param args of {@link RawChannels#arguments()}.
     */
    public static void main(final String[] args)
    {
        final RawChannels channels = RawChannels.parse(args);
        final HostDriver.Context settings = new HostDriver.Context()
            .profile(channels.profile())
            .mtuLength(channels.mtu())
            .termLength(channels.termLength());
        try (ParentLink parent = ParentLink.open(true);
            HostDriver driver = channels.isSharing() ? null : HostDriver.launch(settings);
            Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(
                null == driver ? channels.sharedDriver() : driver.aeronDirectoryName()));
            Subscription subscription = aeron.addSubscription(channels.there(), RawChannels.THERE_STREAM_ID);
            ExclusivePublication publication =
                aeron.addExclusivePublication(channels.back(), RawChannels.BACK_STREAM_ID))
        {
            System.out.println(StatusLine.READY);
            new RawEcho(publication).run(subscription, channels.profile().newIdleStrategy(), parent);
        }
    }

    private void run(final Subscription subscription, final IdleStrategy idleStrategy, final ParentLink parent)
    {
        final ControlledFragmentAssembler assembler = new ControlledFragmentAssembler(this::onMessage);
        while (!parent.isStopped())
        {
            idleStrategy.idle(subscription.controlledPoll(assembler, FRAGMENT_LIMIT));
        }
    }

    private Action onMessage(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        return switch (RawMessage.kind(buffer, offset))
        {
            case RawMessage.ECHO -> offer(buffer, offset, length);
            case RawMessage.ANSWER -> offer(answer, 0, RawMessage.answerLength(buffer, offset));
            default -> Action.CONTINUE;
        };
    }

    private Action offer(final DirectBuffer buffer, final int offset, final int length)
    {
        final long position = publication.offer(buffer, offset, length);
        // Whoever asked and is gone gets no answer; else the question stays until there is room for it.
        return position > 0 || Publication.NOT_CONNECTED == position ? Action.CONTINUE : Action.ABORT;
    }
}
