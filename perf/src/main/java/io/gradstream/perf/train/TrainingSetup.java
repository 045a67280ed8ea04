// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.codecs.RecoveryMode;
import io.gradstream.launcher.ServerDriver;
import io.gradstream.perf.report.Bound;

import java.util.Arrays;
import java.util.stream.Collectors;

/** A task and its trainer: one plain thread, or a cluster of some servers and workers. */
@SuppressWarnings("ImmutableEnumChecker") // Bound is a record of primitives
enum TrainingSetup
{
    /** Baseline of all other setups of its task. */
    PLAIN("plainThread", "one plain thread", 0, null, null, null),
    /** The smallest cluster, on sockets. */
    ONE_INTERNAL("oneInternal", "1 server, 1 worker, replay, own drivers", 1, RecoveryMode.REPLAY,
        ServerDriver.INTERNAL, null),
    /** The same over IPC. */
    ONE_SHARED("oneShared", "1 server, 1 worker, replay, one driver", 1, RecoveryMode.REPLAY,
        ServerDriver.SHARED, Bound.atLeast(0.5)),
    /** With a standby of everything, on sockets. */
    TWO_INTERNAL("twoInternal", "2 servers, 2 workers, chain, own drivers", 2, RecoveryMode.CHAIN,
        ServerDriver.INTERNAL, null),
    /** The same over IPC. */
    TWO_SHARED("twoShared", "2 servers, 2 workers, chain, one driver", 2, RecoveryMode.CHAIN,
        ServerDriver.SHARED, Bound.atLeast(0.4)),
    /** Baseline of {@link #FACTORS_SHARED}. */
    FACTORS_PLAIN("factorsPlainThread", TrainingSetup.FACTORS + "one plain thread", 0, null, null, null),
    /** The worker is in this process, and uses the driver of the server's process. */
    FACTORS_SHARED("factorsOneShared", TrainingSetup.FACTORS + "1 server, 1 worker, replay, one driver", 1,
        RecoveryMode.REPLAY, ServerDriver.INTERNAL, Bound.atLeast(0.5)),
    /** The same, and the worker keeps rows within a staleness bound. */
    FACTORS_CACHED("factorsCached", TrainingSetup.FACTORS + "1 server, 1 worker, replay, one driver, bound 8, cached",
        1, RecoveryMode.REPLAY, ServerDriver.INTERNAL, Bound.atLeast(0.5)),
    /** The same, and the worker adds up the gradients of some batches. */
    FACTORS_SUMMED("factorsSummed",
        TrainingSetup.FACTORS + "1 server, 1 worker, replay, one driver, bound 8, cached, 8 batches a push",
        1, RecoveryMode.REPLAY, ServerDriver.INTERNAL, Bound.atLeast(0.5));

    private static final String FACTORS = "matrix factorisation rank " + FactorBatch.RANK + ", ";

    private final String id;
    private final String title;
    private final int servers;
    private final RecoveryMode mode;
    private final ServerDriver driver;
    private final Bound bound;

    TrainingSetup(
        final String id,
        final String title,
        final int servers,
        final RecoveryMode mode,
        final ServerDriver driver,
        final Bound bound)
    {
        this.id = id;
        this.title = title;
        this.servers = servers;
        this.mode = mode;
        this.driver = driver;
        this.bound = bound;
    }

    /** The plain thread that the setup is compared with. */
    TrainingSetup baseline()
    {
        return compareTo(FACTORS_PLAIN) < 0 ? PLAIN : FACTORS_PLAIN;
    }

    /**
     * The setup of an id.
     *
     * @throws IllegalArgumentException if there is none.
     */
    static TrainingSetup parse(final String id)
    {
        return Arrays.stream(values()).filter((setup) -> setup.id.equals(id)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("invalid --setups=" + id + ": must be some of " +
                Arrays.stream(values()).map((setup) -> setup.id).collect(Collectors.joining(", "))));
    }

    /** The target's bound of the ratio to the plain thread; null if none asks for it. */
    Bound bound()
    {
        return bound;
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
