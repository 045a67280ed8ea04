// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
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
