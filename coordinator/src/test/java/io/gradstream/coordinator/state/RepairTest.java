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

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RepairTest
{
    private static final int NODES = 3;
    private static final int DELAY_MS = 3000;

    private final CoordinatorState state = new CoordinatorState();

    @BeforeEach
    void placeOnePartition()
    {
        state.defineJob(new JobSpec(1, 2, NODES, 16, 100, DELAY_MS, RecoveryMode.CHAIN));
        for (int node = 0; node < NODES; node++)
        {
            state.register(node, 1 + node, "127.0.0.1:" + (9000 + node), 0);
        }
    }

    @Test
    void shouldGiveThePlaceOfASilentNodeToAnother()
    {
        final List<Integer> homes = homes();
        final int head = homes.get(0);
        final int spare = spare();
        whole(head, homes.get(1));
        lose(head, homes.get(1));
        alive(DELAY_MS, head, spare);
        assertThat(state.onTime(DELAY_MS)).isFalse();
        assertThat(homes()).isEqualTo(homes);

        assertThat(state.onTime(DELAY_MS + 1)).isTrue();
        assertThat(homes()).containsExactlyInAnyOrder(head, spare);
        assertThat(state.climbed(spare, 1 + spare, 0, 0, 0)).isTrue();
        assertThat(chain().joiner()).isEqualTo(spare);
    }

    @Test
    void shouldLetTheReturnedNodeBeASpare()
    {
        final int head = homes().get(0);
        final int lost = homes().get(1);
        final int spare = spare();
        whole(head, lost);
        lose(head, lost);
        alive(DELAY_MS, head, spare);
        state.onTime(DELAY_MS + 1);
        assertThat(state.register(lost, 100, "127.0.0.1:" + (9000 + lost), DELAY_MS + 2)).isTrue();

        assertThat(state.onTime(DELAY_MS + 2)).isFalse();
        assertThat(state.climbed(lost, 100, 0, 1, 1000)).isFalse();
        assertThat(homes()).containsExactlyInAnyOrder(head, spare);
    }

    @Test
    void shouldKeepPlacesWhenAllNodesAreSilent()
    {
        final List<Integer> homes = homes();

        assertThat(state.onTime(10 * DELAY_MS)).isFalse();
        assertThat(homes()).isEqualTo(homes);
    }

    @Test
    void shouldKeepPlacesWhenNobodyIsLeftToTakeThem()
    {
        final List<Integer> homes = homes();
        whole(homes.get(0), homes.get(1));
        lose(homes.get(0), homes.get(1));
        alive(DELAY_MS, homes.get(0));

        assertThat(state.onTime(DELAY_MS + 1)).isFalse();
        assertThat(homes()).isEqualTo(homes);
    }

    private void whole(final int head, final int successor)
    {
        state.climbed(successor, 1 + successor, 0, 0, 0);
        state.climbed(head, 1 + head, 0, 0, 0);
        state.confirm(head, 1 + head, 0, chain().version());
        state.admit(head, 1 + head, 0, chain().version(), successor);
        assertThat(chain().members()).containsExactly(head, successor);
    }

    private void lose(final int head, final int lost)
    {
        state.confirm(head, 1 + head, 0, chain().version());
        assertThat(state.complaints().take(Complaint.answered(head, 1 + head, 0, chain().version(), lost))).isTrue();
        state.confirm(head, 1 + head, 0, chain().version());
    }

    private void alive(final long nowMs, final int... nodes)
    {
        for (final int node : nodes)
        {
            state.alive(node, 1 + node, nowMs, Map.of());
        }
    }

    private int spare()
    {
        final Set<Integer> spares = new TreeSet<>(List.of(0, 1, 2));
        homes().forEach(spares::remove);
        return spares.iterator().next();
    }

    private List<Integer> homes()
    {
        return state.clusterMap().homes().get(0);
    }

    private Chain chain()
    {
        return state.map().chains().get(0);
    }
}
