// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.usage;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

import io.gradstream.cli.Gradstream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

import static org.assertj.core.api.Assertions.assertThat;

class HelpTextTest
{
    private static final int MAX_SHOWN = 50;

    private final CommandLine train = Gradstream.commandLine().getSubcommands().get("train");

    @Test
    void shouldShowFiftyOptionsOfTrainAtMost()
    {
        final int shown = HelpText.shown(train, false).size();
        System.out.println("train --help shows " + shown + " options, --help=all " +
            HelpText.shown(train, true).size());

        assertThat(shown).isLessThanOrEqualTo(MAX_SHOWN);
    }

    @Test
    void shouldShowEachOptionOnceUnderAHeading()
    {
        final List<String> shown = optionsIn(help("train", "--help"));

        assertThat(shown).doesNotHaveDuplicates().contains("--kill", "--replicas", "--out", "--help")
            .doesNotContain("--mtu", "--kill-primary")
            .hasSize(HelpText.shown(train, false).size());
        assertThat(help("train", "--help")).containsSubsequence("Options:", "--config", "Cluster:", "--replicas",
            "Data:", "--format", "Model and training:", "--staleness", "Optimizer:", "--function",
            "Evaluation, results and display:", "--out", "Kills and slow workers:", "--kill",
            "--help=all shows ");
    }

    @Test
    void shouldShowAllOptionsWhenAsked()
    {
        final List<String> all = optionsIn(help("train", "--help=all"));

        assertThat(all).doesNotHaveDuplicates().contains("--mtu", "--log-retention")
            .containsExactlyInAnyOrderElementsOf(
                HelpText.shown(train, true).stream().map(OptionSpec::longestName).toList());
        assertThat(help("train", "--help=all")).doesNotContain("--help=all shows", "--resumed-at");
        assertThat(help("ring", "--help=all")).isEqualTo(help("ring", "--help"));
    }

    /** Names of the options, as lines of the help begin with them. */
    private static List<String> optionsIn(final String help)
    {
        return help.lines().filter((line) -> line.matches(" {2,6}(-\\w, )?--[a-z].*"))
            .map((line) -> line.replaceFirst("^ +(-\\w, )?(--[a-z0-9-]*).*", "$2")).toList();
    }

    private static String help(final String... args)
    {
        final StringWriter out = new StringWriter();
        assertThat(Gradstream.execute(Gradstream.commandLine().setOut(new PrintWriter(out)), args)).isZero();
        return out.toString();
    }
}
