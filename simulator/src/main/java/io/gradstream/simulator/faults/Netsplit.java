// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.faults;

import io.gradstream.simulator.node.Cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Ways on which nothing gets through: each leads one way, from a node to another, to the coordinators or from them. */
final class Netsplit
{
    /** In place of a node's id: the coordinators, all of them. */
    static final int COORDINATORS = -1;

    /** One way. */
    record Way(int from, int to)
    {
    }

    private final List<Way> ways = new ArrayList<>();

    /** Nothing is said by anybody to this node. */
    static Netsplit deaf(final int node, final int nodes)
    {
        return new Netsplit().add(node, nodes, false, true);
    }

    /** Nothing that this node says arrives. */
    static Netsplit mute(final int node, final int nodes)
    {
        return new Netsplit().add(node, nodes, true, false);
    }

    /** Both. */
    static Netsplit isolated(final int node, final int nodes)
    {
        return new Netsplit().add(node, nodes, true, true);
    }

    /** Some of the ways from and to one node. */
    static Netsplit around(final int node, final int nodes, final BooleanSupplier chance)
    {
        final Netsplit netsplit = new Netsplit();
        isolated(node, nodes).ways.stream().filter((way) -> chance.getAsBoolean()).forEach(netsplit.ways::add);
        return netsplit;
    }

    /** Some of all ways. */
    static Netsplit anywhere(final int nodes, final BooleanSupplier chance)
    {
        final Netsplit netsplit = new Netsplit();
        for (int from = COORDINATORS; from < nodes; from++)
        {
            for (int to = COORDINATORS; to < nodes; to++)
            {
                if (from != to && chance.getAsBoolean())
                {
                    netsplit.ways.add(new Way(from, to));
                }
            }
        }

        return netsplit;
    }

    private Netsplit add(final int node, final int nodes, final boolean isMute, final boolean isDeaf)
    {
        for (int other = COORDINATORS; other < nodes; other++)
        {
            if (other != node && isMute)
            {
                ways.add(new Way(node, other));
            }
            if (other != node && isDeaf)
            {
                ways.add(new Way(other, node));
            }
        }

        return this;
    }

    /** One way more. */
    Netsplit and(final int from, final int to)
    {
        ways.add(new Way(from, to));
        return this;
    }

    /** True if these two can speak with each other. */
    boolean isBothWays(final int one, final int other)
    {
        return !ways.contains(new Way(one, other)) && !ways.contains(new Way(other, one));
    }

    /** True if there is a node that all ways lead from or to. */
    boolean isAround()
    {
        return ways.stream().flatMap((way) -> Stream.of(way.from, way.to)).anyMatch((node) ->
            COORDINATORS != node && ways.stream().allMatch((way) -> way.from == node || way.to == node));
    }

    /** True if this is the only way that is cut. */
    boolean isOnly(final int from, final int to)
    {
        return List.of(new Way(from, to)).equals(ways);
    }

    /** Nothing gets through from now on, for so long. */
    void strike(final Cluster cluster, final long durationNs)
    {
        for (final Way way : ways)
        {
            if (COORDINATORS == way.from)
            {
                cluster.coordinator().cuts().split(cluster.node(way.to).seat(), durationNs);
            }
            else if (COORDINATORS == way.to)
            {
                cluster.coordinator().cuts().mute(cluster.node(way.from).seat(), durationNs);
            }
            else
            {
                cluster.network().cut(
                    cluster.node(way.from).seat(), cluster.node(way.to).seat(), durationNs);
            }
        }
    }

    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder("cut");
        for (final Way way : ways)
        {
            text.append(' ').append(name(way.from)).append("->").append(name(way.to));
        }

        return text.toString();
    }

    private static String name(final int node)
    {
        return COORDINATORS == node ? "C" : String.valueOf(node);
    }
}
