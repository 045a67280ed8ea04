// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import org.junit.jupiter.api.Test;

import static io.gradstream.cli.worker.FencedPauses.FIRST_MS;
import static io.gradstream.cli.worker.FencedPauses.LIMIT_MS;
import static org.assertj.core.api.Assertions.assertThat;

class FencedPausesTest
{
    private final FencedPauses pauses = new FencedPauses();
    private long nowMs = -7;

    @Test
    void shouldDoubleUpToTheLimitAndBeginAgainAfterALongTime()
    {
        long expectedMs = FIRST_MS;
        for (int i = 0; i < 20; i++)
        {
            assertThat(next(LIMIT_MS - 1)).isEqualTo(expectedMs);
            expectedMs = Math.min(LIMIT_MS, 2 * expectedMs);
        }
        assertThat(expectedMs).isEqualTo(LIMIT_MS);
        assertThat(next(LIMIT_MS)).isEqualTo(FIRST_MS);
        assertThat(next(0)).isEqualTo(2 * FIRST_MS);
    }

    /** The pause of a process that is fenced so long after the pause before. */
    private long next(final long afterMs)
    {
        nowMs += afterMs;
        final long pauseMs = pauses.next(nowMs);
        nowMs += pauseMs;

        return pauseMs;
    }
}
