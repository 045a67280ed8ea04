// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.network;

import io.gradstream.recovery.chain.PeerHeartbeat;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.replica.AttachAnswer;
import io.gradstream.recovery.replica.ChainLink;
import org.agrona.concurrent.UnsafeBuffer;

/** A message of one node to another. */
public interface ChainMessage
{
    /** Which attachment it is about, or null if it is about nodes. */
    default ChainLink link()
    {
        return null;
    }

    /** A node lives. What it would grant, if leases were of nodes, only planted faults look at. */
    record Heartbeat(int from, PeerHeartbeat peer, long grantNs) implements ChainMessage
    {
    }

    /** A follower wants to follow; the link names it. */
    record Attach(ChainLink link, EpochHistory history, long position) implements ChainMessage
    {
    }

    /** How far a follower has come; the link names it. */
    record Progress(ChainLink link, long applied, long recorded, long snapshotted, long grantNs) implements ChainMessage
    {
    }

    /** How a follower goes on. */
    record Answer(ChainLink link, AttachAnswer answer, long position) implements ChainMessage
    {
    }

    /** A record. */
    record Forward(ChainLink link, long previousPosition, long endPosition, UnsafeBuffer bytes)
        implements ChainMessage
    {
    }

    /** A frame of a snapshot. */
    record Frame(ChainLink link, long index, UnsafeBuffer bytes) implements ChainMessage
    {
    }
}
