// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import io.gradstream.codecs.RecoveryMode;

/**
 * The settings of the servers of a local cluster, which all run alike.
 *
 * @param profile          how processes wait: dev or latency.
 * @param driver           process that runs a server's media driver.
 * @param keepLog          all or needed.
 * @param mode             what servers keep, as {@code --mode} names it.
 * @param standbys         of each partition, fewer than servers.
 * @param timing           quiet or shared.
 */
public record ServerPlan(
    String profile,
    ServerDriver driver,
    String keepLog,
    String mode,
    int standbys,
    String timing)
{
    /** Heartbeats and suspicions for an idle machine. */
    public static final String QUIET = "quiet";
    /** Heartbeats and suspicions for a machine whose cores are shared. */
    public static final String SHARED = "shared";

    /** Servers with one standby for each partition. */
    public static ServerPlan chain(final String profile, final String timing)
    {
        return new ServerPlan(profile, ServerDriver.INTERNAL, "needed", RecoveryMode.CHAIN.label(), 1, timing);
    }
}
