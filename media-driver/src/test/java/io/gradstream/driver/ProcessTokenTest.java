// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ProcessTokenTest
{
    @Test
    void shouldProveAProcessDeadOnlyOnceItIs() throws Exception
    {
        final Process process = new ProcessBuilder("sleep", "600").start();
        final String token = ProcessToken.scope() + '-' + process.pid() + '-' + startTicks(process.pid());
        try
        {
            assertThat(ProcessToken.isDead(token)).isFalse();
            assertThat(ProcessToken.isDead(token + "-server-0")).isFalse();
            assertThat(ProcessToken.isDead(ProcessToken.own())).isFalse();
        }
        finally
        {
            process.destroyForcibly().waitFor();
        }

        assertThat(ProcessToken.isDead(token)).isTrue();
        assertThat(ProcessToken.isDead(token + "-server-0")).isTrue();
    }

    @Test
    void shouldTakeAProcessForDeadWhoseIdAnotherOneHasNow()
    {
        final String own = ProcessToken.own();

        assertThat(ProcessToken.isDead(own.substring(0, own.lastIndexOf('-')) + "-1")).isTrue();
    }

    @Test
    void shouldNotJudgeWhatItCannotSee()
    {
        final String own = ProcessToken.own();

        assertThat(ProcessToken.isDead("zzzzzzz" + own.substring(own.indexOf('-')) + "1")).isFalse();
        assertThat(ProcessToken.isDead("host")).isFalse();
        assertThat(ProcessToken.isDead("root-4711-0")).isFalse();
        assertThat(ProcessToken.isDead(ProcessToken.scope() + "-archive-abc")).isFalse();
    }

    private static String startTicks(final long pid) throws IOException
    {
        final String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[19];
    }
}
