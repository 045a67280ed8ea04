// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import io.gradstream.cli.Gradstream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

class JobCommandTest
{
    /** Commands that name their job themselves, or are about all of them. */
    @ParameterizedTest
    @ValueSource(strings = {"job create other", "job delete other", "job list", "drain --node-id=1"})
    void shouldOfferNoJobWhereNoneIsMeant(final String line)
    {
        assertThat(Gradstream.execute((line + " --coordinator=127.0.0.1:1 --job=other").split(" "))).isEqualTo(2);

        CommandLine command = Gradstream.commandLine();
        for (final String word : line.replaceAll(" (other|-.*)", "").split(" "))
        {
            command = command.getSubcommands().get(word);
        }
        assertThat(command.getUsageMessage()).contains("--coordinator").doesNotContain("--job=");
    }
}
