// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.gradstream.driver.DriverProfile;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A whole run with real processes, with windows too short to mean anything.
 */
class PeersRunTest
{
    @Test
    void shouldHaveALineOfEachPeerInEachCaseWhenRun() throws IOException
    {
        final PeersSettings settings = new PeersSettings(
            List.of(4096, 65_536), 2, TimeUnit.MILLISECONDS.toNanos(20), 0, DriverProfile.DEV, null);

        final List<PeerResult> results = new PeersRun(settings).run();

        // 4 KiB with one and eight outstanding, 64 KiB with eight; pushes and pulls; ps-lite beside the peers
        assertThat(results).hasSize((2 + 1) * 2 * (Peer.values().length + 1));
        for (final Peer peer : Peer.values())
        {
            final boolean isHere = peer.missing().isEmpty();
            assertThat(results).filteredOn((result) -> result.peer().equals(peer.title())).hasSize(6).allSatisfy(
                (result) ->
                {
                    assertThat(result.isMeasured()).isEqualTo(isHere);
                    assertThat(result.megabytesPerSecond().median() > 0).isEqualTo(isHere);
                    assertThat(result.p50Us().median() > 0).isEqualTo(isHere);
                });
        }
        assertThat(results).filteredOn((result) -> result.peer().equals(PsLite.TITLE))
            .hasSize(6).noneMatch(PeerResult::isMeasured);
    }
}
