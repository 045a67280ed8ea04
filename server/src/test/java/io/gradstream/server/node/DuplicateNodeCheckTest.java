// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import java.util.Collections;
import java.util.List;

import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DuplicateNodeCheckTest
{
    private static final String OWN = "127.0.0.1:20010";
    private static final String OTHER = "127.0.0.1:20020";

    private final DuplicateNodeCheck duplicateCheck = new DuplicateNodeCheck(1, 100, OWN, NodeTiming.OTHER_PROCESS_NS);

    @Test
    void shouldEndWhenAProcessAtAnotherAddressKeepsTheNode()
    {
        duplicateCheck.onMap(map(50, OTHER), 1_000);
        duplicateCheck.check(1_000 + NodeTiming.OTHER_PROCESS_NS - 1);
        duplicateCheck.onMap(map(50, OTHER), 2_000);

        assertThatThrownBy(() -> duplicateCheck.check(1_000 + NodeTiming.OTHER_PROCESS_NS))
            .hasMessageContaining("node 1 is another process, at " + OTHER)
            .hasMessageContaining("Give this server a --node-id that no other has");
    }

    @Test
    void shouldWaitAsLongAsItTakesForItsOwnEarlierProcessOrForNone()
    {
        duplicateCheck.onMap(map(50, OWN), 1_000);
        assertThatCode(() -> duplicateCheck.check(1_000 + 2 * NodeTiming.OTHER_PROCESS_NS)).doesNotThrowAnyException();

        duplicateCheck.onMap(new ClusterMap(null, List.of(), List.of(), new ChainMap(1, List.of(), List.of())), 1_000);
        assertThatCode(() -> duplicateCheck.check(1_000 + 2 * NodeTiming.OTHER_PROCESS_NS)).doesNotThrowAnyException();
    }

    @Test
    void shouldGoOnOnceItIsTheNode()
    {
        duplicateCheck.onMap(map(50, OTHER), 1_000);
        duplicateCheck.onMap(map(100, OWN), 2_000);

        assertThatCode(() -> duplicateCheck.check(1_000 + 2 * NodeTiming.OTHER_PROCESS_NS)).doesNotThrowAnyException();
    }

    @Test
    void shouldEndWhenANewerProcessIsTheNode()
    {
        assertThatThrownBy(() -> duplicateCheck.onMap(map(101, OTHER), 1_000))
            .hasMessageContaining("another process is node 1, at " + OTHER);
    }

    private static ClusterMap map(final long incarnation, final String endpoint)
    {
        return new ClusterMap(
            null,
            List.of("127.0.0.1:20000", endpoint),
            Collections.emptyList(),
            new ChainMap(1, List.of(7L, incarnation), List.of()));
    }
}
