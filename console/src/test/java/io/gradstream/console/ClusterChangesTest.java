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
package io.gradstream.console;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What two samples of a cluster tell of the time between them.
 */
class ClusterChangesTest
{
    private final ClusterChanges changes = new ClusterChanges();

    @Test
    void shouldTellNothingOfWhatWasSoFromTheFirst()
    {
        assertThat(changes.since(Histories.cluster(0, 0, false, 0))).isEmpty();
        assertThat(changes.since(Histories.cluster(1, 0, false, 10))).isEmpty();
    }

    @Test
    void shouldTellSilenceFailoverAndReturnOnceEach()
    {
        changes.since(Histories.cluster(0, 0, false, 0));

        assertThat(changes.since(Histories.cluster(1, 0, true, 0))).extracting(Mark::kind)
            .containsExactly(Mark.Kind.SILENT);
        assertThat(changes.since(Histories.cluster(2, 0, true, 0))).isEmpty();
        final var marks = changes.since(Histories.cluster(3, 1, false, 0));
        assertThat(marks).extracting(Mark::kind).containsExactly(Mark.Kind.HEARD, Mark.Kind.FAILOVER);
        assertThat(marks.get(1).text()).isEqualTo("server 1 leads partitions 0, 1");
        assertThat(changes.since(Histories.cluster(4, 1, false, 0))).isEmpty();
    }
}
