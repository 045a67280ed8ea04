// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.usage;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

import io.gradstream.cli.Gradstream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

import static org.assertj.core.api.Assertions.assertThat;

class RenamedOptionsTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        train       | --down=3s                   | --restart-after=3s
        train       | --leave-out=a,b             | --exclude-columns=a,b
        predict     | --leave-out a               | --exclude-columns=a
        train       | --ui-hold 10m               | --serve-after=10m
        train       | --save=m                    | --out=m
        train       | --standbys=1                | --replicas=2
        coordinator | --standbys 0                | --replicas=1
        coordinator | --standbys x                | --replicas=x
        ring        | --copies 3                  | --replicas=3
        train       | --timing=quiet              | --failure-detection=fast
        server      | --timing shared             | --failure-detection=default
        server      | --keep-log=needed           | --log-retention=recovery
        server      | --keep-log all              | --log-retention=all
        server      | --accept-loss               | --allow-data-loss
        coordinator | --repair-after 3s           | --node-timeout=3s
        train       | --kill-server 40%           | --kill=server@40%
        train       | --kill-primary=20%,3s       | --kill=primary@20%,primary@3s
        train       | --kill-all=3s               | --kill=all@3s
        train       | --kill-coordinator=4s,      | --kill=coordinator@4s,
        train       | --kill-server               | --kill
        """)
    void shouldUnderstandEachOldName(final String command, final String before, final String now)
    {
        final List<String> lines = new ArrayList<>();

        assertThat(RenamedOptions.apply(List.of(before.split(" ")), spec(command), lines::add)).containsExactly(now);
        assertThat(lines).singleElement().asString().endsWith(": use " + now);
    }

    @Test
    void shouldUnderstandTheOldNameOfAModelsSchema()
    {
        final CommandSpec command = Gradstream.commandLine().getSubcommands().get("model").getSubcommands()
            .get("import").getCommandSpec();

        assertThat(RenamedOptions.apply(List.of("--like=m"), command)).containsExactly("--schema-from=m");
    }

    @Test
    void shouldLeaveWhatACommandDoesNotHave()
    {
        assertThat(RenamedOptions.apply(List.of("--down=3s", "--batch=1", "file"), spec("server")))
            .containsExactly("--down=3s", "--batch=1", "file");
    }

    @Test
    void shouldWarnOfAnOldNameAndGoOn()
    {
        final StringWriter out = new StringWriter();
        final StringWriter err = new StringWriter();
        final CommandLine commandLine = Gradstream.commandLine()
            .setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

        assertThat(Gradstream.execute(commandLine, "ring", "--nodes=0,1", "--copies", "1")).isZero();

        assertThat(err).hasToString("gradstream: warning: --copies is now --replicas: use --replicas=1" +
            System.lineSeparator());
        assertThat(out.toString()).contains("1 copies of each");
    }

    @Test
    void shouldRenamePropertiesAndPutKillsTogether()
    {
        final Properties before = new Properties();
        before.setProperty("gradstream.kill-server", "40%,3s");
        before.setProperty("gradstream.kill-all", "4s");
        before.setProperty("gradstream.standbys", "1");
        before.setProperty("gradstream.replicas", "3");
        final List<String> lines = new ArrayList<>();

        final Properties now = RenamedOptions.apply(before, lines::add);

        assertThat(now).containsOnly(
            Map.entry("gradstream.kill", "server@40%,server@3s,all@4s"),
            Map.entry("gradstream.replicas", "3"));
        assertThat(lines).hasSize(3)
            .contains("gradstream.standbys is now gradstream.replicas: use gradstream.replicas=3");
    }

    private static CommandSpec spec(final String command)
    {
        return Gradstream.commandLine().getSubcommands().get(command).getCommandSpec();
    }
}
