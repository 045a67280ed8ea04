// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.coordinator.client.CoordinatorPort;
import io.gradstream.coordinator.client.NodeReport;
import io.gradstream.coordinator.client.ReplicaReport;
import io.gradstream.coordinator.client.Suspicion;
import io.gradstream.simulator.coordinator.PlantedCoordinatorFaults;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.World;

import java.util.ArrayList;
import java.util.List;

/**
 * The production way of one process to the coordinators, watched, and the place for mistakes about what it says and
 * hears.
 */
final class WatchedCoordinator implements CoordinatorPort
{
    private final World world;
    private final Cluster cluster;
    private final CoordinatorPort coordinator;
    private final int nodeId;
    private final long incarnation;
    private final PlantedCoordinatorFaults lies;
    private final PlantedLeaseFaults leaseLies;
    private final PlantedJobMaps jobLies;
    private long mapVersion;
    private long number;
    private ChainMap known;
    private NodeReport last;

    WatchedCoordinator(final World world, final Cluster cluster, final int nodeId, final long incarnation)
    {
        this.world = world;
        this.cluster = cluster;
        this.nodeId = nodeId;
        this.incarnation = incarnation;
        lies = cluster.coordinator().lies();
        leaseLies = cluster.lies().lease();
        jobLies = new PlantedJobMaps(world);
        coordinator = new CoordinatorLink(
            (listener) -> cluster.coordinator().connect(nodeId, listener),
            (error) ->
            {
                throw new IllegalStateException(error);
            });
    }

    @Override
    public boolean report(final NodeReport report)
    {
        last = report;
        final List<ReplicaReport> replicas =
            report.replicas().stream().map(this::claimAtOnce).map(this::confirmAtOnce).toList();
        final boolean isTaken = coordinator.report(new NodeReport(
            report.nodeId(), incarnation, ++number, report.isAnswered(), report.endpoint(), replicas));
        if (isTaken)
        {
            replicas.forEach(this::onReported);
            replicas.forEach((replica) -> onSaid(report.nodeId(), replica.partition()));
        }

        return isTaken;
    }

    private void onSaid(final int node, final int partition)
    {
        cluster.coordinator().checks().jobs().onSaid(
            node, incarnation, number, partition, cluster.at(nodeId).process().hosted(partition).jobId());
    }

    private void onReported(final ReplicaReport replica)
    {
        for (final Suspicion suspicion : replica.suspicions())
        {
            world.journal().note("node-" + nodeId, "suspects", suspicion.nodeId(), "partition", replica.partition(),
                "version", replica.chainVersion(), suspicion.isAnswered() ? "" : "unanswered");
            leaseLies.onSuspected(nodeId, replica.partition(), suspicion.nodeId());
        }
        if (ReplicaReport.Status.LEADS == replica.status() && replica.partition() < world.config().partitions())
        {
            cluster.listener().onConfirm(nodeId, replica.partition());
        }
        if (ReplicaReport.Status.CLAIMS == replica.status() || ReplicaReport.Status.LEAVES == replica.status() ||
            ReplicaReport.Status.TAKES_OVER == replica.status())
        {
            world.journal().note("node-" + nodeId, replica.status().toString(), "partition", replica.partition(),
                "version", replica.chainVersion());
        }
    }

    private ReplicaReport claimAtOnce(final ReplicaReport replica)
    {
        final Chain chain = null == known || replica.partition() >= known.chains().size() ? null :
            known.chains().get(replica.partition());
        final boolean isTakenOver = world.isPlanted(PlantedFault.LEAD_TAKEN_OVER_AT_ONCE);
        return null == chain || chain.transferee() != nodeId || !isTakenOver &&
            !world.isPlanted(PlantedFault.CLAIM_AT_ONCE) ? replica : new ReplicaReport(replica.partition(),
            isTakenOver ? ReplicaReport.Status.TAKES_OVER : ReplicaReport.Status.CLAIMS, chain.version(),
            replica.logEnd(), replica.joiner(), replica.suspicions(), replica.positions());
    }

    private ReplicaReport confirmAtOnce(final ReplicaReport replica)
    {
        return ReplicaReport.Status.NONE == replica.status() && world.isPlanted(PlantedFault.CONFIRMS_AT_ONCE) &&
            cluster.at(nodeId).process().hosted(replica.partition()).isPrimary() ?
            new ReplicaReport(replica.partition(), ReplicaReport.Status.LEADS, replica.chainVersion(),
            replica.logEnd(), replica.joiner(), replica.suspicions(), replica.positions()) : replica;
    }

    @Override
    public int doWork(final long nowNs)
    {
        return coordinator.doWork(nowNs);
    }

    @Override
    public ClusterMap poll()
    {
        final ClusterMap map = coordinator.poll();
        if (null == map)
        {
            return null;
        }
        Violation.check(map.version() > mapVersion, Violation.Kind.MAP_WENT_BACK, "node, version, before", nodeId,
            map.version(), mapVersion);
        mapVersion = map.version();
        final ChainMap told = lies.map(map.chains());
        known = told;
        leaseLies.onMap(nodeId, told);
        for (int partition = 0; partition < told.chains().size(); partition++)
        {
            final Chain chain = told.chains().get(partition);
            leaseLies.onChain(nodeId, partition, chain.transferee() == nodeId);
            if (chain.transferee() == nodeId && (world.isPlanted(PlantedFault.CLAIM_AT_ONCE) ||
                world.isPlanted(PlantedFault.LEAD_TAKEN_OVER_AT_ONCE)))
            {
                report(last);
            }
        }

        return jobLies.map(new ClusterMap(map.jobs(), map.deletedJobs(), map.endpoints(), map.assignment(),
            withoutMoved(cluster.lies().mapOfThisLife(told, nodeId, incarnation), map), map.clusterId()));
    }

    /** Chains in which a node has no part any more as soon as its place has moved, or it is no member. */
    private ChainMap withoutMoved(final ChainMap told, final ClusterMap map)
    {
        final boolean isAtOnce = world.isPlanted(PlantedFault.MOVED_COPY_DELETED_AT_ONCE);
        if (!isAtOnce && !world.isPlanted(PlantedFault.MOVED_COPY_DELETED_UNCONFIRMED))
        {
            return told;
        }
        final int id = cluster.at(nodeId).id();
        final List<Chain> chains = new ArrayList<>(told.chains());
        for (int partition = 0; partition < chains.size(); partition++)
        {
            final Chain chain = chains.get(partition);
            if (!map.assignment().get(partition).contains(id) && (isAtOnce || !chain.holds(id)))
            {
                chains.set(partition, new Chain(chain.epoch(), chain.version(),
                    chain.members().stream().filter((node) -> node != id).toList(), chain.joiner(), chain.wanted(),
                    chain.transferee(), List.of(), List.of()));
            }
        }

        return new ChainMap(told.version(), told.incarnations(), chains);
    }

    @Override
    public void close()
    {
        coordinator.close();
    }

    @Override
    public boolean isAnswered(final long sinceNs)
    {
        return coordinator.isAnswered(sinceNs) || lies.isAnswered(coordinator.connection());
    }

    @Override
    public void ask()
    {
        coordinator.ask();
    }

    @Override
    public long connection()
    {
        return coordinator.connection();
    }
}
