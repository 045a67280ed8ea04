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
package io.gradstream.launcher.process;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BusyMachineTest
{
    @Test
    void shouldTellOfALoadAboveTheLimitOnly()
    {
        assertThat(BusyMachine.note(3, 2, "the figures")).isNull();
        assertThat(BusyMachine.note(-1, 2, "the figures")).isNull();
        assertThat(BusyMachine.note(3.1, 2, "the figures"))
            .startsWith("this machine is busy (load 3.1 in the last minute, 2 processors): the figures say little");
    }
}
