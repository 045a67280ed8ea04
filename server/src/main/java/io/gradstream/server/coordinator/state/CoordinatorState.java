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
package io.gradstream.server.coordinator.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;

/**
 * Who keeps which partition: the coordinator's decisions as a function of the messages of nodes in their order.
 * Neither time nor chance enters, so that every copy which takes the same messages decides the same.
 * <p>
 * A message of a process that is not the registered one of its node, or about a chain that has changed since, is
 * ignored: repeating one does no harm. Methods return whether there is a new {@link #map()} to tell everyone.
 */
public final class CoordinatorState
{
    private final long[] incarnations;
    private final List<PartitionChain> chains = new ArrayList<>();
    private long version;
    private long failovers;
    private long spuriousFailovers;
    private final long[] deposed;
    private final boolean[] isSeenAlive;

    /**
     * A job that nobody serves yet.
     *
     * @param nodeCount number of nodes; their ids are 0 to nodeCount - 1.
     * @param homes     for each partition the ids of the nodes that keep it, the preferred primary first; as many as
     *                  there should be copies.
     * @throws IllegalArgumentException if a home is not a node, or is named twice.
     */
    public CoordinatorState(final int nodeCount, final List<List<Integer>> homes)
    {
        incarnations = new long[nodeCount];
        deposed = new long[nodeCount];
        isSeenAlive = new boolean[nodeCount];
        for (int partition = 0; partition < homes.size(); partition++)
        {
            final List<Integer> nodes = homes.get(partition);
            if (Set.copyOf(nodes).size() != nodes.size() || nodes.stream().anyMatch((node) -> !isNode(node)))
            {
                throw new IllegalArgumentException("invalid homes=" + nodes + " of partition " + partition +
                    ": must be different nodes of 0.." + (nodeCount - 1));
            }
            chains.add(new PartitionChain(nodes));
        }
    }

    /**
     * A new process is the node; its earlier one is dead.
     *
     * @param node        its id.
     * @param incarnation of the process, above 0 and above that of any earlier one.
     * @return true if the map has changed.
     */
    public boolean register(final int node, final long incarnation)
    {
        if (!isNode(node) || incarnation <= incarnations[node])
        {
            return false;
        }

        for (final PartitionChain chain : chains)
        {
            if (chain.onDead(node))
            {
                countFailover(node);
            }
        }
        incarnations[node] = incarnation;
        return changed(true);
    }

    /**
     * A replica has climbed to the end of its own log and waits for a role.
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
        if (!isKnown(node, incarnation, partition))
        {
            return false;
        }
        if (chains.get(partition).onSeenAlive(node) && !isSeenAlive[node])
        {
            isSeenAlive[node] = true;
            spuriousFailovers++;
        }

        return changed(chains.get(partition).onClimbed(node, new ClimbedReport(epoch, position)));
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
     * A neighbour in a chain has been silent for the suspicion time: it loses its place, unless nobody could take it.
     *
     * @param reporter     id of the node that did not hear.
     * @param incarnation  of its process.
     * @param partition    its number.
     * @param chainVersion under which they are neighbours.
     * @param suspected    id of the silent one.
     * @return true if the map has changed.
     */
    public boolean suspect(
        final int reporter, final long incarnation, final int partition, final long chainVersion, final int suspected)
    {
        if (!isKnown(reporter, incarnation, partition) ||
            !chains.get(partition).canSuspect(reporter, chainVersion, suspected))
        {
            return false;
        }
        if (chains.get(partition).onSuspected(suspected))
        {
            countFailover(suspected);
        }

        return changed(true);
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
     * All decisions so far.
     *
     * @return the map.
     */
    public ChainMap map()
    {
        final List<Long> living = new ArrayList<>();
        for (final long incarnation : incarnations)
        {
            living.add(incarnation);
        }
        final List<Chain> decided = new ArrayList<>();
        chains.forEach((chain) -> decided.add(chain.chain()));

        return new ChainMap(version, living, decided);
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
     * A process that heads several partitions loses them one after the other: that is one failover.
     */
    private void countFailover(final int node)
    {
        if (deposed[node] != incarnations[node] || isSeenAlive[node])
        {
            deposed[node] = incarnations[node];
            isSeenAlive[node] = false;
            failovers++;
        }
    }

    private boolean changed(final boolean isChanged)
    {
        version += isChanged ? 1 : 0;
        return isChanged;
    }

    private boolean isKnown(final int node, final long incarnation, final int partition)
    {
        return isNode(node) && incarnation > 0 && incarnations[node] == incarnation &&
            partition >= 0 && partition < chains.size();
    }

    private boolean isNode(final int node)
    {
        return node >= 0 && node < incarnations.length;
    }
}
