// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

/** Numbers of the Aeron streams of the conversations between workers, servers and servers among themselves. */
public final class Streams
{
    /** Messages of workers to a server. */
    public static final int INGRESS = 101;
    /** Messages of a server to a worker. */
    public static final int RESPONSE = 102;
    /** From a node to a neighbour in a chain: records and snapshots. */
    public static final int CHAIN = 103;
    /** From a node to a neighbour in a chain, for messages that must not wait: heartbeats and how far it has come. */
    public static final int CHAIN_CONTROL = 104;

    private Streams()
    {
    }
}
