// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.server;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.DurationConverter;
import io.gradstream.codecs.LogRecords;
import io.gradstream.driver.HostDriver;
import io.gradstream.launcher.process.StatusLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Runs one host's media driver, with an Archive where {@code --dir} says where to record.
 */
@Command(name = "media-driver", description = "Run a host's media driver, with an Archive if --dir is given.")
public final class MediaDriverCommand implements Callable<Integer>
{
    static final String ARCHIVE_DIRECTORY = "archive";

    @Mixin
    private CommonOptions common;

    @Mixin
    private ServiceOptions service;

    @Option(names = "--dir", paramLabel = "DIR",
        description = "Where to record; without it there is no Archive, which is enough for workers.")
    private Path dir;

    @Option(names = "--client-timeout", paramLabel = "DURATION", converter = DurationConverter.class,
        description = "Silence after which the driver and a process that uses it give each other up. The longer, the" +
            " longer either may stand still, and the longer the streams of a killed one stay. Default: 30s, and 10s" +
            " with --profile latency.")
    private Long clientTimeoutMs;

    @Override
    public Integer call()
    {
        CommonOptions.checkRange("client-timeout in ms", clientTimeoutMs, 1_000, 3_600_000);
        return service.run("media driver", this::launch);
    }

    private Service launch()
    {
        final HostDriver driver = HostDriver.launch(new HostDriver.Context()
            .aeronDirectory(service.aeronDir)
            .archiveDirectory(null == dir ? null : dir.resolve(ARCHIVE_DIRECTORY))
            .recordCheck(LogRecords::wholeLength)
            .profile(common.profile())
            .clientLivenessNs(null == clientTimeoutMs ? 0 : TimeUnit.MILLISECONDS.toNanos(clientTimeoutMs))
            .mtuLength(common.mtu()));
        System.out.println(new StatusLine(StatusLine.READY).with("aeronDir", driver.aeronDirectoryName()));

        return new RunningDriver(driver);
    }

    /** The driver, which runs by itself. */
    private record RunningDriver(HostDriver driver) implements Service
    {
        @Override
        public boolean isTerminated()
        {
            return driver.isTerminated();
        }

        @Override
        public void close()
        {
            driver.close();
        }
    }
}
