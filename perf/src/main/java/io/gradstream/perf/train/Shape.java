// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.codecs.RecoveryMode;
import io.gradstream.launcher.ServerDriver;

/**
 * A task and its trainer: one plain thread, or a cluster of some servers and workers.
 */
enum Shape
{
    /** Baseline of all other shapes of its task. */
    PLAIN(Task.CLICKS, "plainThread", "one plain thread", 0, null, null),
    /** The smallest cluster, on sockets. */
    ONE_INTERNAL(Task.CLICKS, "oneInternal", "1 server, 1 worker, replay, own drivers", 1, RecoveryMode.REPLAY,
        ServerDriver.INTERNAL),
    /** The same over IPC. */
    ONE_SHARED(Task.CLICKS, "oneShared", "1 server, 1 worker, replay, one driver", 1, RecoveryMode.REPLAY,
        ServerDriver.SHARED),
    /** With a standby of everything, on sockets. */
    TWO_INTERNAL(Task.CLICKS, "twoInternal", "2 servers, 2 workers, chain, own drivers", 2, RecoveryMode.CHAIN,
        ServerDriver.INTERNAL),
    /** The same over IPC. */
    TWO_SHARED(Task.CLICKS, "twoShared", "2 servers, 2 workers, chain, one driver", 2, RecoveryMode.CHAIN,
        ServerDriver.SHARED),
    /** Baseline of {@link #FACTORS_SHARED}. */
    FACTORS_PLAIN(Task.FACTORS, "factorsPlainThread", "one plain thread", 0, null, null),
    /** The worker is in this process, and uses the driver of the server's process. */
    FACTORS_SHARED(Task.FACTORS, "factorsOneShared", "1 server, 1 worker, replay, one driver", 1, RecoveryMode.REPLAY,
        ServerDriver.INTERNAL);

    private final Task task;
    private final String id;
    private final String title;
    private final int servers;
    private final RecoveryMode mode;
    private final ServerDriver driver;

    Shape(
        final Task task,
        final String id,
        final String title,
        final int servers,
        final RecoveryMode mode,
        final ServerDriver driver)
    {
        this.task = task;
        this.id = id;
        this.title = title;
        this.servers = servers;
        this.mode = mode;
        this.driver = driver;
    }

    Task task()
    {
        return task;
    }

    /** The plain thread that the shape is compared with. */
    Shape baseline()
    {
        return Task.FACTORS == task ? FACTORS_PLAIN : PLAIN;
    }

    /** Its name in JSON. */
    String id()
    {
        return id;
    }

    String title()
    {
        return title;
    }

    /** Number of servers, and also of workers. */
    int servers()
    {
        return servers;
    }

    RecoveryMode mode()
    {
        return mode;
    }

    ServerDriver driver()
    {
        return driver;
    }
}
