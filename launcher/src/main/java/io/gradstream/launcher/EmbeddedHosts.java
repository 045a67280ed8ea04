// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import io.gradstream.coordinator.service.CoordinatorListener;
import io.gradstream.driver.HostDriver;
import io.gradstream.driver.client.CountedErrors;
import io.gradstream.coordinator.member.CoordinatorNode;
import org.agrona.CloseHelper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * What of a local cluster runs in the launching process: the workers' media driver, and the coordinator where it is
 * alone. One thread starts and polls them; another may close them.
 */
final class EmbeddedHosts implements AutoCloseable
{
    private HostDriver workersDriver;
    private CoordinatorNode coordinator;
    private ClusterPlan plan;
    private RunDirectory run;
    private CoordinatorListener listener;
    private Journal log;
    private boolean isClosed;

    /** Start what the plan wants here; what goes wrong with it later is written to the log. */
    synchronized void start(
        final ClusterPlan newPlan, final RunDirectory newRun, final Path logs, final CoordinatorListener newListener)
        throws IOException
    {
        if (isClosed)
        {
            return;
        }
        plan = newPlan;
        run = newRun;
        listener = newListener;
        log = new Journal(logs.resolve("embedded.log"));
        log.open();
        if (plan.isWorkersDriverEmbedded())
        {
            launchDriver();
        }
        if (plan.isCoordinatorEmbedded())
        {
            launchCoordinator();
        }
    }

    /** One duty cycle. */
    synchronized void poll()
    {
        if (!isClosed && null != coordinator && !coordinator.isTerminated())
        {
            coordinator.poll(System.nanoTime());
        }
    }

    /** Has the workers' media driver ended by itself? */
    synchronized boolean isDriverTerminated()
    {
        return !isClosed && null != workersDriver && workersDriver.isTerminated();
    }

    /** Has the coordinator ended by itself? */
    synchronized boolean isCoordinatorTerminated()
    {
        return !isClosed && null != coordinator && coordinator.isTerminated();
    }

    /** Close the media driver that has ended, and start another one in its place. */
    synchronized void restartDriver()
    {
        if (!isClosed)
        {
            final HostDriver ended = workersDriver;
            workersDriver = null;
            CloseHelper.close(ended);
            launchDriver();
        }
    }

    /** Close the coordinator that has ended, and start another one that goes on with what it has decided. */
    synchronized void restartCoordinator()
    {
        if (!isClosed)
        {
            final CoordinatorNode ended = coordinator;
            coordinator = null;
            CloseHelper.close(ended);
            launchCoordinator();
        }
    }

    private void launchDriver()
    {
        workersDriver = HostDriver.launch(
            plan.embeddedDriver(run.aeronDirectory(LocalCluster.DRIVER)).errorLog(log::append));
    }

    private void launchCoordinator()
    {
        final String name = LocalCluster.coordinatorName(0);
        final Consumer<String> lines = log::append;
        coordinator = CoordinatorNode.launch(
            plan.embeddedCoordinator(run.path().resolve(name), run.aeronDirectory(name))
                .errorLog(lines)
                .errorHandler(new CountedErrors("coordinator", Throwable::toString, lines)),
            plan.job(), listener);
    }

    /** Does the coordinator know its job, and lead? */
    synchronized boolean isCoordinatorSettled()
    {
        return !isClosed && null != coordinator && coordinator.isReady() && coordinator.isSettled();
    }

    @Override
    public synchronized void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            CloseHelper.closeAll(coordinator, workersDriver, log);
        }
    }
}
