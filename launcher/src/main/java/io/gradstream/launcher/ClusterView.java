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
package io.gradstream.launcher;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.launcher.process.StatusLine;

/**
 * What the coordinators of a local cluster have taken and decided, as their lines tell it: each once, whichever of them
 * tells it first. Threads that read processes call it.
 */
public final class ClusterView
{
    /** What a line with a map begins with, for those who listen. */
    public static final String MAP = "map ";

    /** Nobody leads the coordinators yet. */
    public static final int NO_LEADER = -1;

    private static final long NEVER = -1;

    private final LongSupplier clockMs;
    private final Consumer<String> journal;
    private final Map<String, Consumer<ChainMap>> followers = new LinkedHashMap<>();
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
     * Nothing decided yet.
     *
     * @param clockMs milliseconds that do not go back.
     * @param journal told each command taken and each map decided, in their order.
     */
    public ClusterView(final LongSupplier clockMs, final Consumer<String> journal)
    {
        this.clockMs = clockMs;
        this.journal = journal;
    }

    /**
     * Tell a follower the map of now and each new one. It must not wait, for it holds up everyone.
     *
     * @param name     of the follower; an earlier one of the same name is told no more.
     * @param follower told on the thread that brought the news.
     */
    public synchronized void follow(final String name, final Consumer<ChainMap> follower)
    {
        followers.put(name, follower);
        if (NEVER != mapAt)
        {
            follower.accept(map);
        }
    }

    /**
     * Tell somebody all that the journal is told, from now on and as it happens. It must not wait.
     *
     * @param newListener of each line taken and each map decided, on the thread that brought it.
     */
    public synchronized void listen(final Consumer<String> newListener)
    {
        listener = newListener;
    }

    /**
     * Take a line of a coordinator.
     *
     * @param text as it was printed.
     * @return false if it tells nothing of decisions.
     */
    public boolean onLine(final String text)
    {
        final StatusLine line = StatusLine.parse(text);
        if (null == line || !line.is(StatusLine.COORDINATOR) && !line.is(StatusLine.MAP) && !line.is(StatusLine.LEADER))
        {
            return false;
        }

        onTold(line);
        return true;
    }

    /** The newest map. */
    public synchronized ChainMap map()
    {
        return map;
    }

    /** Has every chain all its members? */
    public synchronized boolean isWhole()
    {
        return !map.chains().isEmpty() && map.chains().stream().noneMatch(Chain::isDegraded);
    }

    /** Processes that lost the leadership of a partition, or of several, to another server. */
    public synchronized long failovers()
    {
        return failovers;
    }

    /**
     * Those of the {@link #failovers()} whose process turned out to be alive.
     *
     * @return number of them.
     */
    public synchronized long spuriousFailovers()
    {
        return spuriousFailovers;
    }

    /** How long at least one chain was not whole, since all were for the first time. */
    public synchronized long degradedMs()
    {
        return degradedMs + (isDegraded ? clockMs.getAsLong() - degradedSinceMs : 0);
    }

    /**
     * Which coordinator leads.
     *
     * @return member id, or {@link #NO_LEADER}.
     */
    public synchronized int leader()
    {
        return leader;
    }

    /**
     * The term in which it leads; grows with each leader, and with each start of one that is alone.
     *
     * @return term, negative before the first.
     */
    public synchronized long leadershipTerm()
    {
        return leadershipTerm;
    }

    /**
     * Since when it leads.
     *
     * @return milliseconds of the clock given.
     */
    public synchronized long leaderSinceMs()
    {
        return leaderSinceMs;
    }

    /** Terms after the first one that was told of. */
    public synchronized int elections()
    {
        return elections;
    }

    private synchronized void onTold(final StatusLine line)
    {
        if (line.is(StatusLine.LEADER))
        {
            onLeader(line.number("term"), (int)line.number("member"));
            return;
        }
        final long at = line.number("at");
        if (line.is(StatusLine.COORDINATOR) && at > commandAt)
        {
            commandAt = at;
            tell(line.toString());
        }
        else if (line.is(StatusLine.MAP) && at > mapAt)
        {
            mapAt = at;
            onMap(line);
        }
    }

    private void onLeader(final long term, final int member)
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

    private void onMap(final StatusLine line)
    {
        map = ChainMap.parse(line.text("chains"));
        failovers = line.number("failovers");
        spuriousFailovers = line.number("spurious");
        tell(MAP + map.format());
        watchDegraded();
        followers.values().forEach((follower) -> follower.accept(map));
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
