// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import io.gradstream.launcher.ServerPlan;
import picocli.CommandLine.Option;

/**
 * The option that says how soon a silent process is replaced.
 */
public final class TimingOption
{
    @Option(names = "--timing", paramLabel = "quiet|shared", defaultValue = ServerPlan.SHARED,
        description = "How soon a process that is silent is replaced: quiet for idle machines, shared for others." +
            " Default: ${DEFAULT-VALUE}.")
    private String timing;

    /** As {@link ServerPlan} names it. */
    public String name()
    {
        CommonOptions.checkWord("timing", timing, ServerPlan.QUIET, ServerPlan.SHARED);
        return timing;
    }

    public boolean isQuiet()
    {
        return ServerPlan.QUIET.equals(name());
    }
}
