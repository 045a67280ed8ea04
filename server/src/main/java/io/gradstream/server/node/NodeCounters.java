// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;

/** The counters of a node. The node's thread writes them, any thread may read them. */
public final class NodeCounters
{
    /** One counter. */
    public enum Counter
    {
        /** Frames whose structure contradicts itself; ignored. */
        MALFORMED_FRAMES,
        /** Messages from another version of Gradstream, whose messages differ; ignored, malformed frames as well. */
        OTHER_VERSION_MESSAGES,
        /** Sound messages ignored: no connection, another slot or job, an older incarnation, a bad response channel. */
        DROPPED_MESSAGES,
        /** Messages answered with a refusal. */
        REFUSED_MESSAGES,
        /** Parts appended to a log, those refused for their content included. */
        APPENDED_PUSHES,
        /** Pulls answered completely. */
        ANSWERED_PULLS,
        /** Messages left with Aeron because there was no room for them or their answer: the worker is slowed down. */
        POSTPONED_MESSAGES,
        /** Snapshots begun. */
        STARTED_SNAPSHOTS,
        /** Records of a neighbour that arrived broken and were asked for again. */
        BROKEN_RECORDS,
        /** Workers connected now. */
        CONNECTIONS,
        /** Requests to connect for which there was no room; a worker repeats its own. */
        REFUSED_CONNECTS,
        /** Bytes of memory for the lists of keys that connected workers name. */
        KEY_LIST_BYTES
    }

    private final UnsafeBuffer values =
        new UnsafeBuffer(ByteBuffer.allocateDirect(Counter.values().length * Long.BYTES));

    public long get(final Counter counter)
    {
        return values.getLongVolatile(counter.ordinal() * Long.BYTES);
    }

    void increment(final Counter counter)
    {
        set(counter, values.getLong(counter.ordinal() * Long.BYTES) + 1);
    }

    void set(final Counter counter, final long value)
    {
        values.putLongRelease(counter.ordinal() * Long.BYTES, value);
    }
}
