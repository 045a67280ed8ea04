// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.gradstream.perf.report.TargetLine;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SoakRunTest
{
    @Test
    void shouldCompareTheLastHalfWithTheFirstWhenTheWarmUpIsLeftOut()
    {
        final TargetLine grown = SoakRun.flat("heap", "MiB", new double[] {1, 10, 10, 10, 11, 11, 11});
        final TargetLine flat = SoakRun.flat("heap", "MiB", new double[] {90, 10, 10, 12, 10, 10, 10});

        assertThat(grown.ratio()).isEqualTo(1.1);
        assertThat(grown.isMet()).isFalse();
        assertThat(flat.ratio()).isEqualTo(1);
        assertThat(flat.isMet()).isTrue();
    }

    @Test
    void shouldCountWholeBytesWhenAWindowAllocatesALittle()
    {
        assertThat(SoakRun.wholeBytes(999, 1_000)).isZero();
        assertThat(SoakRun.wholeBytes(24_100, 1_000)).isEqualTo(24);
        assertThat(SoakRun.wholeBytes(-5_000, 1_000)).isZero();
    }
}
