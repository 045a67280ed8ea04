// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import io.gradstream.launcher.process.StatusLine;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WarmUpTest
{
    private static final long S = 1_000_000_000L;

    @Test
    void shouldEndAfterHalfOfTheBatchesOfThisProcess()
    {
        final WarmUp warmUp = new WarmUp(7 * S, 20, 40);

        assertThat(warmUp.onBatch(8 * S, 29, 90)).isFalse();
        assertThat(warmUp.onBatch(9 * S, 30, 100)).isTrue();
        assertThat(warmUp.onBatch(10 * S, 31, 110)).isFalse();
        assertThat(result(warmUp, 13 * S, 200)).isEqualTo("2.0 4.0 100");
    }

    @Test
    void shouldEndAfterTenSeconds()
    {
        final WarmUp warmUp = new WarmUp(0, 0, 1000);

        assertThat(warmUp.onBatch(WarmUp.MAX_NS - 1, 1, 10)).isFalse();
        assertThat(warmUp.onBatch(WarmUp.MAX_NS, 2, 20)).isTrue();
        assertThat(result(warmUp, 30 * S, 50)).isEqualTo("10.0 20.0 30");
    }

    @Test
    void shouldMeasureEverythingIfItHasNotEnded()
    {
        final WarmUp warmUp = new WarmUp(0, 0, 1000);
        warmUp.onBatch(S, 1, 10);

        assertThat(result(warmUp, 2 * S, 20)).isEqualTo("0.0 2.0 20");
    }

    private static String result(final WarmUp warmUp, final long nowNs, final long examples)
    {
        final StatusLine line = warmUp.addTo(new StatusLine(StatusLine.RESULT), nowNs, examples);
        return line.text(WarmUp.WARMUP_SECONDS) + " " + line.text(WarmUp.MEASURED_SECONDS) + " " +
            line.number(WarmUp.MEASURED_EXAMPLES);
    }
}
