// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.perf.measure.Sample;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bursts that take as long as they shall, beside a compiler that works as long as the test says.
 */
class WarmUpTest
{
    private static final long LEAST_NS = 4 * WarmUp.BURST_NS;
    private static final long BURST_BYTES = 1_000;

    private int bursts;
    private int busyBursts;
    private long compiledMs;

    @Test
    void shouldTakeTheLeastTimeWhenTheCompilerRests()
    {
        assertThat(run(LEAST_NS, Long.MAX_VALUE)).isEqualTo(LEAST_NS);
        assertThat(bursts).isEqualTo(4);
    }

    @Test
    void shouldGoOnWhileTheCompilerWorks()
    {
        busyBursts = 6;

        run(LEAST_NS, Long.MAX_VALUE);

        assertThat(bursts).isEqualTo(7);
    }

    @Test
    void shouldEndWhenTheCompilerNeverRests()
    {
        busyBursts = Integer.MAX_VALUE;

        assertThat(run(LEAST_NS, Long.MAX_VALUE)).isEqualTo(WarmUp.MAX_TIMES * LEAST_NS);
    }

    @Test
    void shouldEndWhenEnoughBytesWereMoved()
    {
        run(LEAST_NS, 2 * BURST_BYTES);

        assertThat(bursts).isEqualTo(2);
    }

    @Test
    void shouldLoadOnceWhenNoTimeIsAskedFor()
    {
        run(0, Long.MAX_VALUE);

        assertThat(bursts).isEqualTo(1);
    }

    private long run(final long leastNs, final long maxBytes)
    {
        return new WarmUp(leastNs, () -> compiledMs).run(this::burst, maxBytes);
    }

    private Sample burst(final long durationNs)
    {
        compiledMs += bursts++ < busyBursts ? 100 : 1;
        return new Sample(1, BURST_BYTES, durationNs, Double.NaN, Double.NaN);
    }
}
