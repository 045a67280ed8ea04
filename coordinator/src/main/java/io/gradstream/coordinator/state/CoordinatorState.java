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
package io.gradstream.coordinator.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;

/**
 * Who keeps which partition: the coordinator's decisions as a function of the messages of nodes in their order.
 * Time is that of the messages and chance does not enter, so that every copy which takes the same messages decides the
 * same.
 * <p>
 * A message of a process that is not the registered one of its node, or about a chain that has changed since, is
 * ignored: repeating one does no harm. Methods return whether there is a new {@link #map()} to tell everyone.
 */
public final class CoordinatorState
{
    /** Most partitions that are copied to another node at once because one is lost. */
    public static final int MAX_REPAIRS = 4;

    final List<NodeRecord> nodes = new ArrayList<>();
    final List<PartitionChain> chains = new ArrayList<>();
    private final LeadMoves leads = new LeadMoves(this);
    private final Complaints complaints = new Complaints(this);
    JobSpec job;
    boolean isPlaced;
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
     * A job that nobody serves yet, whose partitions have their places for good.
     *
     * @param nodeCount number of nodes; their ids are 0 to nodeCount - 1.
     * @param homes     for each partition the ids of the nodes that keep it, the preferred primary first; as many as
     *                  there should be copies.
     * @throws IllegalArgumentException if a home is not a node, or is named twice.
     */
    public CoordinatorState(final int nodeCount, final List<List<Integer>> homes)
    {
        for (int node = 0; node < nodeCount; node++)
        {
            nodes.add(new NodeRecord());
        }
        for (int partition = 0; partition < homes.size(); partition++)
        {
            final List<Integer> home = homes.get(partition);
            if (Set.copyOf(home).size() != home.size() || home.stream().anyMatch((node) -> !isNode(node)))
            {
                throw new IllegalArgumentException("invalid homes=" + home + " of partition " + partition +
                    ": must be different nodes of 0.." + (nodeCount - 1));
            }
            final PartitionChain chain = new PartitionChain(home.size());
            chain.place(home);
            chains.add(chain);
        }
        isPlaced = true;
    }

    /**
     * What the job is. The first definition counts for good.
     *
     * @param spec of the job.
     * @return true if the map has changed.
     */
    public boolean defineJob(final JobSpec spec)
    {
        return defineJob(spec, ClusterMap.NO_CLUSTER);
    }

    /**
     * What the job is, and which cluster this is from now on. The first definition counts for good.
     *
     * @param spec of the job.
     * @param id   of the cluster, which no other one has.
     * @return true if the map has changed.
     */
    public boolean defineJob(final JobSpec spec, final long id)
    {
        if (null != job || isPlaced)
        {
            return false;
        }
        job = spec;
        clusterId = id;
        for (int partition = 0; partition < spec.partitions(); partition++)
        {
            chains.add(new PartitionChain(spec.copies()));
        }
        place();

        return changed(true);
    }

    /**
     * A new process is the node; its earlier one is dead. For nodes whose address does not matter.
     *
     * @param node        its id.
     * @param incarnation of the process, above 0 and above that of any earlier one.
     * @return true if the map has changed.
     */
    public boolean register(final int node, final long incarnation)
    {
        return isNode(node) && register(node, incarnation, "", 0);
    }

    /**
     * A new process is the node; its earlier one is dead.
     *
     * @param node        its id, 0 to {@link JobSpec#MAX_NODES} - 1.
     * @param incarnation of the process, above 0 and above that of any earlier one.
     * @param endpoint    host:port on which it listens.
     * @param nowMs       time of the message.
     * @return true if the map has changed.
     */
    public boolean register(final int node, final long incarnation, final String endpoint, final long nowMs)
    {
        if (node < 0 || node >= JobSpec.MAX_NODES || incarnation <= 0 ||
            isNode(node) && incarnation <= nodes.get(node).incarnation)
        {
            return false;
        }
        while (!isNode(node))
        {
            nodes.add(new NodeRecord());
        }

        for (final PartitionChain chain : chains)
        {
            if (chain.onDead(node))
            {
                countFailover(node);
            }
        }
        final NodeRecord record = nodes.get(node);
        record.incarnation = incarnation;
        record.endpoint = endpoint;
        record.heardMs = nowMs;
        record.replicas.clear();
        complaints.forget(node);
        place();

        return changed(true);
    }

    /**
     * Does a process live that is the node, at another address? Then a new one is not to be registered: its id is
     * mistyped, or it moved and registers again until the earlier one is silent.
     *
     * @param node     its id.
     * @param endpoint host:port of the new process.
     * @param nowMs    time of the message.
     * @return true if so.
     */
    public boolean isHeldElsewhere(final int node, final String endpoint, final long nowMs)
    {
        return isNode(node) && nodes.get(node).stands(endpoint, nowMs);
    }

    /**
     * A node lives.
     *
     * @param node        its id.
     * @param incarnation of its process.
     * @param nowMs       time of the message.
     * @param replicas    how far it is, by partition; those that do not belong there are left out.
     */
    public void alive(
        final int node, final long incarnation, final long nowMs, final Map<Integer, ReplicaPositions> replicas)
    {
        if (isRegistered(node, incarnation))
        {
            final NodeRecord record = nodes.get(node);
            record.heardMs = nowMs;
            record.replicas.clear();
            replicas.forEach((partition, positions) ->
            {
                if (isHome(node, partition))
                {
                    record.replicas.put(partition, positions);
                }
            });
        }
    }

    /**
     * Time goes on: give the places of nodes that have been silent for too long to others, a few at once.
     *
     * @param nowMs time.
     * @return true if the map has changed.
     */
    public boolean onTime(final long nowMs)
    {
        if (null == job || !isPlaced)
        {
            return false;
        }
        final boolean isGivenUp = leads.onTime(nowMs);
        final Set<Integer> living = living(nowMs - job.repairDelayMs());
        final Set<Integer> lost = new TreeSet<>();
        chains.forEach((chain) -> lost.addAll(chain.homes()));
        lost.removeAll(living);
        int repairs = 0;
        for (final PartitionChain chain : chains)
        {
            repairs += chain.isUnderRepair(living) ? 1 : 0;
        }
        // where all are silent there is nobody to take a place
        final Placement target = lost.isEmpty() || living.isEmpty() ? null : without(lost, living);
        boolean isMoved = false;
        for (int partition = 0; null != target && partition < chains.size() && repairs < MAX_REPAIRS; partition++)
        {
            if (repair(partition, target.homes(partition)))
            {
                isMoved = true;
                repairs++;
            }
        }

        return changed(isMoved | isGivenUp);
    }

    /** What moves the lead where workers do not reach a head. */
    public LeadMoves leads()
    {
        return leads;
    }

    /** What removes neighbours in a chain that are out of touch. */
    public Complaints complaints()
    {
        return complaints;
    }

    /**
     * Nodes are told apart from lost ones only by signs of life, and these wait while nobody leads the coordinators:
     * after that all have their whole time again. The new leader's clock may show less than the last one's.
     *
     * @param nowMs time.
     */
    public void onNewLeader(final long nowMs)
    {
        leads.onNewLeader(nowMs);
        complaints.onNewLeader(nowMs);
        for (final NodeRecord node : nodes)
        {
            node.heardMs = node.isRegistered() ? nowMs : node.heardMs;
        }
    }

    /**
     * A replica has climbed to the end of its own log and waits for a role, as far as its node knows now: for nodes
     * whose messages neither come late nor twice.
     *
     * @param node        its id.
     * @param incarnation of its process.
     * @param partition   its number.
     * @param epoch       of the last record in its log, 0 if there is none, below 0 if the log is damaged.
     * @param position    where its log ends.
     * @return true if the map has changed.
     */
    public boolean climbed(
        final int node, final long incarnation, final int partition, final long epoch, final long position)
    {
        return climbed(node, incarnation, partition, Long.MAX_VALUE, new ClimbedReport(epoch, position));
    }

    /**
     * A replica has climbed to the end of its own log and waits for a role.
     *
     * @param node         its id.
     * @param incarnation  of its process.
     * @param partition    its number.
     * @param chainVersion newest of the chain that the node knew then.
     * @param report       what its log holds.
     * @return true if the map has changed.
     */
    public boolean climbed(
        final int node,
        final long incarnation,
        final int partition,
        final long chainVersion,
        final ClimbedReport report)
    {
        if (!isKnown(node, incarnation, partition))
        {
            return false;
        }
        final NodeRecord record = nodes.get(node);
        if (chains.get(partition).onSeenAlive(node) && !record.isSeenAlive)
        {
            record.isSeenAlive = true;
            spuriousFailovers++;
        }

        return changed(chains.get(partition).onClimbed(node, chainVersion, report));
    }

    /**
     * The joiner gives up its place before it deletes what it has.
     *
     * @param node         its id.
     * @param incarnation  of its process.
     * @param partition    its number.
     * @param chainVersion under which it is the joiner.
     * @return true if the map has changed.
     */
    public boolean leave(final int node, final long incarnation, final int partition, final long chainVersion)
    {
        return isKnown(node, incarnation, partition) &&
            changed(chains.get(partition).onLeave(node, chainVersion));
    }

    /**
     * The head acknowledges by the membership of this version from now on: those removed before are needed no more.
     *
     * @param node         its id.
     * @param incarnation  of its process.
     * @param partition    its number.
     * @param chainVersion under which it acts.
     * @return false: the map does not change by it.
     */
    public boolean confirm(final int node, final long incarnation, final int partition, final long chainVersion)
    {
        if (isKnown(node, incarnation, partition))
        {
            chains.get(partition).onConfirm(node, chainVersion);
        }

        return false;
    }

    /**
     * The joiner has everything that was acknowledged and is counted: it becomes the last member.
     *
     * @param reporter     id of the last member.
     * @param incarnation  of its process.
     * @param partition    its number.
     * @param chainVersion under which it joins.
     * @param joiner       its id.
     * @return true if the map has changed.
     */
    public boolean admit(
        final int reporter, final long incarnation, final int partition, final long chainVersion, final int joiner)
    {
        return isKnown(reporter, incarnation, partition) &&
            changed(chains.get(partition).onAdmit(reporter, chainVersion, joiner));
    }

    /**
     * Who serves what.
     *
     * @return all chains.
     */
    public ChainMap map()
    {
        return new ChainMap(
            version,
            nodes.stream().map((node) -> node.incarnation).toList(),
            chains.stream().map(PartitionChain::chain).toList());
    }

    /**
     * All decisions so far.
     *
     * @return the map with the job, addresses and places.
     */
    public ClusterMap clusterMap()
    {
        return new ClusterMap(
            job,
            nodes.stream().map((node) -> node.endpoint).toList(),
            chains.stream().map(PartitionChain::homes).toList(),
            map(),
            clusterId);
    }

    /**
     * Version of the {@link #map()}.
     *
     * @return grows with every change.
     */
    public long version()
    {
        return version;
    }

    /**
     * The job.
     *
     * @return null while none is defined, or where its places were given for good.
     */
    public JobSpec job()
    {
        return job;
    }

    /**
     * Processes that lost the leadership of a partition, or of several, to another node.
     *
     * @return number of them.
     */
    public long failovers()
    {
        return failovers;
    }

    /**
     * Those of the {@link #failovers()} whose process turned out to be alive.
     *
     * @return number of them.
     */
    public long spuriousFailovers()
    {
        return spuriousFailovers;
    }

    /**
     * Number of nodes that may have registered.
     *
     * @return highest id + 1.
     */
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
        if (isPlaced || null == job || registered.size() < job.nodes())
        {
            return;
        }

        final Placement placement =
            Placement.initial(registered, job.partitions(), job.copies(), job.virtualNodes());
        for (int partition = 0; partition < chains.size(); partition++)
        {
            chains.get(partition).place(placement.homes(partition));
        }
        isPlaced = true;
    }

    private Set<Integer> living(final long sinceMs)
    {
        final Set<Integer> living = new TreeSet<>();
        for (int node = 0; node < nodes.size(); node++)
        {
            if (nodes.get(node).isHeardSince(sinceMs))
            {
                living.add(node);
            }
        }

        return living;
    }

    private Placement without(final Set<Integer> lost, final Set<Integer> living)
    {
        final Set<Integer> ring = new TreeSet<>(living);
        ring.addAll(lost);
        Placement placement = Placement.of(
            ring, chains.stream().map(PartitionChain::homes).toList(), job.copies(), job.virtualNodes());
        for (final int node : lost)
        {
            placement = placement.without(node);
        }

        return placement;
    }

    private boolean repair(final int partition, final List<Integer> target)
    {
        final PartitionChain chain = chains.get(partition);
        final boolean isDue = target.size() == chain.homes().size() && !target.equals(chain.homes()) &&
            chain.homes().stream().allMatch((node) -> target.contains(node) || chain.canLeave(node));
        if (isDue)
        {
            chain.homes().forEach((node) -> nodes.get(node).replicas.remove(partition));
            chain.move(target);
        }

        return isDue;
    }

    /**
     * A process that heads several partitions loses them one after the other: that is one failover.
     */
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

    boolean isRegistered(final int node, final long incarnation)
    {
        return isNode(node) && incarnation > 0 && nodes.get(node).incarnation == incarnation;
    }

    boolean isKnown(final int node, final long incarnation, final int partition)
    {
        return isRegistered(node, incarnation) && partition >= 0 && partition < chains.size();
    }

    private boolean isHome(final int node, final int partition)
    {
        return partition >= 0 && partition < chains.size() && chains.get(partition).homes().contains(node);
    }

    private boolean isNode(final int node)
    {
        return node >= 0 && node < nodes.size();
    }
}
