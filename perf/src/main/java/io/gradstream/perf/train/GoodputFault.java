// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.launcher.LocalCluster;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The kinds of faults that processes meet while training goes on. Processes of a role take turns. */
enum GoodputFault
{
    KILL_SERVER("killServer", "kill -9 of a server"),
    KILL_WORKER("killWorker", "kill -9 of a worker"),
    KILL_COORDINATOR("killCoordinator", "kill -9 of the coordinator"),
    STOP_SERVER("stopServer", "SIGSTOP of a server"),
    STOP_WORKER("stopWorker", "SIGSTOP of a worker"),
    STOP_COORDINATOR("stopCoordinator", "SIGSTOP of the coordinator");

    private final String id;
    private final String title;

    GoodputFault(final String id, final String title)
    {
        this.id = id;
        this.title = title;
    }

    /**
     * The fault of a name.
     *
     * @throws IllegalArgumentException that lists the names.
     */
    static GoodputFault parse(final String id)
    {
        return Arrays.stream(values()).filter((fault) -> fault.id.equals(id.trim())).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("invalid --faults=" + id + ": must be " +
                Arrays.stream(values()).map((fault) -> fault.id).collect(Collectors.joining(", "))));
    }

    String title()
    {
        return title;
    }

    /** True if the process is killed and started again at once, false if it stands still for a while. */
    boolean isKill()
    {
        return KILL_SERVER == this || KILL_WORKER == this || KILL_COORDINATOR == this;
    }

    /**
     * Let it happen.
     *
     * @param turn   number of faults before.
     * @param stopMs how long a process stands still.
     * @throws IOException if a process cannot be started.
     */
    void strike(final LocalCluster cluster, final int turn, final long stopMs) throws IOException
    {
        final int number = turn % GoodputRun.PROCESSES;
        switch (this)
        {
            case KILL_SERVER ->
            {
                cluster.kill(List.of(number));
                cluster.restart(number);
            }
            case KILL_WORKER ->
            {
                cluster.killWorker(number);
                cluster.restartWorker(number);
            }
            case KILL_COORDINATOR ->
            {
                cluster.killCoordinator(0);
                cluster.restartCoordinator(0);
            }
            case STOP_SERVER -> cluster.pauseServer(number, stopMs);
            case STOP_WORKER -> cluster.pauseWorker(number, stopMs);
            case STOP_COORDINATOR -> cluster.pauseCoordinator(0, stopMs);
        }
    }
}
