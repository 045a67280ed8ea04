// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;

import org.agrona.concurrent.errors.ErrorLogReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Prints the distinct error log of a host, with the errors that its media driver, Archive and nodes have seen: each
 * error once, with how often it was seen, first and last.
 */
@Command(name = "errors", description =
    "Print the errors that a media driver and those who use it (Archive, server, coordinator) have seen, each once.")
public final class ErrorsCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "AERON_DIR", description = "Directory of the media driver, which may have died.")
    private Path directory;

    @Option(names = "--stack-traces", description = "Print whole stack traces, not only what was wrong.")
    private boolean isWithStackTraces;

    @Override
    public Integer call()
    {
        final PrintWriter out = spec.commandLine().getOut();
        try (DriverDirectory driver = DriverDirectory.open(directory))
        {
            final int distinct = ErrorLogReader.read(driver.errors(), (count, firstMs, lastMs, text) ->
                out.printf(Locale.ROOT, "%d times from %s to %s: %s%n", count, Instant.ofEpochMilli(firstMs),
                    Instant.ofEpochMilli(lastMs), isWithStackTraces ? text : text.lines().findFirst().orElse("")));
            out.printf(Locale.ROOT, "%d distinct errors%n", distinct);
        }
        out.flush();

        return 0;
    }
}
