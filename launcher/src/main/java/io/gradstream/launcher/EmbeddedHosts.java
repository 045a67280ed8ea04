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
 * Runs the parts of a local cluster that live in the launching process: the workers' media driver, and the coordinator
 * where it is alone. One thread starts and polls them; another may close them.
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

    /** Start the parts that the plan puts here; their later errors are written to the log. */
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

    /** Run one duty cycle of the coordinator. */
    synchronized void poll()
    {
        if (!isClosed && null != coordinator && !coordinator.isTerminated())
        {
            coordinator.poll(System.nanoTime());
        }
    }

    /** True if the workers' media driver has ended by itself. */
    synchronized boolean isDriverTerminated()
    {
        return !isClosed && null != workersDriver && workersDriver.isTerminated();
    }

    /** True if the coordinator has ended by itself. */
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

    /** Close the coordinator that has ended, and start another one that continues from its decisions. */
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

    /** True if the coordinator knows its job and leads. */
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
