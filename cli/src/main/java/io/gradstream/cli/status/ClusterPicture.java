// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;

import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.Chain;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.JobSpec;
import io.gradstream.console.ClusterSample;
import io.gradstream.console.ClusterSample.Role;
import io.gradstream.coordinator.client.CoordinatorStatus;
import io.gradstream.server.aeron.ReplicaCounter;

/**
 * Makes the sample that the console shows, from the coordinators' status and the counters of this host's servers.
 */
final class ClusterPicture
{
    private final List<Path> drivers;
    private final IntPredicate isAlive;

    /**
     * A picture for which nothing is read yet.
     *
     * @param drivers directories of media drivers on this host that servers use; an absent directory is passed over.
     * @param isAlive by node: true if its process is there, as far as this process knows.
     */
    ClusterPicture(final List<Path> drivers, final IntPredicate isAlive)
    {
        this.drivers = drivers;
        this.isAlive = isAlive;
    }

    /**
     * The cluster now.
     *
     * @param timeMs now, ms since 1970 UTC.
     */
    ClusterSample of(final StatusSample sample, final long timeMs)
    {
        final Map<Long, ReplicaCounters> counters = readCounters();
        final CoordinatorStatus status = sample.status();
        final List<ClusterSample.Node> nodes = new ArrayList<>();
        for (int node = 0; node < sample.map().endpoints().size(); node++)
        {
            final String endpoint = sample.map().endpoints().get(node);
            if (!endpoint.isEmpty())
            {
                nodes.add(new ClusterSample.Node(node, endpoint, sample.heardMs(node), isSilent(sample, node),
                    (int)sample.heads(node), (int)sample.places(node)));
            }
        }
        final List<ClusterSample.Partition> partitions = new ArrayList<>();
        for (int id = 0; sample.map().isPlaced() && id < sample.map().chains().chains().size(); id++)
        {
            partitions.add(partition(sample, id, counters));
        }

        return new ClusterSample(timeMs, job(sample.map().job()), status.leader(), status.leadershipTerm(),
            status.failovers(), status.spuriousFailovers(), nodes, partitions);
    }

    private ClusterSample.Partition partition(
        final StatusSample sample, final int id, final Map<Long, ReplicaCounters> counters)
    {
        final Chain chain = sample.chain(id);
        final List<ClusterSample.Replica> replicas = new ArrayList<>();
        for (final int node : chain.members())
        {
            replicas.add(replica(sample, id, node, replicas.isEmpty() ? Role.HEAD : Role.STANDBY, counters));
        }
        if (Chain.NONE != chain.joiner())
        {
            replicas.add(replica(sample, id, chain.joiner(), Role.JOINER, counters));
        }
        boolean isServed = false;
        if (!chain.members().isEmpty() && !isSilent(sample, chain.head()))
        {
            final ReplicaCounters head = counters.get(ReplicaCounters.key(chain.head(), id));
            isServed = null == head || head.is(ReplicaCounter.ANSWERS);
        }

        return new ClusterSample.Partition(
            id, chain.epoch(), chain.wanted(), chain.members().size(), isServed, replicas);
    }

    private ClusterSample.Replica replica(
        final StatusSample sample, final int id, final int node, final Role role,
        final Map<Long, ReplicaCounters> counters)
    {
        final ReplicaCounters shown = isSilent(sample, node) ? null : counters.get(ReplicaCounters.key(node, id));
        final CoordinatorStatus.Replica said = sample.replica(node, id);

        return new ClusterSample.Replica(node, role, null == shown ? "" : shown.rung(),
            null == shown ? ClusterSample.UNKNOWN : shown.of(ReplicaCounter.EPOCH),
            null != shown ? shown.of(ReplicaCounter.APPLIED) : null == said ? ClusterSample.UNKNOWN : said.applied(),
            lag(sample, id, node, role, counters));
    }

    /** By the counters of both, read at nearly the same moment; else by what both have said, at different ones. */
    private static long lag(
        final StatusSample sample, final int id, final int node, final Role role,
        final Map<Long, ReplicaCounters> counters)
    {
        if (Role.HEAD == role)
        {
            return 0;
        }
        final ReplicaCounters member = counters.get(ReplicaCounters.key(node, id));
        final ReplicaCounters head = counters.get(ReplicaCounters.key(sample.chain(id).head(), id));

        return null == member || null == head ? sample.lag(node, id) :
            Math.max(0, head.of(ReplicaCounter.APPLIED) - member.of(ReplicaCounter.APPLIED));
    }

    private boolean isSilent(final StatusSample sample, final int node)
    {
        return !isAlive.test(node) || sample.isSilent(node);
    }

    private Map<Long, ReplicaCounters> readCounters()
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
            catch (final UsageException | io.aeron.exceptions.AeronException ex)
            {
                // its server was killed, or starts just now: what it has to show comes with a later sample
            }
        }

        return counters;
    }

    private static String job(final JobSpec job)
    {
        return null == job ? "" : job.partitions() + (1 == job.partitions() ? " partition, " : " partitions, ") +
            job.copies() + (1 == job.copies() ? " copy" : " copies") + ", mode " + job.mode().label() +
            (Consistency.EVENTUAL.equals(job.consistency()) ? "" : ", staleness " + job.consistency().label());
    }
}
