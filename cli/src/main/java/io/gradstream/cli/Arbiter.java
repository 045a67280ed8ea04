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
package io.gradstream.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.server.coordinator.state.CoordinatorState;

/**
 * The coordinator of a local cluster: feeds the lines of servers to the state machine and tells everyone each new map.
 * It knows servers by their lines alone and never looks whether a process lives. Threads that read processes call it.
 */
public final class Arbiter
{
    private final CoordinatorState state;
    private final LongSupplier clockMs;
    private final Consumer<String> journal;
    private final Map<String, Consumer<ChainMap>> followers = new LinkedHashMap<>();
    private Consumer<String> listener = (text) -> {};
    private ChainMap map;
    private boolean hasBeenWhole;
    private boolean isDegraded;
    private long degradedSinceMs;
    private long degradedMs;

    /**
     * An arbiter that nobody has spoken to.
     *
     * @param nodeCount number of servers.
     * @param homes     for each partition the servers that keep it, the preferred primary first.
     * @param clockMs   milliseconds that do not go back.
     * @param journal   told each line taken and each map decided, in their order.
     */
    public Arbiter(
        final int nodeCount,
        final List<List<Integer>> homes,
        final LongSupplier clockMs,
        final Consumer<String> journal)
    {
        this.journal = journal;
        state = new CoordinatorState(nodeCount, homes);
        this.clockMs = clockMs;
        map = state.map();
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
        follower.accept(map);
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
     * Take a line of a server.
     *
     * @param text as the server printed it.
     * @return false if it is not for the coordinator.
     */
    public boolean onLine(final String text)
    {
        final Line line = text.startsWith(Line.COORDINATOR) ? Line.parse(text) : null;
        if (null == line || !line.is(Line.COORDINATOR))
        {
            return false;
        }

        onMessage(line);
        return true;
    }

    /**
     * The newest map.
     *
     * @return the map.
     */
    public synchronized ChainMap map()
    {
        return map;
    }

    /**
     * Has every chain all its members?
     *
     * @return true if so.
     */
    public synchronized boolean isWhole()
    {
        return map.chains().stream().noneMatch(Chain::isDegraded);
    }

    /**
     * Processes that lost the leadership of a partition, or of several, to another server.
     *
     * @return number of them.
     */
    public synchronized long failovers()
    {
        return state.failovers();
    }

    /**
     * Those of the {@link #failovers()} whose process turned out to be alive.
     *
     * @return number of them.
     */
    public synchronized long spuriousFailovers()
    {
        return state.spuriousFailovers();
    }

    /**
     * How long at least one chain was not whole, since all were for the first time.
     *
     * @return milliseconds.
     */
    public synchronized long degradedMs()
    {
        return degradedMs + (isDegraded ? clockMs.getAsLong() - degradedSinceMs : 0);
    }

    private synchronized void onMessage(final Line line)
    {
        final int node = (int)line.number("node");
        final long incarnation = line.number("incarnation");
        final boolean isChanged = PipeCoordinator.REGISTER.equals(line.text("type")) ?
            state.register(node, incarnation) :
            onPartition(line, node, incarnation, (int)line.number("partition"));
        tell(line.toString());
        if (isChanged)
        {
            map = state.map();
            tell(ParentLink.MAP + map.format());
            watchDegraded();
            followers.values().forEach((follower) -> follower.accept(map));
        }
    }

    private void tell(final String text)
    {
        listener.accept(text);
        journal.accept(text);
    }

    private boolean onPartition(final Line line, final int node, final long incarnation, final int partition)
    {
        return switch (line.text("type"))
        {
            case PipeCoordinator.CLIMBED ->
                state.climbed(node, incarnation, partition, line.number("epoch"), line.number("position"));
            case PipeCoordinator.CONFIRM ->
                state.confirm(node, incarnation, partition, line.number("version"));
            case PipeCoordinator.SUSPECT ->
                state.suspect(node, incarnation, partition, line.number("version"), (int)line.number("about"));
            case PipeCoordinator.ADMIT ->
                state.admit(node, incarnation, partition, line.number("version"), (int)line.number("about"));
            default -> throw new IllegalStateException("a server told the coordinator something unknown: " + line);
        };
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
