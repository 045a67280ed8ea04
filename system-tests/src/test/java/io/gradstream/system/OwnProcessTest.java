// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OwnProcessTest
{
    private static final int PROCESSES = 30;

    @Test
    void shouldLeaveAProcessAloneThatEndsWhileItIsWoken() throws IOException, InterruptedException
    {
        for (int i = 0; i < PROCESSES; i++)
        {
            final Process process = new ProcessBuilder("sleep", "0.02").start();
            while (!OwnProcess.isGone(process.pid()))
            {
                OwnProcess.goOn(process.pid());
            }
            assertThat(process.waitFor()).isZero();
        }
    }

    @Test
    void shouldPauseAProcessAndLetItGoOn() throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder("sleep", "0.5").start();
        OwnProcess.pause(process.pid());
        assertThat(process.waitFor(700, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(OwnProcess.isPaused(process.pid())).isTrue();
        OwnProcess.goOn(process.pid());
        assertThat(process.waitFor()).isZero();
    }
}
