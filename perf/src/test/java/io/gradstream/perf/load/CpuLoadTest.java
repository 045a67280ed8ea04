// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class CpuLoadTest
{
    private static final long BUSY_NS = 100_000_000;

    @Test
    void shouldTakeProcessorTimeWhenAProcessIsBusy()
    {
        final CpuLoad.Meter meter = new CpuLoad.Meter(List.of(ProcessHandle.current().pid()));
        final long beginNs = System.nanoTime();
        while (System.nanoTime() - beginNs < BUSY_NS)
        {
            Thread.onSpinWait();
        }

        final CpuLoad busy = meter.read();
        assertThat(busy.worker()).isPositive();
        assertThat(busy.servers()).hasSize(1).allSatisfy((cores) -> assertThat(cores).isPositive());
    }

    @Test
    void shouldTakeTheMeanOfWindows()
    {
        assertThat(CpuLoad.mean(List.of(new CpuLoad(0.5, List.of(1.0, 0.25)), new CpuLoad(1, List.of(0.5, 0.75)))))
            .isEqualTo(new CpuLoad(0.75, List.of(0.75, 0.5)));
    }

    @Test
    void shouldNameEachServerWhenThereAreSeveral()
    {
        assertThat(new CpuLoad(0.5, List.of(1.0, 0.25)).text()).startsWith("worker 0.50, servers 1.00 0.25 of ");
        assertThat(new CpuLoad(0.5, List.of(1.0)).text()).startsWith("worker 0.50, server 1.00 of ");
    }
}
