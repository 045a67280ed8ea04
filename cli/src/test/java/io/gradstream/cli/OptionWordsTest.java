// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class OptionWordsTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        media-driver | another media driver (pid 7) uses aeronDirectory=/a/b; stop it or choose another aeronDirectory \
        | another media driver (pid 7) uses the Aeron directory /a/b; stop it or choose another --aeron-dir
        train       | cannot use aeronDirectory=/a/b: no; choose another aeronDirectory \
        | cannot use the Aeron directory /a/b: no; choose another directory
        coordinator | another process (pid 7) uses archiveDirectory=/a/archive; stop it or choose another --dir \
        | another process (pid 7) uses the directory /a/archive; stop it or choose another --dir
        coordinator | cannot listen on UDP a:1 for members (in use); stop what uses it or choose another members \
        | cannot listen on UDP a:1 for --members (in use); stop what uses it or choose another --members
        worker      | table 0 is there: it has dim=2 instead of dim=3; use that specification or another tableId \
        | table 0 is there: it has dim=2 instead of dim=3; say with --model and --function what it was created with, \
        or train in another job
        coordinator | invalid rowCapacity=0: must be from 1 to 9 | invalid --rows=0: must be from 1 to 9
        train       | invalid rowCapacity=0: must be from 1 to 9 | invalid rowCapacity=0: must be from 1 to 9
        train       | invalid --function=adam/1: invalid function='adam/1': needs rate | \
        invalid --function=adam/1: invalid function='adam/1': needs rate
        """)
    void shouldNameTheOptionOfASetting(final String command, final String message, final String expected)
    {
        assertThat(OptionWords.of(message, Gradstream.commandLine().getSubcommands().get(command).getCommandSpec()))
            .isEqualTo(expected);
    }
}
