// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.Aeron;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The thread of an agent that works with a host's driver and Archive. Where processors are few it is the driver's own,
 * so that what the two hand each other waits for no other thread; else the agent has a thread of its own.
 */
public final class AgentThread
{
    /** Longest sleep of an agent in whose process nothing happens: it has timers of its own. */
    static final long MAX_SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(2);

    private final HostDriver.Context ctx;
    /** Null if the driver runs in another process. */
    private final OwnDriver driver;

    AgentThread(final HostDriver.Context ctx, final OwnDriver driver)
    {
        this.ctx = ctx;
        this.driver = driver;
    }

    /**
     * Settings for the agent's client of the driver, whose conductor it runs. While such a client waits for the driver
     * it runs that, too, if they share a thread. Each call gives new ones.
     *
     * @return settings not yet concluded, for a client that is used by the agent only.
     */
    public Aeron.Context aeronContext()
    {
        return AeronSettings.aeronContext(ctx)
            .useConductorAgentInvoker(true)
            .driverAgentInvoker(null == driver ? null : driver.invoker());
    }

    /**
     * Start an agent. There may be one at a time.
     *
     * @param agent        to run; its end does not end the driver, except by an {@link Error}, which ends both.
     * @param errorHandler of what it throws.
     * @param isHurried    asked on its thread: true if somebody outside of this process who does not wake it may give
     *                     it work.
     * @return closes the agent, on the thread that it ran on, and waits until that is done.
     * @throws IllegalStateException if another agent runs there.
     */
    public AutoCloseable start(final Agent agent, final ErrorHandler errorHandler, final BooleanSupplier isHurried)
    {
        if (null != driver && null != driver.invoker())
        {
            return driver.admit(agent, errorHandler, isHurried);
        }
        final AgentRunner runner = new AgentRunner(null == driver ?
            ctx.profile.newIdleStrategy() : ctx.profile.newIdleStrategy(ctx.wakeupGroup, MAX_SLEEP_NS, isHurried),
            errorHandler, null, agent);
        AgentRunner.startOnThread(runner);

        return () -> CloseHelper.close(runner);
    }
}
