// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import io.gradstream.cli.usage.OptionGroup.Heading;
import io.gradstream.launcher.ServerPlan;
import io.gradstream.cli.usage.OptionGroup;
import picocli.CommandLine.Option;

/** The option that says how soon a silent process is replaced. */
public final class TimingOption
{
    static final String FAST = "fast";
    static final String DEFAULT = "default";

    @OptionGroup(Heading.CLUSTER)
    @Option(names = "--failure-detection", paramLabel = "fast|default", defaultValue = DEFAULT,
        description = "How soon a silent process is replaced: fast is for machines with idle processors." +
            " Default: ${DEFAULT-VALUE}.")
    private String detection;

    /** As {@link ServerPlan} names it. */
    public String name()
    {
        return isQuiet() ? ServerPlan.FAST : ServerPlan.DEFAULT;
    }

    /** True if machines have idle processors, so that a silent process is replaced soon. */
    public boolean isQuiet()
    {
        CommonOptions.checkWord("failure-detection", detection, FAST, DEFAULT);
        return FAST.equals(detection);
    }
}
