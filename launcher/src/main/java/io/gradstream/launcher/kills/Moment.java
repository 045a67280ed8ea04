// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.util.List;

/**
 * The facts by which the next step of a kill is decided.
 *
 * @param nowMs                {@link io.gradstream.driver.client.HostClock#monotonicMs()}.
 * @param shareDone            batches done by all workers together, of those planned; 0 to 1.
 * @param isAllHeld            true if every worker holds back its last batches.
 * @param heads                for each partition the server that is its primary, or a negative number.
 * @param servers              node ids of the servers that belong to the cluster.
 * @param workers              number of workers that were started, each counted once.
 * @param areServersWhole      true if all servers are up and every partition has all its replicas.
 * @param areCoordinatorsWhole true if all coordinators run and one leads.
 * @param areWorkersBegun      true if the newest process of each worker has begun, or the worker has finished.
 * @param term                 of the newest leader of the coordinators; grows with each.
 * @param termBeganMs          when it began, by the same clock.
 */
record Moment(
    long nowMs,
    double shareDone,
    boolean isAllHeld,
    List<Integer> heads,
    List<Integer> servers,
    int workers,
    boolean areServersWhole,
    boolean areCoordinatorsWhole,
    boolean areWorkersBegun,
    long term,
    long termBeganMs)
{
}
