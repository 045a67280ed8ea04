// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.util.Arrays;

import io.gradstream.launcher.ServerDriver;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Options that say how a server runs; the same for {@code train} and for each {@code server}.
 */
public final class ServerOptions
{
    @Mixin
    public TimingOption timing;

    @Option(names = "--driver", paramLabel = "internal|external|shared",
        description = "A server's media driver: in the server's process; in one of its own with the Archive, which" +
            " survives a kill; or one that is shared with workers and other servers, so that pushes and pulls go" +
            " through memory, while the Archive is in the server's process. A server is told by --aeron-dir where" +
            " an external or shared one runs. Default: internal.")
    private String driver;

    @Option(names = "--keep-log", paramLabel = "all|needed", defaultValue = "needed",
        description = "Keep the whole recorded log, or what recovery needs. Default: ${DEFAULT-VALUE}.")
    private String keepLog;

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

    /** all or needed. */
    public String keepLog()
    {
        CommonOptions.checkWord("keep-log", keepLog, "all", "needed");
        return keepLog;
    }
}
