// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli;

import java.util.ArrayList;
import java.util.List;

import io.gradstream.cli.options.UsageException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/**
 * Stands in the list of commands for {@code gradstream perf}, which the launcher script starts from another module.
 */
@Command(name = "perf", description = "Measure: perf --help lists what. Started by the script ./gradstream.")
final class PerfCommand implements Runnable
{
    @Unmatched
    private final List<String> arguments = new ArrayList<>();

    @Override
    public void run()
    {
        throw new UsageException("measurements are started by the script: ./gradstream perf " +
            String.join(" ", arguments));
    }
}
