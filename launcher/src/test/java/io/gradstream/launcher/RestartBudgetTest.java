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
