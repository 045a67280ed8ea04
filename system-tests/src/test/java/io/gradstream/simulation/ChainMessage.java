/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.simulation;

import io.gradstream.recovery.chain.PeerHeartbeat;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.replica.AttachAnswer;
import io.gradstream.recovery.replica.ChainLink;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What one node says to another.
 */
interface ChainMessage
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
