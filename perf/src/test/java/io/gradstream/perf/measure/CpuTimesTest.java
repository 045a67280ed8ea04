// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.measure;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class CpuTimesTest
{
    private static final List<String> BUSY = List.of("sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done");

    @Test
    void shouldKeepTheTimeOfAChildThatHasEnded() throws IOException, InterruptedException
    {
        final long endedBefore = ProcessTicks.own().endedTicks();
        final long before = CpuTimes.ownNs();

        assertThat(new ProcessBuilder(BUSY).start().waitFor()).isZero();

        final long ended = ProcessTicks.own().endedTicks() - endedBefore;
        assertThat(ended).isPositive();
        assertThat(CpuTimes.ownNs() - before).isGreaterThanOrEqualTo(ended * ProcessTicks.TICK_NS);
    }

    @Test
    void shouldHaveNoTimeOfAProcessThatIsNotThere()
    {
        assertThat(CpuTimes.ofNs(List.of(Long.MAX_VALUE))).isZero();
        assertThat(CpuTimes.ofNs(List.of())).isZero();
        assertThat(CpuTimes.ofNs(ProcessHandle.current())).isPositive();
    }
}
