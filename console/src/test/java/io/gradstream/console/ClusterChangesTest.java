// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
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
