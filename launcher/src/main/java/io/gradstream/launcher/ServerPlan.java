// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import io.gradstream.codecs.RecoveryMode;

/**
 * The settings of the servers of a local cluster, which all run alike. Words are those of the options.
 *
 * @param profile          how processes wait: dev or latency.
 * @param driver           process that runs a server's media driver.
 * @param logRetention     all or recovery.
 * @param mode             what servers keep, as {@code --mode} names it.
 * @param replicas         of each partition, the primary among them; at most as many as servers.
 * @param failureDetection fast or default.
 */
public record ServerPlan(
    String profile, ServerDriver driver, String logRetention, String mode, int replicas, String failureDetection)
{
    /** Keep of the log what a recovery needs. */
    public static final String RECOVERY = "recovery";
    /** Heartbeats and suspicions for an idle machine. */
    public static final String FAST = "fast";
    /** Heartbeats and suspicions for a machine whose cores are shared. */
    public static final String DEFAULT = "default";

    /** Servers with one standby for each partition. */
    public static ServerPlan chain(final String profile, final String failureDetection)
    {
        return new ServerPlan(
            profile, ServerDriver.INTERNAL, RECOVERY, RecoveryMode.CHAIN.label(), 2, failureDetection);
    }
}
