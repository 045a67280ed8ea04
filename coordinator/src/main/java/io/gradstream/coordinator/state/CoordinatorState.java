// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

import io.gradstream.coordinator.client.ReplicaPositions;
import io.gradstream.coordinator.client.Suspicion;
import io.gradstream.coordinator.client.ReplicaReport;
import io.gradstream.coordinator.client.NodeReport;
import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.Check;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.JobSpec;

/**
 * Decides which node keeps which partition, and who serves it, as a function of the messages of nodes and workers in
 * their order. Time is that of the messages and chance does not enter, so that every copy which takes the same messages
 * decides the same.
 * <p>
 * A report of a process that is not the registered one of its node is ignored, and so is what it asks for in a chain
 * that has changed since ({@link ReplicaReport}). Methods return whether there is a new {@link #map()} to tell
 * everyone.
 */
public final class CoordinatorState
{
    /** Most partitions that are copied to another node at once because one is lost. */
    public static final int MAX_REPAIRS = 4;
    /** Most places that move at once because a node has come. */
    public static final int MAX_MOVES = Rebalance.MAX_MOVES;

    private static final Chain NOBODY = new Chain(0, 0, List.of(), Chain.NONE, 0);

    final List<NodeRecord> nodes = new ArrayList<>();
    /** The chains of all jobs, by the number of the partition in the cluster. */
    final TreeMap<Integer, PartitionChain> chains = new TreeMap<>();
    final Jobs jobs = new Jobs();
    private final LeadershipTransfers leads = new LeadershipTransfers(this);
    private final StalledPlaces stalled = new StalledPlaces(this);
    private final Repairs repairs = new Repairs(this);
    private final JobPlaces places = new JobPlaces(this);
    private final Rebalance rebalance = new Rebalance(this, stalled);
    final LeadBalance balance = new LeadBalance(this);
    final SuspicionArbiter complaints = new SuspicionArbiter(this);
    long clusterId;
    long version;
    long failovers;
    long spuriousFailovers;

    /**
     * No job yet: {@link #defineJob} says what it is, and its partitions are placed once enough nodes have registered.
     */
    public CoordinatorState()
    {
    }

    /**
     * Define the first job, and which cluster this is from now on. The first definition counts for good.
     *
     * @param spec of the job.
     * @param id   of the cluster, which no other one has.
     * @return true if the map has changed.
     */
    public boolean defineJob(final JobSpec spec, final long id)
    {
        if (jobs.isAny())
        {
            return false;
        }
        jobs.first().spec = spec;
        clusterId = id;
        for (int partition = 0; partition < spec.partitions(); partition++)
        {
            chains.put(partition, new PartitionChain(spec.copies()));
        }
        places.placeFirst();

        return changed(true);
    }

    /**
     * Add a job to the cluster. It is placed once enough nodes live.
     *
     * @param id    of the cluster that is meant.
     * @param name  that no other job has; a job that has it stays as it is.
     * @param spec  of the job. Nodes, virtual nodes and repair delay are those of the cluster's first job.
     * @param nowMs time of the message.
     * @return true if the map has changed.
     * @throws IllegalArgumentException if there is no room for the job, or it cannot be.
     */
    public boolean createJob(final long id, final String name, final JobSpec spec, final long nowMs)
    {
        return isCluster(id) && changed(null != jobs.create(name, spec, nowMs));
    }

    /**
     * Delete a job with all that its nodes keep of it. The first job stays as long as the cluster.
     *
     * @param id    of the cluster that is meant.
     * @param jobId number of the job.
     * @return true if the map has changed.
     */
    public boolean deleteJob(final long id, final int jobId)
    {
        final JobState job = isCluster(id) && ClusterMap.Job.FIRST_ID != jobId ? jobs.of(jobId) : null;
        if (null == job)
        {
            return false;
        }
        for (int partition = job.firstPartition; partition < job.endPartition(); partition++)
        {
            final PartitionChain chain = chains.remove(partition);
            if (null != chain)
            {
                jobs.retiredEpoch = Math.max(jobs.retiredEpoch, chain.chain().epoch());
                jobs.retiredVersion = Math.max(jobs.retiredVersion, chain.version());
            }
            for (final NodeRecord node : nodes)
            {
                node.replicas.remove(partition);
            }
        }
        leads.forget(jobId);
        balance.onChainsGone();
        jobs.remove(job);

        return changed(true);
    }

    /**
     * Bind a job's slots otherwise from now on. Heads of partitions log it once they have the map.
     *
     * @param id    of the cluster that is meant.
     * @param jobId number of the job.
     * @return true if the map has changed.
     * @throws IllegalArgumentException if the job's mode does not allow it.
     */
    public boolean setConsistency(final long id, final int jobId, final Consistency consistency)
    {
        final JobState job = isCluster(id) ? jobs.of(jobId) : null;
        if (null == job || consistency.equals(job.consistency()))
        {
            return false;
        }
        job.spec = job.spec.with(consistency);

        return changed(true);
    }

    /**
     * Limit what a job takes of its servers from now on.
     *
     * @param id    of the cluster that is meant.
     * @param jobId number of the job.
     * @return true if the map has changed.
     */
    public boolean setLimits(final long id, final int jobId, final JobSpec.Limits limits)
    {
        final JobState job = isCluster(id) ? jobs.of(jobId) : null;
        if (null == job || limits.equals(job.spec.limits()))
        {
            return false;
        }
        job.spec = job.spec.with(limits);

        return changed(true);
    }

    /**
     * Leave a node without places, a few at a time, or let it have some again. A node that keeps nothing is forgotten
     * once it is silent.
     *
     * @param id         of the cluster that is meant.
     * @param node       its id.
     * @param isDraining false to let it have places again.
     * @return true if that is news.
     * @throws IllegalArgumentException if there is no such node, or fewer others than the job wants copies, or if the
     *                                  job keeps no log from which others could take what the node has.
     */
    public boolean drain(final long id, final int node, final boolean isDraining)
    {
        if (!isCluster(id) || isNode(node) && isDraining == nodes.get(node).isDraining)
        {
            return false;
        }
        Check.that(isNode(node) && nodes.get(node).isRegistered(), "node", node, "one of the registered nodes");
        int others = 0;
        for (int other = 0; other < nodes.size(); other++)
        {
            others += other != node && nodes.get(other).isRegistered() && !nodes.get(other).isDraining ? 1 : 0;
        }
        Check.that(!isDraining || others >= jobs.copies(), "node", node, "one of more than " + jobs.copies() +
            " nodes that are not drained, because the job wants so many copies");
        jobs.all().forEach((job) -> Check.that(
            !isDraining || job.spec.mode().keepsLog(), "mode", job.spec.mode().label(), "one that keeps a log"));
        nodes.get(node).isDraining = isDraining;

        return changed(true);
    }

    /** True if a node's places move to others; its id is below {@link #nodeCount()}. */
    public boolean isDraining(final int node)
    {
        return nodes.get(node).isDraining;
    }

    /**
     * Take all that a node says of itself. A process that is newer than the registered one becomes the node; then the
     * earlier one is dead.
     *
     * @param report of the node, whose id is 0 to {@link JobSpec#MAX_NODES} - 1.
     * @param nowMs  time of the message.
     * @return true if the map has changed.
     */
    public boolean onReport(final NodeReport report, final long nowMs)
    {
        final int node = report.nodeId();
        boolean isChanged = register(report, nowMs);
        if (isNode(node) && nodes.get(node).isNext(report))
        {
            final NodeRecord record = nodes.get(node);
            record.reportNumber = report.number();
            record.heardMs = nowMs;
            record.hasReported = true;
            record.replicas.clear();
            if (report.isAnswered())
            {
                complaints.onAnswered(node, nowMs);
            }
            for (final ReplicaReport replica : report.replicas())
            {
                isChanged |= isOfJob(replica) && onReplica(node, replica, nowMs);
            }
        }

        return changed(isChanged);
    }

    /**
     * Time goes on: give the places of nodes that have been silent for too long to others, a few at once, and then some
     * to nodes that have fewer than others. Once all that is done, leads are spread.
     *
     * @param nowMs time.
     * @return true if the map has changed.
     */
    public boolean onTime(final long nowMs)
    {
        if (!jobs.first().isPlaced)
        {
            return false;
        }
        final boolean isPlacedNow = places.placeOthers(nowMs);
        final boolean isGivenUp = leads.onTime(nowMs);
        final Set<Integer> living = heard(nowMs - repairDelayMs());
        boolean isMoved = stalled.onTime(living(nowMs - Rebalance.HEARD_MS), nowMs);
        final Set<Integer> lost = repairs.lost(living);
        int underWay = 0;
        for (final PartitionChain chain : chains.values())
        {
            isMoved |= chain.retainShown(living) | goOn(chain, nowMs);
            underWay += !chain.isMovingWhole() && chain.isUnderRepair(living) ? 1 : 0;
        }
        final int begun = repairs.onTime(lost, living, underWay);
        isMoved |= begun > 0;
        isMoved |= repairs.areStuck(lost) && 0 == underWay + begun && rebalance.onTime(lost, nowMs);
        isMoved |= rebalance.forgetEmpty(nowMs - repairDelayMs());
        isMoved |= balance.onTime(nowMs);

        return changed(isMoved | isGivenUp | isPlacedNow);
    }

    /** The rules that move the lead where workers do not reach a head. */
    public LeadershipTransfers leads()
    {
        return leads;
    }

    /** The slots of the first job, and which processes hold them. */
    public SlotLeases slots()
    {
        return jobs.first().slots;
    }

    /** The batches that slots of the first job share. */
    public WorkUnits work()
    {
        return jobs.first().work;
    }

    /** The slots of a job, and which processes hold them; null if there is no such job. */
    public SlotLeases slots(final int jobId)
    {
        final JobState job = jobs.of(jobId);
        return null == job ? null : job.slots;
    }

    /** The batches that slots of a job share; null if there is no such job. */
    public WorkUnits work(final int jobId)
    {
        final JobState job = jobs.of(jobId);
        return null == job ? null : job.work;
    }

    /** True if a job is defined, and the cluster has this id. */
    public boolean isCluster(final long id)
    {
        return jobs.isAny() && id == clusterId;
    }

    /** True if the first job is placed. */
    boolean isPlaced()
    {
        return jobs.first().isPlaced;
    }

    /** A silent node's places are given to others after so many milliseconds. */
    int repairDelayMs()
    {
        return jobs.first().spec.repairDelayMs();
    }

    /** True if the job of a partition keeps a log, from which a copy that joins can be sent what it lacks. */
    boolean keepsLog(final int partition)
    {
        return jobs.ofPartition(partition).spec.mode().keepsLog();
    }

    /**
     * The places on some nodes, of all jobs. A partition that no job has wants no copies.
     *
     * @param on nodes of the placement; places on others are left out.
     */
    Placement placement(final Set<Integer> on)
    {
        return places.of(on, false);
    }

    /**
     * Another member leads the coordinators. No report arrived while nobody led, so that silence in that time tells
     * nothing: every node has its whole time again. The new leader's clock may show less than the last one's.
     *
     * @param nowMs time.
     */
    public void onNewLeader(final long nowMs)
    {
        leads.onNewLeader(nowMs);
        balance.onNewLeader(nowMs);
        complaints.onNewLeader(nowMs);
        for (final JobState job : jobs.all())
        {
            job.slots.onNewLeader(nowMs);
            job.work.onNewLeader(nowMs);
        }
        for (final NodeRecord node : nodes)
        {
            node.heardMs = node.isRegistered() ? nowMs : node.heardMs;
            node.hasReported = false;
        }
    }

    /** All chains, which say who serves what. */
    public ChainMap map()
    {
        return new ChainMap(
            version,
            nodes.stream().map((node) -> node.incarnation).toList(),
            ofPartitions(PartitionChain::chain, NOBODY));
    }

    /** All decisions so far: the map with the job, addresses and places. */
    public ClusterMap clusterMap()
    {
        return new ClusterMap(
            jobs.told(),
            jobs.deleted(),
            nodes.stream().map((node) -> node.endpoint).toList(),
            ofPartitions(PartitionChain::assignment, List.of()),
            map(),
            clusterId);
    }

    /** Version of the {@link #map()}, which grows with every change. */
    public long version()
    {
        return version;
    }

    /** The first job; null while none is defined. */
    public JobSpec job()
    {
        return jobs.first().spec;
    }

    /** Number of processes that lost the leadership of a partition, or of several, to another node. */
    public long failovers()
    {
        return failovers;
    }

    /** Number of the {@link #failovers()} whose process turned out to be alive. */
    public long spuriousFailovers()
    {
        return spuriousFailovers;
    }

    /** Number of nodes that may have registered: the highest id + 1. */
    public int nodeCount()
    {
        return nodes.size();
    }

    /**
     * When a node was last heard.
     *
     * @param node its id, below {@link #nodeCount()}.
     * @return time of its message in milliseconds, {@code Long.MIN_VALUE} if never.
     */
    public long heardMs(final int node)
    {
        return nodes.get(node).heardMs;
    }

    /**
     * How far a node's replicas were when it was last heard.
     *
     * @param node its id, below {@link #nodeCount()}.
     * @return positions by partition, in order.
     */
    public Map<Integer, ReplicaPositions> replicas(final int node)
    {
        return nodes.get(node).replicas;
    }

    /**
     * Nodes whose logs must be seen before a partition without members is opened again.
     *
     * @param partition its number.
     * @return node ids.
     */
    Set<Integer> required(final int partition)
    {
        return chains.get(partition).required();
    }

    /**
     * Register the process that sent a report as its node, if the process is newer than the registered one. A process
     * at another address than the registered one, which lives, is refused: its node id is mistyped, or the node has
     * moved and reports until the earlier process is silent. Returns true if the process is the node from now on.
     */
    private boolean register(final NodeReport report, final long nowMs)
    {
        final int node = report.nodeId();
        if (node < 0 || node >= JobSpec.MAX_NODES || report.incarnation() <= 0 || isNode(node) &&
            (report.incarnation() <= nodes.get(node).incarnation || nodes.get(node).stands(report.endpoint(), nowMs)))
        {
            return isNode(node) && recall(nodes.get(node), report);
        }
        while (!isNode(node))
        {
            nodes.add(new NodeRecord());
        }

        for (final PartitionChain chain : chains.values())
        {
            if (chain.onDead(node))
            {
                countFailover(node);
            }
        }
        final NodeRecord record = nodes.get(node);
        // a new process of a node that was forgotten is a newcomer
        record.isDraining &= record.isRegistered();
        record.incarnation = report.incarnation();
        record.endpoint = report.endpoint();
        record.reportNumber = 0;
        record.heardMs = nowMs;
        record.replicas.clear();
        complaints.forget(node);
        places.placeFirst();

        return true;
    }

    /** A process that was forgotten since it was silent, and kept nothing, is heard again. True if it was. */
    private static boolean recall(final NodeRecord record, final NodeReport report)
    {
        final boolean isForgotten = record.isForgotten(report);
        record.endpoint = isForgotten ? report.endpoint() : record.endpoint;

        return isForgotten;
    }

    private boolean onReplica(final int node, final ReplicaReport replica, final long nowMs)
    {
        final PartitionChain chain = chains.get(replica.partition());
        final long version = replica.chainVersion();
        boolean isChanged = switch (replica.status())
        {
            case NONE -> false;
            case RECOVERED -> onRecovered(node, chain, replica);
            case LEADS -> chain.onConfirm(node, version, keepsLog(replica.partition()));
            case CLAIMS -> chain.onClaim(node, version, nowMs);
            case TAKES_OVER -> chain.onTakeOver(node, version);
            case LEAVES -> chain.onLeave(node, version);
        };
        isChanged |= Chain.NONE != replica.joiner() && chain.onAdmit(node, version, replica.joiner());
        for (final Suspicion suspicion : replica.suspicions())
        {
            isChanged |= complaints.onSuspicion(chain, node, version, suspicion, nowMs);
        }
        isChanged |= goOn(chain, nowMs);
        chain.place().onPositions(node, replica.positions(), chain.chain(), nowMs);
        if (chain.assignment().contains(node) || chain.chain().holds(node))
        {
            nodes.get(node).replicas.put(replica.partition(), replica.positions());
        }

        return isChanged;
    }

    /** A process that recovers lives: if it has lost a lead because it was silent, that failover was spurious. */
    private boolean onRecovered(final int node, final PartitionChain chain, final ReplicaReport replica)
    {
        final NodeRecord record = nodes.get(node);
        if (chain.onSeenAlive(node) && !record.isSeenAlive)
        {
            record.isSeenAlive = true;
            spuriousFailovers++;
        }

        return chain.onRecovered(node, replica.chainVersion(), replica.logEnd());
    }

    private boolean goOn(final PartitionChain chain, final long nowMs)
    {
        return chain.goOn((node) -> leads.isAlive(node, nowMs), nowMs);
    }

    /** One thing for each partition up to the last one of any job. */
    private <T> List<T> ofPartitions(final Function<PartitionChain, T> function, final T nothing)
    {
        final List<T> all = new ArrayList<>();
        for (int partition = 0; partition < jobs.endPartition(); partition++)
        {
            final PartitionChain chain = chains.get(partition);
            all.add(null == chain ? nothing : function.apply(chain));
        }

        return all;
    }

    /** True if a replica is of a job that there is: its node may not know yet that another job has the partition. */
    private boolean isOfJob(final ReplicaReport replica)
    {
        final PartitionChain chain = chains.get(replica.partition());
        return null != chain && replica.chainVersion() >= chain.firstVersion();
    }

    /** The nodes that are not silent since a time. */
    private Set<Integer> heard(final long sinceMs)
    {
        return nodesOf((node) -> node.isHeardSince(sinceMs));
    }

    /** The nodes that can be relied on: they have reported since a time, and to this leader of the coordinators. */
    Set<Integer> living(final long sinceMs)
    {
        return nodesOf((node) -> node.isAliveSince(sinceMs));
    }

    private Set<Integer> nodesOf(final Predicate<NodeRecord> condition)
    {
        final Set<Integer> found = new TreeSet<>();
        for (int node = 0; node < nodes.size(); node++)
        {
            if (condition.test(nodes.get(node)))
            {
                found.add(node);
            }
        }

        return found;
    }

    /** A process that heads several partitions loses them one after the other: that is one failover. */
    void countFailover(final int node)
    {
        final NodeRecord record = nodes.get(node);
        if (record.deposed != record.incarnation || record.isSeenAlive)
        {
            record.deposed = record.incarnation;
            record.isSeenAlive = false;
            failovers++;
        }
    }

    boolean changed(final boolean isChanged)
    {
        version += isChanged ? 1 : 0;
        return isChanged;
    }

    private boolean isNode(final int node)
    {
        return node >= 0 && node < nodes.size();
    }
}
