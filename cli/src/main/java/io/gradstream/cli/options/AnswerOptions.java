// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import picocli.CommandLine.Option;

import java.nio.file.Path;

/** How a command that asks the coordinators hears their answers. */
public final class AnswerOptions
{
    @Option(names = "--aeron-dir", paramLabel = "DIR",
        description = "Directory of this host's running media driver. Default: a small one is run meanwhile.")
    public Path aeronDir;

    @Option(names = "--endpoint", paramLabel = "HOST:PORT",
        description = "Where answers come in; port 0 lets the system choose. Default: this machine's address towards" +
            " the first coordinator.")
    public String endpoint;
}
