// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import java.util.Map;
import java.util.TreeMap;

import io.gradstream.recovery.replica.Replica;
import io.gradstream.recovery.replica.Role;
import io.gradstream.server.aeron.ReplicaCounter;
import org.agrona.concurrent.status.CountersReader;

/**
 * The state of one replica of a server, as the counters of its media driver show it.
 *
 * @param node          on which the replica is.
 * @param partition     of which it is a copy.
 * @param values        by ordinal of {@link ReplicaCounter}.
 * @param registrations of the counters that the values are from.
 */
record ReplicaCounters(int node, int partition, long[] values, long[] registrations)
{
    /**
     * Read the states of all replicas from a media driver's counters.
     *
     * @return by {@link #key}.
     */
    static Map<Long, ReplicaCounters> read(final CountersReader counters)
    {
        final Map<Long, ReplicaCounters> replicas = new TreeMap<>();
        counters.forEach((counterId, typeId, key, label) ->
        {
            final ReplicaCounter counter = ReplicaCounter.of(typeId);
            if (null != counter)
            {
                final int node = key.getInt(0);
                final int partition = key.getInt(Integer.BYTES);
                replicas.computeIfAbsent(key(node, partition), (unused) -> new ReplicaCounters(
                    node, partition, new long[ReplicaCounter.values().length],
                    new long[ReplicaCounter.values().length]))
                    .take(counter, counters.getCounterValue(counterId),
                        counters.getCounterRegistrationId(counterId));
            }
        });

        return replicas;
    }

    /** Key of a replica, ordered by node, then partition. */
    static long key(final int node, final int partition)
    {
        return (long)node << Integer.SIZE | partition;
    }

    /** Takes the newest counter: that of a killed process stays for a while next to that of the next process. */
    private void take(final ReplicaCounter counter, final long value, final long registration)
    {
        if (registration > registrations[counter.ordinal()])
        {
            registrations[counter.ordinal()] = registration;
            values[counter.ordinal()] = value;
        }
    }

    long of(final ReplicaCounter counter)
    {
        return values[counter.ordinal()];
    }

    boolean is(final ReplicaCounter counter)
    {
        return 0 != of(counter);
    }

    String yesOrNo(final ReplicaCounter counter)
    {
        return is(counter) ? "yes" : "no";
    }

    String state()
    {
        return name(Replica.State.values(), of(ReplicaCounter.STATE));
    }

    String role()
    {
        return name(Role.values(), of(ReplicaCounter.ROLE));
    }

    private static String name(final Enum<?>[] values, final long ordinal)
    {
        return ordinal >= 0 && ordinal < values.length ? values[(int)ordinal].name() : "?" + ordinal;
    }
}
