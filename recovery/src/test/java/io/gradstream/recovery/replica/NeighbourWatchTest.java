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
package io.gradstream.recovery.replica;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NeighbourWatchTest
{
    private static final ChainTiming TIMING = ChainTiming.QUIET;
    private static final long START = 1_000_000_000L;

    private final NeighbourWatch watch = new NeighbourWatch(TIMING, START);

    @Test
    void shouldRememberTheNewestHeartbeatOfTheNewestLife()
    {
        assertThat(watch.peerSentNs()).isZero();
        watch.onHeartbeat(7, 99, START + 20);
        watch.onHeartbeat(7, 98, START + 25);
        assertThat(watch.peerSentNs()).isEqualTo(99);

        watch.onHeartbeat(8, 1, START + 30);
        watch.onHeartbeat(7, 100, START + 40);
        assertThat(watch.peerSentNs()).isEqualTo(1);
    }

    @Test
    void shouldSuspectOnlyAfterTheSuspicionTimeAndNotForItsOwnAbsence()
    {
        watch.onHeartbeat(7, 1, START);
        assertThat(watch.isSuspect(START + TIMING.suspicionNs() - 1)).isFalse();
        assertThat(watch.isSuspect(START + TIMING.suspicionNs())).isTrue();

        watch.onSelfAway(START + TIMING.suspicionNs());
        assertThat(watch.isSuspect(START + TIMING.suspicionNs())).isFalse();
    }
}
