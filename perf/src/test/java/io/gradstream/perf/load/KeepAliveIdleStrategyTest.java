/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
