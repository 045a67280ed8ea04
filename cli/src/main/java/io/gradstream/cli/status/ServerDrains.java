// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.gradstream.cli.options.ClusterAccess;
import io.gradstream.cli.options.Failures;
import io.gradstream.cli.status.ClusterWatch.LocalServers;
import io.gradstream.console.ClusterState;
import io.gradstream.console.ClusterState.Node;
import io.gradstream.launcher.kills.Drains;

/**
 * Drains servers in a thread of its own, which lives while something is asked, so that nobody waits for coordinators.
 * A request that fails is tried again, as coordinators may die meanwhile.
 */
public final class ServerDrains implements Drains, AutoCloseable
{
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long STOP_TIMEOUT_MS = 5_000;

    private final ClusterAccess access;
    private Thread thread;
    private volatile boolean isStopped;
    private volatile boolean isDone = true;

    /** Nothing is asked yet. */
    public ServerDrains(final ClusterAccess access)
    {
        this.access = access;
    }

    @Override
    public void ask(final int node, final boolean isDraining)
    {
        close();
        isStopped = false;
        isDone = false;
        thread = new Thread(() -> run(node, isDraining), "drain");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public boolean isDone()
    {
        return isDone;
    }

    @Override
    public void close()
    {
        isStopped = true;
        if (null != thread)
        {
            try
            {
                thread.join(STOP_TIMEOUT_MS);
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run(final int node, final boolean isDraining)
    {
        while (!isStopped && !isDone)
        {
            try (StatusSession session = StatusSession.open(access, () -> isStopped))
            {
                isDone = null != look(session) && session.drain(node, isDraining) &&
                    (!isDraining || awaitEmpty(session, node));
            }
            catch (final RuntimeException ex)
            {
                System.err.println("gradstream train: server " + node + (isDraining ? " is not drained yet: " :
                    " gets no places yet: ") + Failures.oneLine(ex));
                ClusterWatch.idle(System.nanoTime() + RETRY_NS, () -> isStopped);
            }
        }
    }

    /** Wait until a drained server keeps nothing; false if stopped meanwhile. */
    private static boolean awaitEmpty(final StatusSession session, final int node)
    {
        ClusterState state = look(session);
        while (null != state && 0 < kept(state, node))
        {
            session.idleUntil(System.nanoTime() + INTERVAL_NS);
            state = look(session);
        }

        return null != state;
    }

    /** The number of partitions of which a server may still be needed; 0 if the coordinators do not know it. */
    static int kept(final ClusterState state, final int node)
    {
        return state.nodes().stream().filter((known) -> known.id() == node).mapToInt(Node::kept).findFirst().orElse(0);
    }

    /** The state as the coordinators know it; null if stopped meanwhile. */
    static ClusterState look(final StatusSession session)
    {
        return session.look(new LocalServers(List.of(), (node) -> true), null);
    }
}
