// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

import io.aeron.exceptions.AeronException;
import io.gradstream.cli.options.ClusterAccess;
import io.gradstream.cli.options.Failures;
import io.gradstream.cli.options.UsageException;
import io.gradstream.console.ClusterState;

/**
 * Looks at a cluster at an interval, as {@code status --watch} does, and goes on when coordinators do not answer for a
 * while. For one thread.
 */
public final class ClusterWatch
{
    /** Shortest time between two samples. Servers report their positions twice a second. */
    public static final long MIN_INTERVAL_MS = 100;
    /** Longest time between two samples. */
    public static final long MAX_INTERVAL_MS = 60_000;

    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long PARK_NS = 10_000_000;

    private final ClusterAccess access;
    private final BooleanSupplier isStopped;
    private final LocalServers servers;

    /**
     * A watch that has asked nothing yet.
     *
     * @param access    to the cluster.
     * @param servers   servers on this host, as far as known.
     * @param isStopped true as soon as the watch shall end.
     */
    public ClusterWatch(final ClusterAccess access, final LocalServers servers, final BooleanSupplier isStopped)
    {
        this.access = access;
        this.isStopped = isStopped;
        this.servers = servers;
    }

    /**
     * The servers on this host, as far as known.
     *
     * @param drivers directories of their media drivers, whose counters are read.
     * @param isAlive by node: true if its process is there, as far as known.
     */
    public record LocalServers(List<Path> drivers, IntPredicate isAlive)
    {
        /** The directories that have no living media driver now, a line for each. */
        public List<String> withoutDriver()
        {
            return drivers.stream().map(DriverDirectory::whyNotRead).filter(Objects::nonNull).toList();
        }

        /** The counters that living media drivers show of replicas, by {@link ReplicaCounters#key}. */
        Map<Long, ReplicaCounters> counters()
        {
            final Map<Long, ReplicaCounters> counters = new TreeMap<>();
            for (final Path directory : drivers)
            {
                try (DriverDirectory driver = DriverDirectory.open(directory))
                {
                    if (0 == driver.silentMs())
                    {
                        counters.putAll(ReplicaCounters.read(driver.counters()));
                    }
                }
                catch (final UsageException | AeronException ex)
                {
                    // its server was killed, or starts just now: what it has to show comes with a later look
                }
            }

            return counters;
        }
    }

    /**
     * Watch until stopped.
     *
     * @param intervalMs from one look to the next.
     * @param listener   takes each state.
     * @param onFailure  takes a line that says what went wrong, the first time and whenever the failure is another.
     * @throws RuntimeException if the watch fails before the first state: then something is named wrongly.
     */
    public void run(final long intervalMs, final Consumer<ClusterState> listener, final Consumer<String> onFailure)
    {
        boolean hasSeen = false;
        String told = "";
        while (!isStopped.getAsBoolean())
        {
            try (StatusSession session = StatusSession.open(access, isStopped))
            {
                ClusterState state = session.look(servers, null);
                while (null != state)
                {
                    hasSeen = true;
                    told = "";
                    final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(intervalMs);
                    listener.accept(state);
                    session.idleUntil(deadlineNs);
                    state = session.look(servers, state);
                }
            }
            catch (final RuntimeException ex)
            {
                if (!hasSeen)
                {
                    throw ex;
                }
                final String line = Failures.oneLine(ex);
                if (!line.equals(told))
                {
                    told = line;
                    onFailure.accept(line);
                }
                idle(System.nanoTime() + RETRY_NS, isStopped);
            }
        }
    }

    /** Rest until a time of {@link System#nanoTime()}, or until stopped. */
    static void idle(final long deadlineNs, final BooleanSupplier isStopped)
    {
        while (System.nanoTime() - deadlineNs < 0 && !isStopped.getAsBoolean())
        {
            LockSupport.parkNanos(PARK_NS);
        }
    }
}
