// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import org.agrona.concurrent.NoOpIdleStrategy;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class KeepAliveIdleStrategyTest
{
    private long nowNs = 5;
    private int polls;
    private final KeepAliveIdleStrategy idleStrategy =
        new KeepAliveIdleStrategy(NoOpIdleStrategy.INSTANCE, () -> nowNs, () -> polls++);

    @Test
    void shouldPollClientsOnceAnInterval()
    {
        idleStrategy.idle(1);
        nowNs += KeepAliveIdleStrategy.INTERVAL_NS - 1;
        idleStrategy.idle(0);
        assertThat(polls).isZero();

        nowNs++;
        idleStrategy.idle(1);
        idleStrategy.idle();
        assertThat(polls).isEqualTo(1);

        nowNs += KeepAliveIdleStrategy.INTERVAL_NS;
        idleStrategy.idle();
        assertThat(polls).isEqualTo(2);
    }
}
