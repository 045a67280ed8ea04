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
package io.gradstream.recovery.replica;

import io.gradstream.recovery.log.EpochHistory;
import org.agrona.DirectBuffer;

/**
 * What the neighbours in the chain say to a replica; what does not fit where it stands is ignored.
 */
public final class ReplicaMessages
{
    private final Replica replica;
    private final ChainMembership place;
    private final Upstream follower;

    ReplicaMessages(final Replica replica, final ChainMembership place, final Upstream follower)
    {
        this.replica = replica;
        this.place = place;
        this.follower = follower;
    }

    /**
     * A follower wants to attach to this replica.
     *
     * @param link     to it.
     * @param history  of its log.
     * @param position where its log ends, or {@link Upstream#WANTS_SNAPSHOT}.
     * @param nowNs    now.
     */
    public void onAttach(final ChainLink link, final EpochHistory history, final long position, final long nowNs)
    {
        if (isFollowedBy(link))
        {
            replica.successor().onAttach(link, history, position, nowNs);
            place.onAttached();
        }
    }

    /**
     * A follower reports how far it, and whoever follows it, has come.
     *
     * @param link     it reports under; another than its newest is ignored.
     * @param applied  position.
     * @param recorded position.
     * @param covered  position of its oldest kept snapshot, 0 if it has none.
     * @param echoNs   newest heartbeat of this node by which it, and whoever is counted behind it, stands; 0 if none.
     * @param nowNs    now.
     */
    public void onProgress(
        final ChainLink link,
        final long applied,
        final long recorded,
        final long covered,
        final long echoNs,
        final long nowNs)
    {
        if (isFollowedBy(link))
        {
            replica.successor().onProgress(link, applied, recorded, covered, echoNs, nowNs);
        }
    }

    /**
     * The predecessor has answered.
     *
     * @param attachment answered.
     * @param answer     how to go on.
     * @param position   from where.
     */
    public void onAttachAnswer(final long attachment, final AttachAnswer answer, final long position)
    {
        if (Replica.State.FOLLOW_LOG == replica.state())
        {
            follower.onAnswer(attachment, answer, position);
        }
    }

    /**
     * The predecessor hands a record on.
     *
     * @param record from it.
     * @return false if it cannot be appended now and must come again.
     */
    public boolean onForward(final Upstream.Forwarded record)
    {
        return Replica.State.FOLLOW_LOG != replica.state() || follower.onForward(record, replica.log());
    }

    /**
     * The predecessor hands on a frame of its snapshot.
     *
     * @param attachment it belongs to.
     * @param index      of the frame.
     * @param buffer     that holds it.
     * @param offset     of it.
     * @param length     bytes.
     */
    public void onSnapshotFrame(
        final long attachment, final long index, final DirectBuffer buffer, final int offset, final int length)
    {
        if (Replica.State.FETCH_SNAPSHOT == replica.state())
        {
            follower.onFrame(attachment, index, buffer, offset, length);
        }
    }

    private boolean isFollowedBy(final ChainLink link)
    {
        return place.isFollowedBy(link.nodeId()) &&
            (replica.isPrimary() || Replica.State.FOLLOW_LOG == replica.state());
    }
}
