// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.server;

import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import io.gradstream.cli.options.CommonOptions;
import io.gradstream.driver.HostDriver;
import io.gradstream.launcher.process.ParentLink;
import picocli.CommandLine.Option;

/**
 * Options of the commands that run until they are stopped: the place of their media driver, when they stop, and how
 * often they restart a part that died because the process stood still.
 */
final class ServiceOptions
{
    static final long PARK_NS = 25_000_000;

    @Option(names = "--aeron-dir", paramLabel = "DIR",
        description = "Directory by which clients on this host find the media driver. Default: a new one in /dev/shm.")
    Path aeronDir;

    @Option(names = "--stop-on-eof", description = "Stop also when standard input ends.")
    private boolean isStoppedByEof;

    @Option(names = "--restarts", paramLabel = "N", defaultValue = RestartPolicy.DEFAULT_RESTARTS,
        description = "How often within 10 minutes to restart in this process after it stood still for longer than" +
            " its parts wait for each other; then it ends. Default: ${DEFAULT-VALUE}.")
    private int restarts;

    /**
     * Run a service until the process is to stop.
     *
     * @param name     of the service, for people.
     * @param launcher starts the service, also when it is restarted.
     * @return exit code.
     */
    int run(final String name, final Supplier<Service> launcher)
    {
        CommonOptions.checkRange("restarts", restarts, 0, RestartPolicy.MAX_RESTARTS);
        final RestartPolicy restartPolicy = new RestartPolicy(restarts);
        try (ParentLink link = ParentLink.open(isStoppedByEof))
        {
            boolean isStopped = false;
            while (!isStopped)
            {
                try (Service service = launcher.get())
                {
                    restartPolicy.begin(System.nanoTime());
                    isStopped = run(name, service, link, restartPolicy);
                }
            }
            if (link.isOrphan())
            {
                // a parent that was killed cannot remove what its own driver and coordinator had in shared memory
                HostDriver.removeLeftovers();
            }
        }

        return 0;
    }

    /** Run until the process is to stop, then true; or false if the service is to be started again. */
    private static boolean run(
        final String name, final Service service, final ParentLink link, final RestartPolicy restartPolicy)
    {
        while (!link.isStopped())
        {
            final long nowNs = System.nanoTime();
            restartPolicy.look(nowNs);
            if (service.isTerminated())
            {
                if (service.isRestartable() && restartPolicy.mayStartAnew(name, System.nanoTime()))
                {
                    return false;
                }
                throw service.failure(name);
            }
            service.poll(nowNs);
            LockSupport.parkNanos(service.parkNs());
        }

        return true;
    }
}
