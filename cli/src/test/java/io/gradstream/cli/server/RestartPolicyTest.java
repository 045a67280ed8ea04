// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.server;

import java.util.concurrent.TimeUnit;

import io.gradstream.launcher.RestartBudget;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RestartPolicyTest
{
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final RestartPolicy policy = new RestartPolicy(2);
    private long nowNs = -7;

    @Test
    void shouldNotStartAnewWithoutAStandstill()
    {
        policy.begin(nowNs);
        pass(TimeUnit.SECONDS.toNanos(1));
        policy.look(nowNs += RestartPolicy.MIN_NS - 1);

        assertThat(policy.mayStartAnew("server", nowNs)).isFalse();
    }

    @Test
    void shouldStartAnewInTheAftermathOfAStandstillOnly()
    {
        policy.begin(nowNs);
        policy.look(nowNs += RestartPolicy.MIN_NS);
        pass(RestartPolicy.AFTERMATH_NS);

        assertThat(policy.mayStartAnew("server", nowNs)).isTrue();
        assertThat(policy.mayStartAnew("server", nowNs + 1)).isFalse();
    }

    @Test
    void shouldStartAnewAsOftenAsAllowedWithinTheWindow()
    {
        policy.begin(nowNs);
        for (int i = 0; i < 2; i++)
        {
            policy.look(nowNs += RestartPolicy.MIN_NS);
            assertThat(policy.mayStartAnew("server", nowNs)).isTrue();
        }
        policy.look(nowNs += RestartPolicy.MIN_NS);
        assertThat(policy.mayStartAnew("server", nowNs)).isFalse();

        policy.look(nowNs += RestartBudget.WINDOW_NS);
        assertThat(policy.mayStartAnew("server", nowNs)).isTrue();
    }

    @Test
    void shouldNotTakeAStartForAStandstill()
    {
        policy.begin(nowNs);
        nowNs += 10 * RestartPolicy.MIN_NS;
        policy.begin(nowNs);
        policy.look(nowNs + TICK_NS);

        assertThat(policy.mayStartAnew("server", nowNs)).isFalse();
    }

    private void pass(final long durationNs)
    {
        for (long ns = 0; ns < durationNs; ns += TICK_NS)
        {
            policy.look(nowNs += TICK_NS);
        }
    }
}
