// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import io.gradstream.launcher.process.ParentLink;
import picocli.CommandLine.Option;

/** The option that ties a process to the one that started it. */
public final class ParentOption
{
    @Option(names = "--stop-on-eof", description = "Stop also when standard input ends.")
    private boolean isStoppedByEof;

    public ParentLink open()
    {
        return ParentLink.open(isStoppedByEof);
    }
}
