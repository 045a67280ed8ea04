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
package io.gradstream.launcher;

import io.gradstream.coordinator.service.CoordinatorListener;
import io.gradstream.driver.HostDriver;
import io.gradstream.driver.client.CountedErrors;
import io.gradstream.driver.cluster.CoordinatorNode;
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
    private Journal log;
    private boolean isClosed;

    /** Start what the plan wants here; what goes wrong with it later is written to the log. */
    synchronized void start(
        final ClusterPlan plan, final RunDirectory run, final Path logs, final CoordinatorListener listener)
        throws IOException
    {
        if (isClosed)
        {
            return;
        }
        log = new Journal(logs.resolve("embedded.log"));
        log.open();
        final Consumer<String> lines = log::append;
        if (plan.isWorkersDriverEmbedded())
        {
            workersDriver = HostDriver.launch(
                plan.embeddedDriver(run.aeronDirectory(LocalCluster.DRIVER)).errorLog(lines));
        }
        if (plan.isCoordinatorEmbedded())
        {
            final String name = LocalCluster.coordinatorName(0);
            coordinator = CoordinatorNode.launch(
                plan.embeddedCoordinator(run.path().resolve(name), run.aeronDirectory(name))
                    .errorLog(lines)
                    .errorHandler(new CountedErrors("coordinator", Throwable::toString, lines)),
                plan.job(), listener);
        }
    }

    /**
     * One duty cycle.
     *
     * @throws IllegalStateException if one has ended by itself.
     */
    synchronized void poll()
    {
        if (isClosed)
        {
            return;
        }
        if (null != workersDriver && workersDriver.isTerminated())
        {
            throw new IllegalStateException("the workers' media driver ended by itself");
        }
        if (null != coordinator)
        {
            if (coordinator.isTerminated())
            {
                throw new IllegalStateException("the coordinator ended by itself");
            }
            coordinator.poll(System.nanoTime());
        }
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
