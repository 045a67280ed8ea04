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
package io.gradstream.cli.server;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StandstillTest
{
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Standstill standstill = new Standstill(2);
    private long nowNs = -7;

    @Test
    void shouldNotStartAnewWithoutAStandstill()
    {
        standstill.begin(nowNs);
        pass(TimeUnit.SECONDS.toNanos(1));
        standstill.look(nowNs += Standstill.MIN_NS - 1);

        assertThat(standstill.mayStartAnew("server", nowNs)).isFalse();
    }

    @Test
    void shouldStartAnewInTheAftermathOfAStandstillOnly()
    {
        standstill.begin(nowNs);
        standstill.look(nowNs += Standstill.MIN_NS);
        pass(Standstill.AFTERMATH_NS);

        assertThat(standstill.mayStartAnew("server", nowNs)).isTrue();
        assertThat(standstill.mayStartAnew("server", nowNs + 1)).isFalse();
    }

    @Test
    void shouldStartAnewAsOftenAsAllowedWithinTheWindow()
    {
        standstill.begin(nowNs);
        for (int i = 0; i < 2; i++)
        {
            standstill.look(nowNs += Standstill.MIN_NS);
            assertThat(standstill.mayStartAnew("server", nowNs)).isTrue();
        }
        standstill.look(nowNs += Standstill.MIN_NS);
        assertThat(standstill.mayStartAnew("server", nowNs)).isFalse();

        standstill.look(nowNs += Standstill.WINDOW_NS);
        assertThat(standstill.mayStartAnew("server", nowNs)).isTrue();
    }

    @Test
    void shouldNotTakeAStartForAStandstill()
    {
        standstill.begin(nowNs);
        nowNs += 10 * Standstill.MIN_NS;
        standstill.begin(nowNs);
        standstill.look(nowNs + TICK_NS);

        assertThat(standstill.mayStartAnew("server", nowNs)).isFalse();
    }

    private void pass(final long durationNs)
    {
        for (long ns = 0; ns < durationNs; ns += TICK_NS)
        {
            standstill.look(nowNs += TICK_NS);
        }
    }
}
