// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import io.gradstream.codecs.Chain;
import io.gradstream.coordinator.client.ReplicaReport.Status;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends messages in random order, many of them stale or repeated, and checks after each what must always hold.
 */
class CoordinatorPropertiesTest
{
    private static final int SEEDS = 300;
    private static final int STEPS = 800;
    private static final int NODES = 4;

    @Test
    void shouldKeepItsPromisesWhateverNodesSayInWhateverOrder()
    {
        int promotions = 0;
        int openings = 0;
        for (int seed = 0; seed < SEEDS; seed++)
        {
            final Run run = new Run(seed);
            for (int step = 0; step < STEPS; step++)
            {
                run.step();
            }
            promotions += run.promotions;
            openings += run.openings;
        }

        assertThat(promotions).as("promotions").isGreaterThan(SEEDS);
        assertThat(openings).as("openings").isGreaterThan(SEEDS);
    }

    @Test
    void shouldDecideTheSameWhenItTakesTheSameMessages()
    {
        final Run one = new Run(7);
        final Run other = new Run(7);
        for (int step = 0; step < STEPS; step++)
        {
            one.step();
            other.step();
            assertThat(one.state.map()).isEqualTo(other.state.map());
        }
    }

    private static final class Run
    {
        private final Random random;
        private final List<List<Integer>> assignment =
            List.of(List.of(0), List.of(0, 1), List.of(2, 1), List.of(3, 0, 2), List.of());
        private final CoordinatorState state = TestNodes.fixed(assignment);
        private final TestNodes nodes = new TestNodes(state);
        private final long[] incarnations = new long[NODES];
        private final List<Map<Long, Integer>> headsByEpoch = new ArrayList<>();
        private final List<Map<Integer, long[]>> logs = new ArrayList<>();
        private final List<Set<Integer>> needed = new ArrayList<>();
        private long mapVersion;
        private int promotions;
        private int openings;

        private Run(final int seed)
        {
            random = new Random(seed);
            for (final List<Integer> home : assignment)
            {
                headsByEpoch.add(new HashMap<>());
                logs.add(new HashMap<>());
                needed.add(new HashSet<>(home));
            }
        }

        private void step()
        {
            final List<Chain> before = state.map().chains();
            final int node = random.nextInt(NODES);
            final int partition = random.nextInt(assignment.size());
            final long incarnation = incarnations[node] - (0 == random.nextInt(10) ? 1 : 0);
            final Chain chain = before.get(partition);
            final long version = chain.version() - (0 == random.nextInt(10) ? 1 : 0);
            final boolean isChanged = act(node, incarnation, partition, version, chain);

            if (state.map().version() != mapVersion + (isChanged ? 1 : 0))
            {
                assertThat(state.map().version()).isEqualTo(mapVersion + (isChanged ? 1 : 0));
            }
            mapVersion = state.map().version();
            for (int i = 0; i < assignment.size(); i++)
            {
                check(i, before.get(i), state.map().chains().get(i));
            }
        }

        private boolean act(
            final int node, final long incarnation, final int partition, final long version, final Chain chain)
        {
            switch (random.nextInt(30))
            {
                case 0 ->
                {
                    logs.forEach((log) -> log.remove(node));
                    return nodes.register(node, ++incarnations[node]);
                }
                case 1, 2 ->
                {
                    return nodes.suspects(node, incarnation, partition, version, random.nextInt(NODES));
                }
                case 3, 4, 5, 6 ->
                {
                    final boolean isCurrent = incarnation == incarnations[node] && version == chain.version();
                    if (isCurrent && node == chain.head())
                    {
                        needed.set(partition, new HashSet<>(chain.members()));
                    }
                    return nodes.says(node, incarnation, partition, version, Status.LEADS);
                }
                case 7, 8, 9, 10 ->
                {
                    final int size = chain.members().size();
                    final int reporter = 0 == size || random.nextBoolean() ? node : chain.members().get(size - 1);
                    final int joiner = random.nextBoolean() ? chain.joiner() : random.nextInt(NODES) - 1;
                    return nodes.admits(reporter, incarnations[reporter], partition, version, joiner);
                }
                default ->
                {
                    return recover(node, incarnation, partition, chain);
                }
            }
        }

        private boolean recover(final int node, final long incarnation, final int partition, final Chain chain)
        {
            final long epoch = random.nextInt((int)chain.epoch() + 1);
            final long position = random.nextInt(100);
            if (incarnation == incarnations[node] && incarnation > 0 && !chain.holds(node))
            {
                logs.get(partition).put(node, new long[]{epoch, position});
            }
            return nodes.recovered(node, incarnation, partition, epoch, position);
        }

        private void check(final int partition, final Chain before, final Chain after)
        {
            final List<Integer> members = after.members();
            require(after.version() >= before.version(), "versions rise", before, after);
            require(after.epoch() >= before.epoch(), "epochs rise", before, after);
            require(after.version() == before.version() == TestNodes.needing(after).equals(TestNodes.needing(before)),
                "each change has a version of its own", before, after);
            require(assignment.get(partition).containsAll(members), "members are the partition's nodes", before, after);
            require(new HashSet<>(members).size() == members.size(), "each member is one node", before, after);
            require(!members.contains(after.joiner()), "a joiner is no member", before, after);
            require(Chain.NONE == after.joiner() || !members.isEmpty(), "a joiner joins a chain", before, after);

            if (Chain.NONE != after.head())
            {
                final Integer other = headsByEpoch.get(partition).putIfAbsent(after.epoch(), after.head());
                require(null == other || other == after.head(), "one head in an epoch", before, after);
            }
            checkHead(partition, before, after);
            needed.get(partition).addAll(after.members());
            require(needed.get(partition).equals(state.required(partition)), "members stay required", before, after);
        }

        /** Throws by itself: assertion objects took most of the time of a million checks. */
        private static void require(final boolean isKept, final String promise, final Chain before, final Chain after)
        {
            if (!isKept)
            {
                throw new AssertionError(promise + ": " + before + " became " + after);
            }
        }

        private void checkHead(final int partition, final Chain before, final Chain after)
        {
            if (after.head() == before.head() || after.members().isEmpty())
            {
                require(after.epoch() == before.epoch(), "an epoch has one head", before, after);
                return;
            }

            assertThat(after.epoch()).isGreaterThan(before.epoch());
            if (!before.members().isEmpty())
            {
                promotions++;
                assertThat(before.members()).as("in sync").contains(after.head());
                return;
            }

            openings++;
            final Map<Integer, long[]> shown = logs.get(partition);
            assertThat(shown.keySet()).containsAll(needed.get(partition));
            final long[] best = shown.get(after.head());
            for (final int node : needed.get(partition))
            {
                final long[] log = shown.get(node);
                assertThat(log[0] < best[0] || log[0] == best[0] && log[1] <= best[1]).as("the longest log").isTrue();
            }
        }
    }
}
