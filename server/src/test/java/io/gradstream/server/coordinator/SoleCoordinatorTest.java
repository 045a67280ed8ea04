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
package io.gradstream.server.coordinator;

import java.util.List;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SoleCoordinatorTest
{
    private final SoleCoordinator coordinator = new SoleCoordinator(
        1,
        new JobSpec(4, 1, 2, JobSpec.DEFAULT_VIRTUAL_NODES, 100, JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.REPLAY),
        List.of(1, 3));

    @Test
    void shouldMakeTheNodePrimaryOfItsOwnPartitionsWhenTheyHaveClimbed()
    {
        coordinator.register(1, 77, "127.0.0.1:9001");
        assertThat(coordinator.climbed(1, 6, 640)).isTrue();
        assertThat(coordinator.climbed(3, 0, 0)).isTrue();

        final ClusterMap placed = coordinator.poll();
        assertThat(placed.endpoints()).containsExactly("", "127.0.0.1:9001");
        assertThat(placed.homes()).containsExactly(List.of(), List.of(1), List.of(), List.of(1));
        final ChainMap map = placed.chains();
        assertThat(map.incarnations()).containsExactly(0L, 77L);
        assertThat(map.chains()).containsExactly(
            new Chain(0, 0, List.of(), Chain.NONE, 0),
            new Chain(7, 1, List.of(1), Chain.NONE, 1),
            new Chain(0, 0, List.of(), Chain.NONE, 0),
            new Chain(1, 1, List.of(1), Chain.NONE, 1));
    }

    @Test
    void shouldGiveAMapOnlyWhenItHasChanged()
    {
        assertThat(coordinator.poll()).isNull();
        coordinator.register(1, 77, "127.0.0.1:9001");
        assertThat(coordinator.poll()).isNotNull();
        assertThat(coordinator.poll()).isNull();
        assertThat(coordinator.confirm(1, 0)).isTrue();
        assertThat(coordinator.poll()).isNull();
    }

    @Test
    void shouldGiveAnotherNodesPartitionToNobody()
    {
        coordinator.register(1, 77, "127.0.0.1:9001");
        coordinator.poll();
        coordinator.climbed(0, 1, 1);

        assertThat(coordinator.poll()).isNull();
    }

    @Test
    void shouldRefuseAnotherNode()
    {
        assertThatThrownBy(() -> coordinator.register(0, 1, "127.0.0.1:9001"))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("nodeId=0");
    }
}
