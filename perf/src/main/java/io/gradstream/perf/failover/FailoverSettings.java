// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.failover;

import io.gradstream.driver.DriverProfile;

import java.nio.file.Path;

/**
 * The settings of a failover run, checked before anything opens.
 *
 * @param runs           kills that count.
 * @param partitions     of the job, each with one standby.
 * @param rate           pushes a second to each partition.
 * @param coordinators   1 or 3.
 * @param isLeaderKilled true if the coordinator that leads is killed together with the primary.
 * @param timing         quiet or shared: how soon a silent server is suspected.
 * @param profile        how processes wait.
 * @param directory      new or empty, kept; null for a temporary one that is removed.
 */
record FailoverSettings(
    int runs,
    int partitions,
    double rate,
    int coordinators,
    boolean isLeaderKilled,
    String timing,
    DriverProfile profile,
    Path directory)
{
    /** Servers: one to kill, one to take over. */
    static final int SERVERS = 2;

    private static final int MAX_RUNS = 10_000;
    private static final int MAX_PARTITIONS = 64;
    private static final double MAX_RATE = 1_000;

    FailoverSettings
    {
        check(runs >= 1 && runs <= MAX_RUNS, "runs", runs, "1.." + MAX_RUNS);
        check(partitions >= SERVERS && partitions <= MAX_PARTITIONS, "partitions", partitions,
            SERVERS + ".." + MAX_PARTITIONS);
        check(rate >= 1 && rate <= MAX_RATE, "rate", rate, "1.." + (int)MAX_RATE);
        check(1 == coordinators || 3 == coordinators, "coordinators", coordinators, "1 or 3");
        check(!isLeaderKilled || 3 == coordinators, "coordinators", coordinators,
            "3 with --kill-leader: nobody takes over from a single one");
        check("quiet".equals(timing) || "shared".equals(timing), "timing", timing, "quiet or shared");
    }

    private static void check(final boolean isValid, final String name, final Object value, final String allowed)
    {
        if (!isValid)
        {
            throw new IllegalArgumentException("invalid --" + name + "=" + value + ": must be " + allowed);
        }
    }
}
