// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;
import io.gradstream.coordinator.session.ClusterSession;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A service that answers each command with the number of commands so far, then the command itself.
 */
final class CountingService implements ClusteredService
{
    static final int PREFIX_LENGTH = Long.BYTES;

    private static final int MAX_ATTEMPTS = 200;

    private final UnsafeBuffer answer =
        new UnsafeBuffer(new byte[PREFIX_LENGTH + ClusterSession.MAX_MESSAGE_LENGTH]);
    private Cluster cluster;
    private long commands;
    private volatile long startedFrom = -1;

    /**
     * The count in the snapshot the service started from, 0 without one, -1 before it started.
     */
    long startedFrom()
    {
        return startedFrom;
    }

    public void onStart(final Cluster newCluster, final Image snapshotImage)
    {
        cluster = newCluster;
        if (null != snapshotImage)
        {
            while (0 == snapshotImage.poll((buffer, offset, length, header) -> commands = buffer.getLong(offset), 1))
            {
                cluster.idleStrategy().idle();
            }
        }
        startedFrom = commands;
    }

    public void onSessionMessage(
        final ClientSession session,
        final long timestamp,
        final DirectBuffer buffer,
        final int offset,
        final int length,
        final Header header)
    {
        commands++;
        final int answerLength = Math.min(PREFIX_LENGTH + length, ClusterSession.MAX_MESSAGE_LENGTH);
        answer.putLong(0, commands);
        answer.putBytes(PREFIX_LENGTH, buffer, offset, answerLength - PREFIX_LENGTH);
        // A client that is gone never takes its answer.
        int attempts = MAX_ATTEMPTS;
        while (session.offer(answer, 0, answerLength) < 0 && --attempts > 0)
        {
            cluster.idleStrategy().idle();
        }
    }

    public void onTakeSnapshot(final ExclusivePublication snapshotPublication)
    {
        answer.putLong(0, commands);
        while (snapshotPublication.offer(answer, 0, PREFIX_LENGTH) < 0)
        {
            cluster.idleStrategy().idle();
        }
    }

    public void onSessionOpen(final ClientSession session, final long timestamp)
    {
        // Sessions have no state.
    }

    public void onSessionClose(final ClientSession session, final long timestamp, final CloseReason closeReason)
    {
        // Sessions have no state.
    }

    public void onTimerEvent(final long correlationId, final long timestamp)
    {
        // No timer is set.
    }

    public void onRoleChange(final Cluster.Role newRole)
    {
        // The same as leader and follower.
    }

    public void onTerminate(final Cluster terminatedCluster)
    {
        // Nothing to put away.
    }
}
