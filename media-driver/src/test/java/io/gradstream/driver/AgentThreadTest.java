// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AgentThreadTest
{
    /** Time that an agent takes to close, in which nothing else may be closed. */
    private static final long CLOSE_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final String CHANNEL = "aeron:udp?endpoint=127.0.0.1:0";

    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    private final ErrorHandler errorHandler = errors::add;

    @TempDir
    private Path dir;

    @Test
    void shouldRunAnAgentOnTheThreadOfItsDriver() throws Exception
    {
        try (HostDriver host = HostDriver.launch(context(DriverProfile.DEV)))
        {
            final ProbeAgent agent = new ProbeAgent(() -> 0);
            final AutoCloseable running = host.agentThread().start(agent, errorHandler, () -> false);
            agent.awaitWork();
            assertThat(agent.thread.getName()).isEqualTo("media driver");

            running.close();
            assertThat(agent.closedBy).isSameAs(agent.thread);
            assertThat(host.isTerminated()).isFalse();
        }
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldRunAnAgentBesideADriverThatNeverSleeps() throws Exception
    {
        try (HostDriver host = HostDriver.launch(context(DriverProfile.LATENCY)))
        {
            final ProbeAgent agent = new ProbeAgent(() -> 0);
            final AutoCloseable running = host.agentThread().start(agent, errorHandler, () -> false);
            agent.awaitWork();
            assertThat(agent.thread.getName()).isEqualTo(agent.roleName());
            running.close();
        }
    }

    @Test
    void shouldLetAnAgentWaitForTheDriverOnItsThread() throws Exception
    {
        try (HostDriver host = HostDriver.launch(context(DriverProfile.DEV)))
        {
            final AeronAgent agent = new AeronAgent(host.agentThread());
            final AutoCloseable running = host.agentThread().start(agent, errorHandler, () -> false);
            assertThat(agent.received.await(20, TimeUnit.SECONDS)).isTrue();
            running.close();
        }
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldKeepTheDriverWhenItsAgentEnds() throws Exception
    {
        try (HostDriver host = HostDriver.launch(context(DriverProfile.DEV)))
        {
            final ProbeAgent failing = new ProbeAgent(() ->
            {
                throw new AgentTerminationException("it fails");
            });
            final AutoCloseable running = host.agentThread().start(failing, errorHandler, () -> false);
            failing.closed.await();
            running.close();
            assertThat(errors).hasSize(1);

            try (Aeron client = Aeron.connect(host.aeronContext());
                Subscription next = client.addSubscription(CHANNEL, 1))
            {
                assertThat(next.isClosed()).isFalse();
            }
            assertThat(host.isTerminated()).isFalse();
        }
    }

    @Test
    void shouldRefuseASecondAgentUntilTheFirstHasLeft() throws Exception
    {
        try (HostDriver host = HostDriver.launch(context(DriverProfile.DEV)))
        {
            final AgentThread thread = host.agentThread();
            final AutoCloseable running = thread.start(new ProbeAgent(() -> 0), errorHandler, () -> false);
            assertThatThrownBy(() -> thread.start(new ProbeAgent(() -> 0), errorHandler, () -> false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the driver's thread has a guest, probe");

            running.close();
            final ProbeAgent next = new ProbeAgent(() -> 0);
            final AutoCloseable runningNext = thread.start(next, errorHandler, () -> false);
            next.awaitWork();
            runningNext.close();
        }
    }

    @Test
    void shouldCloseTheAgentIfItsDriverEnds() throws Exception
    {
        final CountDownLatch told = new CountDownLatch(1);
        final HostDriver host = HostDriver.launch(context(DriverProfile.DEV).terminationHook(told::countDown));
        final ProbeAgent agent = new ProbeAgent(() -> 0);
        final AutoCloseable running = host.agentThread().start(agent, errorHandler, () -> false);
        agent.awaitWork();
        host.driver().close();

        assertThat(agent.closedBy).isSameAs(agent.thread);
        assertThat(told.await(15, TimeUnit.SECONDS)).isTrue();
        running.close();
        assertThatThrownBy(() -> host.agentThread().start(agent, errorHandler, () -> false))
            .isInstanceOf(IllegalStateException.class).hasMessage("the media driver has ended");
        host.close();
    }

    @Test
    void shouldEndWithTheDriverAfterAnError() throws Exception
    {
        final CountDownLatch told = new CountDownLatch(1);
        try (HostDriver host = HostDriver.launch(context(DriverProfile.DEV).terminationHook(told::countDown)))
        {
            final ProbeAgent agent = new ProbeAgent(() ->
            {
                throw new AssertionError("an error, as for want of memory");
            });
            final AutoCloseable running = host.agentThread().start(agent, errorHandler, () -> false);
            assertThat(told.await(15, TimeUnit.SECONDS)).isTrue();
            running.close();
            assertThat(agent.closedBy).isSameAs(agent.thread);
        }
        assertThat(errors).isNotEmpty();
    }

    @Test
    void shouldEndTheAgentWithADriverThatEndsByItself() throws Exception
    {
        final CountDownLatch told = new CountDownLatch(1);
        try (HostDriver host = HostDriver.launch(context(DriverProfile.DEV).terminationHook(told::countDown)))
        {
            final AgentThread thread = host.agentThread();
            final ProbeAgent agent = new ProbeAgent(() ->
            {
                thread.aeronContext().driverAgentInvoker().close();
                return 0;
            });
            final AutoCloseable running = thread.start(agent, errorHandler, () -> false);
            assertThat(told.await(15, TimeUnit.SECONDS)).isTrue();
            running.close();
            assertThat(agent.closedBy).isSameAs(agent.thread);
        }
    }

    @Test
    void shouldCloseTheAgentBeforeTheDriverThoughTheCallerIsInterrupted() throws Exception
    {
        final HostDriver host = HostDriver.launch(context(DriverProfile.DEV));
        final CountDownLatch hostClosed = new CountDownLatch(1);
        final AtomicBoolean isClosedUnderAgent = new AtomicBoolean();
        final ProbeAgent agent = new ProbeAgent(() -> 1)
        {
            @Override
            public void onClose()
            {
                // as a node that has much to close; its runner interrupts it meanwhile
                final long beginNs = System.nanoTime();
                while (hostClosed.getCount() > 0 && System.nanoTime() - beginNs < CLOSE_NS)
                {
                    Thread.yield();
                }
                isClosedUnderAgent.set(0 == hostClosed.getCount());
                super.onClose();
            }
        };
        host.agentThread().start(agent, errorHandler, () -> false);
        agent.awaitWork();
        final Thread closer = new Thread(() ->
        {
            Thread.currentThread().interrupt();
            host.close();
            hostClosed.countDown();
        });
        closer.start();
        closer.join();

        assertThat(isClosedUnderAgent).isFalse();
        assertThat(agent.closedBy).as("closed, by its thread, before the driver").isSameAs(agent.thread);
    }

    private HostDriver.Context context(final DriverProfile profile)
    {
        return new HostDriver.Context().aeronDirectory(dir.resolve("aeron")).profile(profile).isForThisProcess(true);
    }

    private static class ProbeAgent implements Agent
    {
        private final CountDownLatch worked = new CountDownLatch(1);
        private final CountDownLatch closed = new CountDownLatch(1);
        private final IntSupplier work;
        private volatile Thread thread;
        private volatile Thread closedBy;

        ProbeAgent(final IntSupplier work)
        {
            this.work = work;
        }

        void awaitWork() throws InterruptedException
        {
            worked.await();
        }

        @Override
        public int doWork()
        {
            thread = Thread.currentThread();
            worked.countDown();

            return work.getAsInt();
        }

        @Override
        public void onClose()
        {
            closedBy = Thread.currentThread();
            closed.countDown();
        }

        @Override
        public String roleName()
        {
            return "probe";
        }
    }

    /** It opens its streams by calls that wait, and sends itself a message. */
    private static final class AeronAgent implements Agent
    {
        private final CountDownLatch received = new CountDownLatch(1);
        private final UnsafeBuffer message = new UnsafeBuffer(new byte[Long.BYTES]);
        private final AgentThread home;
        private Aeron aeron;
        private Subscription subscription;
        private Publication publication;

        AeronAgent(final AgentThread home)
        {
            this.home = home;
        }

        @Override
        public int doWork()
        {
            if (null == aeron)
            {
                aeron = Aeron.connect(home.aeronContext());
                subscription = aeron.addSubscription(CHANNEL, 1);
                return 1;
            }
            aeron.conductorAgentInvoker().invoke();
            if (null == publication)
            {
                final String channel = subscription.tryResolveChannelEndpointPort();
                publication = null == channel ? null : aeron.addPublication(channel, 1);
                return 1;
            }

            return (publication.offer(message) > 0 ? 1 : 0) +
                subscription.poll((buffer, offset, length, header) -> received.countDown(), 1);
        }

        @Override
        public void onClose()
        {
            CloseHelper.close(aeron);
        }

        @Override
        public String roleName()
        {
            return "aeron";
        }
    }
}
