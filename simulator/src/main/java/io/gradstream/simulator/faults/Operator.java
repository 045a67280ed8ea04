// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.faults;

import io.gradstream.simulator.node.SimulatedNode;

/** Stops and starts processes of nodes. */
public interface Operator
{
    /** Kills the process of a node, and starts it again after a time. */
    void crash(SimulatedNode node, long awayNs);

    /** Starts a node a second time, on another host with an empty directory, while its first process lives. */
    void startAnother(int node);
}
