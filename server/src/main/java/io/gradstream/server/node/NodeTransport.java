// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.recovery.chain.NodePort;

import java.util.List;

/** The streams between a node, its neighbours in the chains, and workers. No call waits. */
public interface NodeTransport extends ResponseStream.Opener
{
    /** The port by which this node sends to its neighbours. */
    NodePort neighbours();

    /** Where nodes listen from now on: host:port by node id, empty for a node that has not registered yet. */
    void onEndpoints(List<String> endpoints);

    int pollNeighbours(NeighbourMessages receiver);

    int pollWorkers(IngressAdapter receiver);

    /** Longest message that a response stream takes. */
    int maxResponseLength();

    /** Most workers connected at once. */
    int maxConnections();

    /** Most bytes of the lists of keys of all workers. */
    long maxKeyListBytes();
}
