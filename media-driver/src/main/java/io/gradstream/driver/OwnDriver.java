// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.status.SystemCounterDescriptor;
import io.gradstream.driver.client.ChannelMtu;
import io.gradstream.driver.client.LifeLock;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.status.AtomicCounter;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;

/** The media driver of this process, its sockets and its thread, on which one agent of the process may be a guest. */
final class OwnDriver implements AutoCloseable
{
    /** Most cycles of the driver between two of its guest: datagrams of 128 KiB, an eighth of a term. */
    private static final int MAX_DRIVER_CYCLES = 16;

    private final HostDriver.Context ctx;
    private final DriverSockets sockets;
    private final MediaDriver driver;
    private final DriverAgent agent;
    /** Null if the driver has made its own. */
    private final AgentRunner runner;
    /** Null until others are shown that the directory is this process's. */
    private LifeLock life;

    private OwnDriver(
        final HostDriver.Context ctx,
        final DriverSockets sockets,
        final MediaDriver driver,
        final AgentTerminationMonitor watch,
        final ErrorHandler errors)
    {
        this.ctx = ctx;
        this.sockets = sockets;
        this.driver = driver;
        if (null == driver.sharedAgentInvoker())
        {
            agent = null;
            runner = null;
        }
        else
        {
            agent = new DriverAgent(driver);
            runner = new AgentRunner(
                AeronSettings.guestIdleStrategy(ctx, sockets, agent::isHurried), errors, null, agent);
            final ThreadFactory threads = watch.threadFactory("gradstream-driver");
            AgentRunner.startOnThread(runner, (task) -> threads.newThread(() -> agent.runToTheEnd(task)));
        }
    }

    /** Start it. */
    static OwnDriver launch(
        final HostDriver.Context ctx, final AgentTerminationMonitor watch, final ProcessErrors errors)
        throws IOException
    {
        final DriverSockets sockets = new DriverSockets();
        AutoCloseable launched = sockets;
        try
        {
            final MediaDriver driver = MediaDriver.launch(AeronSettings.driverContext(ctx, sockets, watch, errors));
            errors.open(driver.context().errorLog());
            final OwnDriver own = new OwnDriver(ctx, sockets, driver, watch, errors.keep(errors));
            launched = own;
            own.life = LifeLock.publish(ctx.aeronDirectory, ProcessToken.own());
            sockets.hangBell(ctx.aeronDirectory, ctx.errorLog);
            ctx.clock.publish();

            return own;
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            CloseHelper.quietClose(launched);
            throw ex;
        }
    }

    /** By which a guest runs the driver while it waits for it; null if the driver has its thread to itself. */
    AgentInvoker invoker()
    {
        return null == agent ? null : agent.driver;
    }

    /** Let an agent run on the driver's thread, until what is returned is closed. */
    AutoCloseable admit(final Agent guest, final ErrorHandler errorHandler, final BooleanSupplier isHurried)
    {
        final Guest admitted = new Guest(guest, errorHandler, isHurried);
        agent.admit(admitted);
        ctx.wakeupGroup.onWork(null);

        return () ->
        {
            admitted.isLeaving = true;
            ctx.wakeupGroup.onWork(null);
            await(admitted.hasLeft);
        };
    }

    /**
     * Nothing of the driver is unmapped while one of its threads runs: neither ours nor the thread that looks up names,
     * which {@link MediaDriver#close()} ends first.
     */
    @Override
    public void close()
    {
        try
        {
            CloseHelper.close(runner);
            if (null != agent)
            {
                await(agent.hasEnded);
            }
        }
        finally
        {
            closeDriver();
        }
    }

    /** An interrupted thread would not wait for names to be looked up. */
    private void closeDriver()
    {
        final boolean isInterrupted = Thread.interrupted();
        try
        {
            CloseHelper.closeAll(driver, sockets, life);
        }
        finally
        {
            if (isInterrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void await(final CountDownLatch latch)
    {
        boolean isInterrupted = false;
        while (latch.getCount() > 0)
        {
            try
            {
                latch.await();
            }
            catch (final InterruptedException ex)
            {
                isInterrupted = true;
            }
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs the driver, and its guest, on the thread. Whoever admits a guest does so from another thread. */
    private static final class DriverAgent implements Agent
    {
        private final AgentInvoker driver;
        private final AtomicCounter bytesSent;
        private final AtomicCounter bytesReceived;
        /** Bytes in a cycle from which a stream is taken to have more: the longest datagrams are seldom full. */
        private final int fullCycleLength;
        private final CountDownLatch hasEnded = new CountDownLatch(1);
        private volatile Guest guest;
        private volatile boolean isOver;

        DriverAgent(final MediaDriver driver)
        {
            this.driver = driver.sharedAgentInvoker();
            bytesSent = driver.context().systemCounters().get(SystemCounterDescriptor.BYTES_SENT);
            bytesReceived = driver.context().systemCounters().get(SystemCounterDescriptor.BYTES_RECEIVED);
            fullCycleLength = Math.min(driver.context().mtuLength(), ChannelMtu.MAX_DEFAULT_LENGTH);
        }

        synchronized void admit(final Guest admitted)
        {
            if (null != guest || isOver)
            {
                throw new IllegalStateException(isOver ? "the media driver has ended" :
                    "role=" + admitted.invoker.agent().roleName() + ": the driver's thread has a guest, " +
                    guest.invoker.agent().roleName());
            }
            guest = admitted;
        }

        boolean isHurried()
        {
            final Guest present = guest;
            return null != present && present.isHurried.getAsBoolean();
        }

        @Override
        public void onStart()
        {
            driver.start();
        }

        @Override
        public int doWork()
        {
            final int workCount = driver.isRunning() ? runDriver() : 0;
            if (!driver.isRunning())
            {
                throw new AgentTerminationException("the media driver has ended");
            }
            final Guest present = guest;

            return null == present ? workCount : workCount + present.doWork(this);
        }

        /** In a cycle a driver sends and takes one datagram of each stream; where one was long, more follow. */
        private int runDriver()
        {
            int workCount = 0;
            long before;
            int cycles = 0;
            do
            {
                before = bytes();
                workCount += driver.invoke();
            }
            // one that has ended has unmapped what it counts in
            while (driver.isRunning() && ++cycles < MAX_DRIVER_CYCLES && bytes() - before >= fullCycleLength);

            return workCount;
        }

        private long bytes()
        {
            return bytesSent.getPlain() + bytesReceived.getPlain();
        }

        /** Also if an error has ended it, after which its runner does not close it. */
        void runToTheEnd(final Runnable task)
        {
            try
            {
                task.run();
            }
            finally
            {
                onClose();
            }
        }

        @Override
        public synchronized void onClose()
        {
            isOver = true;
            try
            {
                if (null != guest)
                {
                    guest.leave(this);
                }
            }
            finally
            {
                hasEnded.countDown();
            }
        }

        @Override
        public String roleName()
        {
            return "media driver";
        }
    }

    /** An agent on the driver's thread, whose end is not the driver's, unless by an {@link Error}. */
    private static final class Guest
    {
        private final AgentInvoker invoker;
        private final BooleanSupplier isHurried;
        private final CountDownLatch hasLeft = new CountDownLatch(1);
        private volatile boolean isLeaving;

        Guest(final Agent agent, final ErrorHandler errorHandler, final BooleanSupplier isHurried)
        {
            invoker = new AgentInvoker(errorHandler, null, agent);
            this.isHurried = isHurried;
        }

        int doWork(final DriverAgent host)
        {
            if (isLeaving)
            {
                leave(host);
                return 1;
            }
            if (!invoker.isStarted())
            {
                invoker.start();
            }

            return invoker.invoke();
        }

        void leave(final DriverAgent host)
        {
            try
            {
                invoker.close();
            }
            finally
            {
                host.guest = null;
                hasLeft.countDown();
            }
        }
    }
}
