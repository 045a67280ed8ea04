// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.coordinator.service.CoordinatorListener;
import io.gradstream.launcher.process.StatusLine;

/**
 * The commands and decisions of the coordinators of a local cluster, each taken once, from the coordinator that reports
 * it first. A coordinator in a process of its own reports in lines, a coordinator in this process by calls. Any thread
 * may bring news.
 */
public final class ClusterView implements CoordinatorListener
{
    /** Prefix of the lines with a map that the listener and the journal take. */
    public static final String MAP = "map ";

    /** Leader while no coordinator leads yet. */
    public static final int NO_LEADER = -1;

    private static final long NEVER = -1;

    private final LongSupplier clockMs;
    private final Consumer<String> journal;
    private final PlaceMoves moves = new PlaceMoves();
    private Consumer<String> listener = (text) -> {};
    private ChainMap map = new ChainMap(0, List.of(), List.of());
    private long commandAt = NEVER;
    private long mapAt = NEVER;
    private long failovers;
    private long spuriousFailovers;
    private long leadershipTerm = NEVER;
    private int leader = NO_LEADER;
    private long leaderSinceMs;
    private int elections;
    private boolean hasBeenWhole;
    private boolean isDegraded;
    private long degradedSinceMs;
    private long degradedMs;

    /**
     * A view in which nothing is decided yet.
     *
     * @param clockMs milliseconds that do not go back.
     * @param journal takes a line for each command taken, each map decided and each new leader, in their order.
     */
    public ClusterView(final LongSupplier clockMs, final Consumer<String> journal)
    {
        this.clockMs = clockMs;
        this.journal = journal;
    }

    /** Pass each line of the journal to a listener too, from now on and as it comes. The listener must not wait. */
    public synchronized void listen(final Consumer<String> newListener)
    {
        listener = newListener;
    }

    /**
     * Take a line of a coordinator.
     *
     * @param text as it was printed.
     * @return false if it is not about commands, maps or leaders.
     */
    public boolean onLine(final String text)
    {
        final StatusLine line = StatusLine.parse(text);
        if (null == line || !line.is(StatusLine.COORDINATOR) && !line.is(StatusLine.MAP) && !line.is(StatusLine.LEADER))
        {
            return false;
        }

        if (line.is(StatusLine.LEADER))
        {
            onLeader(line.number("term"), (int)line.number("member"));
        }
        else if (line.is(StatusLine.COORDINATOR))
        {
            onCommandLine(line.number("at"), line.toString());
        }
        else
        {
            onChains(line.number("at"), ChainMap.parse(line.text("chains")), line.number("failovers"),
                line.number("spurious"));
        }

        return true;
    }

    @Override
    public void onCommand(final long position, final CharSequence command)
    {
        onCommandLine(position, StatusLine.COORDINATOR + " at=" + position + " type=" + command);
    }

    @Override
    public void onMap(final long position, final ClusterMap newMap, final long newFailovers, final long spurious)
    {
        onChains(position, newMap.chains(), newFailovers, spurious);
    }

    @Override
    public synchronized void onLeader(final long term, final int member)
    {
        if (term > leadershipTerm)
        {
            elections += NO_LEADER == leader ? 0 : 1;
            leadershipTerm = term;
            leader = member;
            leaderSinceMs = clockMs.getAsLong();
            tell(StatusLine.LEADER + " term=" + term + " member=" + member);
        }
    }

    /** The newest map. */
    public synchronized ChainMap map()
    {
        return map;
    }

    /** True if there are chains and each has all its members. */
    public synchronized boolean isWhole()
    {
        return !map.chains().isEmpty() && map.chains().stream().noneMatch(Chain::isDegraded);
    }

    /** True if all chains are as long as wanted, and none of these servers has two places more than another one. */
    public synchronized boolean isEven(final List<Integer> nodes)
    {
        return !map.chains().isEmpty() && PlaceMoves.isEven(map, nodes);
    }

    /** The number of partitions of which a server has a copy. */
    public synchronized int placesOf(final int node)
    {
        return PlaceMoves.placesOf(map, node);
    }

    /** Places that moved to another server; a server that comes back to its own moves none. */
    public synchronized int placesMoved()
    {
        return moves.places();
    }

    /** Partitions of which a place moved. */
    public synchronized int partitionsMoved()
    {
        return moves.partitions();
    }

    /** By partition the epochs with which another server leads because the place of the former one moved. */
    public synchronized Map<Integer, List<Long>> leadMoves()
    {
        return moves.leads().stream().collect(Collectors.groupingBy(PlaceMoves.Lead::partition, TreeMap::new,
            Collectors.mapping(PlaceMoves.Lead::epoch, Collectors.toList())));
    }

    /** Processes that lost the leadership of a partition, or of several, to another server. */
    public synchronized long failovers()
    {
        return failovers;
    }

    /** Those of the {@link #failovers()} whose process turned out to be alive. */
    public synchronized long spuriousFailovers()
    {
        return spuriousFailovers;
    }

    /** Time in ms during which at least one chain was not whole, counted once all have been whole. */
    public synchronized long degradedMs()
    {
        return degradedMs + (isDegraded ? clockMs.getAsLong() - degradedSinceMs : 0);
    }

    /** The member id of the coordinator that leads, or {@link #NO_LEADER}. */
    public synchronized int leader()
    {
        return leader;
    }

    /** Term of the leader, negative before the first; grows with each leader and each start of a lone one. */
    public synchronized long leadershipTerm()
    {
        return leadershipTerm;
    }

    /** The time when the leader's term was first reported, in milliseconds of the clock given. */
    public synchronized long leaderSinceMs()
    {
        return leaderSinceMs;
    }

    /** Number of terms after the first one that was reported. */
    public synchronized int elections()
    {
        return elections;
    }

    private synchronized void onCommandLine(final long at, final String line)
    {
        if (at > commandAt)
        {
            commandAt = at;
            tell(line);
        }
    }

    private synchronized void onChains(
        final long at, final ChainMap newMap, final long newFailovers, final long spurious)
    {
        if (at > mapAt)
        {
            mapAt = at;
            map = newMap;
            moves.onMap(newMap);
            failovers = newFailovers;
            spuriousFailovers = spurious;
            tell(MAP + map.format());
            watchDegraded();
        }
    }

    private void tell(final String text)
    {
        listener.accept(text);
        journal.accept(text);
    }

    private void watchDegraded()
    {
        final boolean isWhole = isWhole();
        hasBeenWhole |= isWhole;
        if (hasBeenWhole && isDegraded == isWhole)
        {
            final long nowMs = clockMs.getAsLong();
            degradedMs += isDegraded ? nowMs - degradedSinceMs : 0;
            isDegraded = !isWhole;
            degradedSinceMs = nowMs;
        }
    }
}
