// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
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
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The other process of the raw rig, which answers. It runs on the thread of a driver of its own or next to that thread,
 * as a server process does; if both sides share a driver, it runs on a thread of its own.
 */
public final class RawEcho implements Agent
{
    private static final int FRAGMENT_LIMIT = 16;
    private static final int IDLE_MS = 10;

    private final UnsafeBuffer answer;
    private final ExclusivePublication publication;
    private final Subscription subscription;
    private final ControlledFragmentAssembler assembler = new ControlledFragmentAssembler(this::onMessage);

    private RawEcho(final ExclusivePublication publication, final Subscription subscription)
    {
        this.subscription = subscription;
        this.publication = publication;
        answer = new UnsafeBuffer(ByteBuffer.allocateDirect(publication.maxMessageLength()));
    }

    /** Answer until standard input ends, with the arguments of {@link RawChannels#arguments()}. */
    public static void main(final String[] args)
    {
        final RawChannels channels = RawChannels.parse(args);
        final HostDriver.Context settings = new HostDriver.Context()
            .profile(channels.profile())
            .isForThisProcess(true)
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
            final RawEcho echo = new RawEcho(publication, subscription);
            if (null == driver)
            {
                System.out.println(StatusLine.READY);
                echo.run(channels.profile().newIdleStrategy(), parent);
            }
            else
            {
                runBesideDriver(echo, driver, parent);
            }
        }
    }

    private void run(final IdleStrategy idleStrategy, final ParentLink parent)
    {
        while (!parent.isStopped())
        {
            idleStrategy.idle(doWork());
        }
    }

    /** On the thread on which a server process has its node. */
    private static void runBesideDriver(final RawEcho echo, final HostDriver driver, final ParentLink parent)
    {
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final AutoCloseable running = driver.agentThread().start(echo, failure::set, () -> false);
        System.out.println(StatusLine.READY);
        final IdleStrategy idleStrategy = new SleepingMillisIdleStrategy(IDLE_MS);
        while (!parent.isStopped() && null == failure.get())
        {
            idleStrategy.idle();
        }
        CloseHelper.close(running);
        if (null != failure.get())
        {
            throw new IllegalStateException("the echo has failed: " + failure.get(), failure.get());
        }
    }

    @Override
    public int doWork()
    {
        return subscription.controlledPoll(assembler, FRAGMENT_LIMIT);
    }

    @Override
    public String roleName()
    {
        return "echo";
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
