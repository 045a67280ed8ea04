// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.console.ClusterState;
import io.gradstream.console.ClusterState.Job;
import io.gradstream.console.ClusterState.Node;
import io.gradstream.console.ClusterState.Partition;
import io.gradstream.console.ClusterState.Replica;
import io.gradstream.console.ClusterState.Role;
import io.gradstream.coordinator.client.CoordinatorStatus;
import io.gradstream.coordinator.client.WorkStatus;
import io.gradstream.server.aeron.ReplicaCounter;

/** Makes the state of a cluster from what the coordinators answered and the counters of this host's servers. */
final class StateReader
{
    /** Time after which a server that has not been heard counts as silent: it reports many times in this time. */
    static final long SILENT_MS = 5_000;

    private static final double MS_PER_S = 1e3;

    private final ClusterMap map;
    /** The job whose partitions are shown, or null; and the map of that job. */
    private final ClusterMap.Job job;
    private final ClusterMap ofJob;
    private final CoordinatorStatus status;
    private final WorkStatus work;
    private final Map<Long, CoordinatorStatus.Replica> reported;
    private final Map<Long, ReplicaCounters> counters;
    private final IntPredicate isAlive;

    /**
     * A reader of one answer.
     *
     * @param map      that is decided.
     * @param job      whose partitions are wanted, or null.
     * @param status   that the coordinators know besides.
     * @param work     slots of the job, and how far their work is; null if that is not known.
     * @param counters of servers on this host, by {@link ReplicaCounters#key}.
     * @param isAlive  by node: true if its process is there, as far as this process knows.
     */
    StateReader(
        final ClusterMap map,
        final ClusterMap.Job job,
        final CoordinatorStatus status,
        final WorkStatus work,
        final Map<Long, ReplicaCounters> counters,
        final IntPredicate isAlive)
    {
        this.map = map;
        this.job = job;
        ofJob = null == job ? null : map.of(job);
        this.status = status;
        this.work = work;
        this.counters = counters;
        this.isAlive = isAlive;
        reported = status.replicas().stream().collect(Collectors.toMap(
            (replica) -> ReplicaCounters.key(replica.nodeId(), replica.partition()), Function.identity()));
    }

    /**
     * The state, of which no primary was asked anything.
     *
     * @param coordinators host:port of each, by member id.
     * @param timeMs       now, ms since 1970 UTC.
     * @param earlier      state, for rates; null for the first one.
     */
    ClusterState state(final List<String> coordinators, final long timeMs, final ClusterState earlier)
    {
        final double seconds = null == earlier ? 0 : (timeMs - earlier.timeMs()) / MS_PER_S;
        final List<Partition> partitions = IntStream.range(0, null == job ? 0 : ofJob.chains().chains().size())
            .mapToObj((id) -> partition(id, null != earlier && id < earlier.partitions().size() ?
                earlier.partitions().get(id) : null, seconds)).toList();

        return new ClusterState(timeMs, status.leader(), coordinators.get(status.leader()), coordinators.size(),
            status.leadershipTerm(), status.mapVersion(), status.failovers(), status.spuriousFailovers(),
            null == job ? null : job(job), null != job && map.isPlaced(job), nodes(), partitions,
            null, null, null, null, work());
    }

    private static Job job(final ClusterMap.Job known)
    {
        final JobSpec job = known.spec();
        return new Job(known.name(), job.partitions(), job.copies(), job.nodes(), job.virtualNodes(),
            job.rowCapacity(), job.repairDelayMs(), job.mode().label(), job.consistency().slots(),
            job.consistency().label(), job.consistency().isBounded(), job.limits().rowBytes(), job.limits().pushRate());
    }

    private ClusterState.Work work()
    {
        return null == work ? ClusterState.Work.NONE : new ClusterState.Work(work.workId(), work.batchesTotal(),
            work.batchesDone(), work.batchesDropped(), work.batchesLeftOut(), work.unitsReissued(),
            work.slotsAdopted(), work.slots().stream().map((slot) -> new ClusterState.Lease(
                slot.slot(), slot.isHeld(), slot.incarnation(), slot.heardMs(), slot.openBatches())).toList());
    }

    private List<Node> nodes()
    {
        return IntStream.range(0, map.endpoints().size()).filter(this::isRegistered).mapToObj((node) ->
        {
            // a node's incarnation is the time of its start in nanoseconds since 1970
            final long incarnation = map.chains().incarnations().get(node);
            return new Node(node, map.endpoints().get(node), incarnation,
                Instant.ofEpochSecond(0, incarnation).truncatedTo(ChronoUnit.SECONDS).toString(),
                heardMs(node), isSilent(node), count(map.assignment(), (nodes) -> nodes.contains(node)),
                count(map.chains().chains(), (chain) -> chain.head() == node),
                status.draining().contains(node), kept(node));
        }).toList();
    }

    private int kept(final int node)
    {
        return (int)IntStream.range(0, map.assignment().size()).filter((partition) ->
        {
            final Chain chain = map.chains().chains().get(partition);
            return map.assignment().get(partition).contains(node) || chain.holds(node) ||
                chain.requiredReplicas().contains(node);
        }).count();
    }

    private static <T> int count(final Collection<T> all, final Predicate<T> predicate)
    {
        return (int)all.stream().filter(predicate).count();
    }

    private Partition partition(final int id, final Partition earlier, final double seconds)
    {
        final Chain chain = ofJob.chains().chains().get(id);
        final List<Replica> replicas = new ArrayList<>();
        for (final int node : chain.members())
        {
            replicas.add(replica(id, node, replicas.isEmpty() ? Role.HEAD : Role.STANDBY));
        }
        if (Chain.NONE != chain.joiner())
        {
            replicas.add(replica(id, chain.joiner(), Role.JOINER));
        }
        final ReplicaCounters head = counters.get(key(chain.head(), id));
        final boolean isServed = Chain.NONE != chain.head() && !isSilent(chain.head()) &&
            (null == head || head.is(ReplicaCounter.ANSWERS));

        return new Partition(id, chain.epoch(), chain.version(), chain.members(), chain.joiner(), chain.wanted(),
            chain.requiredReplicas(), chain.staleReplicas(), ofJob.assignment().get(id),
            chain.isDegraded(), isServed, replicas,
            rate(null == earlier ? null : earlier.head(), chain.members().isEmpty() ? null : replicas.get(0), seconds));
    }

    private static double rate(final Replica before, final Replica now, final double seconds)
    {
        return null == before || null == now || before.applied() < 0 || now.applied() < before.applied() ||
            seconds <= 0 ? Double.NaN : (now.applied() - before.applied()) / seconds;
    }

    private Replica replica(final int partition, final int node, final Role role)
    {
        final ReplicaCounters shown = isSilent(node) ? null : counters.get(key(node, partition));
        if (null != shown)
        {
            return new Replica(node, role, shown.state(), shown.of(ReplicaCounter.EPOCH),
                shown.of(ReplicaCounter.APPLIED), shown.of(ReplicaCounter.REPLICATED),
                shown.of(ReplicaCounter.RECORDED), lag(partition, node, role));
        }
        final CoordinatorStatus.Replica said = reported.get(key(node, partition));

        return null == said ? new Replica(node, role, "", ClusterState.UNKNOWN, ClusterState.UNKNOWN,
            ClusterState.UNKNOWN, ClusterState.UNKNOWN, lag(partition, node, role)) :
            new Replica(node, role, "", ClusterState.UNKNOWN, said.applied(), said.replicated(), said.recorded(),
                lag(partition, node, role));
    }

    /**
     * The lag by the counters of both, read at nearly the same moment; else by what both have said. They say it at
     * different moments, so that even a member that keeps up is behind by the bytes that are logged in half a second.
     */
    private long lag(final int partition, final int node, final Role role)
    {
        final long member = key(node, partition);
        final long head = key(ofJob.chains().chains().get(partition).head(), partition);
        if (Role.HEAD == role)
        {
            return 0;
        }
        if (counters.containsKey(member) && counters.containsKey(head))
        {
            return Math.max(0, counters.get(head).of(ReplicaCounter.APPLIED) -
                counters.get(member).of(ReplicaCounter.APPLIED));
        }

        return !reported.containsKey(member) || !reported.containsKey(head) ? ClusterState.UNKNOWN :
            Math.max(0, reported.get(head).applied() - reported.get(member).applied());
    }

    /** Servers number partitions over all jobs. */
    private long key(final int node, final int partition)
    {
        return ReplicaCounters.key(node, job.firstPartition() + partition);
    }

    private boolean isRegistered(final int node)
    {
        return node < map.endpoints().size() && !map.endpoints().get(node).isEmpty();
    }

    private boolean isSilent(final int node)
    {
        return !isAlive.test(node) || isRegistered(node) && (heardMs(node) < 0 || heardMs(node) > SILENT_MS);
    }

    private long heardMs(final int node)
    {
        return node < status.heardMs().size() ? status.heardMs().get(node) : ClusterState.UNKNOWN;
    }
}
