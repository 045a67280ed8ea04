// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.util.Arrays;

import io.gradstream.cli.usage.OptionGroup.Advanced;
import io.gradstream.cli.usage.OptionGroup.Heading;
import io.gradstream.launcher.ServerDriver;
import io.gradstream.cli.usage.OptionGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Options that say how a server runs; the same for {@code train} and for each {@code server}.
 */
@OptionGroup(Heading.CLUSTER)
public final class ServerOptions
{
    static final String RECOVERY = "recovery";
    private static final String ALL = "all";

    @Mixin
    public TimingOption timing;

    @Option(names = "--driver", paramLabel = "internal|external|shared",
        description = "A server's media driver: in the server's process; in one of its own with the Archive, which" +
            " survives a kill; or one that is shared with workers and other servers, so that pushes and pulls go" +
            " through memory, while the Archive is in the server's process. A server is told by --aeron-dir where" +
            " an external or shared one runs. Default: internal.")
    private String driver;

    @Advanced
    @Option(names = "--log-retention", paramLabel = "all|recovery", defaultValue = RECOVERY,
        description = "Keep the whole recorded log, or what recovery needs. Default: ${DEFAULT-VALUE}.")
    private String retention;

    /**
     * Which process has a server's media driver.
     *
     * @param byDefault where the user does not say.
     */
    public ServerDriver driver(final ServerDriver byDefault)
    {
        if (null == driver)
        {
            return byDefault;
        }
        CommonOptions.checkWord("driver", driver, Arrays.stream(ServerDriver.values()).map(ServerDriver::label)
            .toArray(String[]::new));
        return ServerDriver.of(driver);
    }

    /** True if servers keep the whole recorded log, not only what recovery needs. */
    public boolean isWholeLogKept()
    {
        CommonOptions.checkWord("log-retention", retention, ALL, RECOVERY);
        return ALL.equals(retention);
    }
}
