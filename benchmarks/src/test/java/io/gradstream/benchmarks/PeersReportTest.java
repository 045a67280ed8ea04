// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.gradstream.driver.DriverProfile;
import io.gradstream.perf.measure.Summary;
import io.gradstream.benchmarks.PeersSettings.PeerCase;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class PeersReportTest
{
    private static final PeersSettings SETTINGS =
        new PeersSettings(List.of(4096), 5, 500_000_000L, 0, DriverProfile.DEV, null);
    private static final PeerCase PUSH = new PeerCase(PeerMeasure.PUSH, 4096, 1);
    private static final PeersReport REPORT = new PeersReport(SETTINGS, List.of(
        new PeerResult("fast", PeerMeasure.PUSH, 4096, 1, new Summary(9.9, 9, 11), new Summary(400, 390, 420),
            PeerResult.Origin.MEASURED, ""),
        PeerResult.skipped("gone", PUSH, "nobody has it"),
        PsLite.quoted(PUSH),
        new PeerResult("fast", PeerMeasure.PULL, 1 << 20, 8, new Summary(99, 99, 99), new Summary(800, 800, 800),
            PeerResult.Origin.MEASURED, "no arithmetic")));

    @Test
    void shouldHaveALineOfEachPeerUnderEachCaseWhenShownAsTable()
    {
        assertThat(REPORT.table())
            .contains("Medians (min..max) of 5 windows of 0.5 s, peers in turn; profile dev")
            .containsPattern("push 4 KiB, depth 1 +p50 us +MB/s\n +fast +9\\.9 \\(9\\.0\\.\\.11\\.0\\) +" +
                "400\\.0 \\(390\\.0\\.\\.420\\.0\\)\n +gone +- +-  SKIPPED: nobody has it\n +ps-lite.* 240\\.0.*quoted")
            .containsPattern("pull 1 MiB, depth 8 +p50 us +MB/s\n +fast +99\\.0 .* no arithmetic\n")
            .endsWith("\n");
    }

    @Test
    void shouldSayWhatIsMeasuredAndWhatIsNotWhenShownAsJson()
    {
        assertThat(REPORT.json())
            .startsWith("{\"measurement\":\"peers\",\"windows\":5,\"windowSeconds\":0.500,\"profile\":\"dev\",")
            .contains("{\"peer\":\"fast\",\"measure\":\"push\",\"size\":4096,\"depth\":1,\"origin\":\"measured\"," +
                "\"p50Us\":{\"median\":9.900,\"min\":9.000,\"max\":11.000,\"windows\":[]}," +
                "\"megabytesPerSecond\":{\"median\":400.000")
            .contains("\"origin\":\"skipped\",\"p50Us\":{\"median\":null")
            .contains("\"origin\":\"quoted\",\"p50Us\":{\"median\":240.000")
            .endsWith("}]}")
            .doesNotContain("\n");
    }
}
