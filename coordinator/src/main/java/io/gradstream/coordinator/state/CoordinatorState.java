// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.ArrayList;
import java.util.Comparator;
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
        place();

        return changed(true);
    }

    /**
     * Add a job to the cluster. It is placed once enough nodes live.
     *
     * @param id   of the cluster that is meant.
     * @param name that no other job has; a job that has it stays as it is.
     * @param spec of the job. Nodes, virtual nodes and repair delay are those of the cluster's first job.
     * @return true if the map has changed.
     * @throws IllegalArgumentException if there is no room for the job, or it cannot be.
     */
    public boolean createJob(final long id, final String name, final JobSpec spec)
    {
        return isCluster(id) && changed(null != jobs.create(name, spec));
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
        final boolean isPlacedNow = placeOthers(nowMs);
        final boolean isGivenUp = leads.onTime(nowMs);
        final Set<Integer> living = heard(nowMs - repairDelayMs());
        final Set<Integer> lost = new TreeSet<>();
        chains.values().forEach((chain) -> lost.addAll(chain.assignment()));
        lost.removeAll(living);
        int repairs = 0;
        boolean isMoved = stalled.onTime(living(nowMs - Rebalance.HEARD_MS), nowMs);
        for (final PartitionChain chain : chains.values())
        {
            isMoved |= chain.retainShown(living) | goOn(chain, nowMs);
            repairs += !chain.isMovingWhole() && chain.isUnderRepair(living) ? 1 : 0;
        }
        // where all are silent there is nobody to take a place
        final Placement target = lost.isEmpty() || living.isEmpty() ? null : without(lost, living);
        for (final int partition : null == target ? Set.<Integer>of() : chains.keySet())
        {
            if (repairs < MAX_REPAIRS && repair(partition, filled(chains.get(partition).assignment(), lost, target.assignment(partition))))
            {
                isMoved = true;
                repairs++;
            }
        }
        isMoved |= lost.stream().allMatch(this::isStuck) && 0 == repairs && rebalance.onTime(lost, nowMs);
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
        return placement(on, false);
    }

    private Placement placement(final Set<Integer> on, final boolean isForNew)
    {
        final List<List<Integer>> places = new ArrayList<>();
        final int[] copies = new int[jobs.endPartition()];
        for (int partition = 0; partition < copies.length; partition++)
        {
            final PartitionChain chain = chains.get(partition);
            places.add(null == chain ? List.of() : chain.assignment().stream().filter(on::contains).toList());
            final JobState job = jobs.ofPartition(partition);
            copies[partition] = null == job || null == chain && !isForNew ? 0 :
                isForNew && job.isPlaced ? places.get(partition).size() : job.spec.copies();
        }

        return Placement.of(on, places, copies, jobs.first().spec.virtualNodes());
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
            jobs.lastId,
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
        place();

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
            case CLAIMS -> chain.onClaim(node, version);
            case TAKES_OVER -> chain.onTakeOver(node, version);
            case LEAVES -> chain.onLeave(node, version);
        };
        isChanged |= Chain.NONE != replica.joiner() && chain.onAdmit(node, version, replica.joiner());
        for (final Suspicion suspicion : replica.suspicions())
        {
            isChanged |= complaints.onSuspicion(chain, node, version, suspicion, nowMs);
        }
        isChanged |= goOn(chain, nowMs);
        chain.onApplied(node, replica.positions().applied(), nowMs);
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

    private void place()
    {
        final Set<Integer> registered = new TreeSet<>();
        for (int node = 0; node < nodes.size(); node++)
        {
            if (nodes.get(node).isRegistered())
            {
                registered.add(node);
            }
        }
        final JobState first = jobs.first();
        if (first.isPlaced || null == first.spec || registered.size() < first.spec.nodes())
        {
            return;
        }

        final JobSpec job = first.spec;
        final Placement placement =
            Placement.initial(registered, job.partitions(), job.copies(), job.virtualNodes());
        for (int partition = 0; partition < job.partitions(); partition++)
        {
            chains.get(partition).place(placement.assignment(partition));
        }
        first.isPlaced = true;
    }

    /** Place jobs that were created since, on nodes that live. Their places go where the fewest places are. */
    private boolean placeOthers(final long nowMs)
    {
        final Set<Integer> living = living(nowMs - Rebalance.HEARD_MS);
        living.removeIf((node) -> nodes.get(node).isDraining);
        boolean isAnyPlaced = false;
        for (final JobState job : jobs.all())
        {
            if (!job.isPlaced && living.size() >= job.spec.copies())
            {
                place(job, placement(living, true).filled());
                isAnyPlaced = true;
            }
        }

        return isAnyPlaced;
    }

    private void place(final JobState job, final Placement placement)
    {
        final Map<Integer, Integer> leads = new TreeMap<>();
        chains.values().forEach((chain) -> leads.merge(
            chain.assignment().isEmpty() ? Chain.NONE : chain.assignment().get(0), 1, Integer::sum));
        for (int partition = job.firstPartition; partition < job.endPartition(); partition++)
        {
            final List<Integer> places = new ArrayList<>(placement.assignment(partition));
            places.sort(Comparator.comparingInt((node) -> leads.getOrDefault(node, 0)));
            leads.merge(places.get(0), 1, Integer::sum);
            final PartitionChain chain =
                new PartitionChain(job.spec.copies(), jobs.retiredEpoch, jobs.retiredVersion + 1);
            chain.place(places);
            chains.put(partition, chain);
        }
        job.isPlaced = true;
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

    /** True if a node has no place that another node could have: it alone has what is in its partitions. */
    private boolean isStuck(final int node)
    {
        return chains.values().stream()
            .noneMatch((chain) -> chain.assignment().contains(node) && chain.canLeave(node));
    }

    private Placement without(final Set<Integer> lost, final Set<Integer> living)
    {
        final Set<Integer> ring = new TreeSet<>(living);
        ring.addAll(lost);
        Placement placement = placement(ring);
        final Set<Integer> avoided = new TreeSet<>(lost);
        living.stream().filter((node) -> nodes.get(node).isDraining).forEach(avoided::add);
        final boolean areOthersEnough = ring.size() - avoided.size() >= jobs.copies();
        for (final int node : areOthersEnough ? avoided : lost)
        {
            placement = placement.without(node);
        }

        return placement;
    }

    /** The places of a chain that are not lost, in their order, and others in the place of those that are. */
    private static List<Integer> filled(final List<Integer> now, final Set<Integer> lost, final List<Integer> target)
    {
        final List<Integer> filled = new ArrayList<>(now);
        filled.removeAll(lost);
        for (final int node : target)
        {
            if (filled.size() < now.size() && !filled.contains(node))
            {
                filled.add(node);
            }
        }

        return filled;
    }

    private boolean repair(final int partition, final List<Integer> target)
    {
        final PartitionChain chain = chains.get(partition);
        final boolean isDue = target.size() == chain.assignment().size() && !target.equals(chain.assignment()) &&
            chain.assignment().stream().allMatch((node) -> target.contains(node) || chain.canLeave(node));
        if (isDue)
        {
            chain.assignment().forEach((node) -> nodes.get(node).replicas.remove(partition));
            chain.move(target);
        }

        return isDue;
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
