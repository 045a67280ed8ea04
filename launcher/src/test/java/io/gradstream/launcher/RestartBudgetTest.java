// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RestartBudgetTest
{
    @Test
    void shouldCountEachPartForItself()
    {
        final RestartBudget budget = new RestartBudget(2);

        assertThat(budget.take("worker-0", 0)).isEqualTo(1);
        assertThat(budget.take("worker-0", 1)).isEqualTo(2);
        assertThat(budget.take("worker-0", 2)).isZero();
        assertThat(budget.take("server-0", 3)).isEqualTo(1);
    }

    @Test
    void shouldForgetWhatIsLongerAgoThanTheWindow()
    {
        final RestartBudget budget = new RestartBudget(1);

        assertThat(budget.take("worker-0", 0)).isEqualTo(1);
        assertThat(budget.take("worker-0", RestartBudget.WINDOW_NS)).isZero();
        assertThat(budget.take("worker-0", RestartBudget.WINDOW_NS + 1)).isEqualTo(1);
    }

    @Test
    void shouldAllowNoneWhereNoneIsSet()
    {
        assertThat(new RestartBudget(0).take("worker-0", 0)).isZero();
    }
}
