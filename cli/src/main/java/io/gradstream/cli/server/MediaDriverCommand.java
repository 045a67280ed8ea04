/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.cli.server;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

import io.gradstream.cli.options.CommonOptions;
import io.gradstream.codecs.LogRecords;
import io.gradstream.driver.HostDriver;
import io.gradstream.launcher.process.ParentLink;
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
    static final long PARK_NS = 10_000_000;

    @Mixin
    private CommonOptions common;

    @Option(names = "--dir", paramLabel = "DIR",
        description = "Where to record; without it there is no Archive, which is enough for workers.")
    private Path dir;

    @Option(names = "--aeron-dir", paramLabel = "DIR",
        description = "Directory by which clients on this host find the driver. Default: a new one in /dev/shm.")
    private Path aeronDir;

    @Option(names = "--stop-on-eof", description = "Stop also when standard input ends.")
    private boolean isStoppedByEof;

    @Mixin
    private RestartOptions restartOptions;

    @Override
    public Integer call()
    {
        final Standstill standstill = restartOptions.newStandstill();
        try (ParentLink parent = ParentLink.open(isStoppedByEof))
        {
            boolean isStopped = false;
            while (!isStopped)
            {
                isStopped = run(parent, standstill);
            }
        }

        return 0;
    }

    /** Until it is stopped, then true; or false if it is to be started anew. */
    private boolean run(final ParentLink parent, final Standstill standstill)
    {
        final HostDriver.Context ctx = new HostDriver.Context()
            .aeronDirectory(aeronDir)
            .archiveDirectory(null == dir ? null : dir.resolve(ARCHIVE_DIRECTORY))
            .recordCheck(LogRecords::wholeLength)
            .profile(common.profile())
            .mtuLength(common.mtu());

        try (HostDriver driver = HostDriver.launch(ctx))
        {
            standstill.begin(System.nanoTime());
            System.out.println(new StatusLine(StatusLine.READY).with("aeronDir", driver.aeronDirectoryName()));
            while (!parent.isStopped())
            {
                standstill.look(System.nanoTime());
                if (driver.isTerminated())
                {
                    if (standstill.mayStartAnew("media driver", System.nanoTime()))
                    {
                        return false;
                    }
                    throw new IllegalStateException("the media driver ended by itself: start it again");
                }
                LockSupport.parkNanos(PARK_NS);
            }
        }

        return true;
    }
}
