// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

/**
 * Numbers of the Aeron streams of the conversations between workers, servers and servers among themselves.
 */
public final class Streams
{
    /** What workers send to a server. */
    public static final int INGRESS = 101;
    /** What servers send to a worker. */
    public static final int RESPONSE = 102;
    /** What a node sends to a neighbour in a chain: records and snapshots. */
    public static final int CHAIN = 103;
    /** What a node tells a neighbour in a chain and must not wait: heartbeats and how far it has come. */
    public static final int CHAIN_CONTROL = 104;

    private Streams()
    {
    }
}
