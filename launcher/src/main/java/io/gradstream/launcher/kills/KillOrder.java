// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

/**
 * One kill that the user asked for.
 *
 * @param target servers to kill.
 * @param when   it is due.
 */
public record KillOrder(Target target, KillTime when)
{
    /**
     * The servers that a kill ends.
     */
    public enum Target
    {
        /** One server; servers take turns. */
        SERVER,
        /** The server that is primary of the most partitions. */
        PRIMARY,
        /** All servers at once. */
        ALL
    }
}
