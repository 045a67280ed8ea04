// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.wire.ConnectRefusedDecoder;
import io.gradstream.codecs.wire.DescriptionDecoder;
import io.gradstream.codecs.wire.ModelFrameDecoder;
import io.gradstream.codecs.wire.RefusedDecoder;
import io.gradstream.codecs.wire.TableRefusedDecoder;
import io.gradstream.codecs.wire.WatermarksDecoder;
import io.gradstream.worker.cache.ProcessCache;
import io.gradstream.worker.model.ModelRequests;
import io.gradstream.worker.session.PartRefused;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.PullRequests;
import io.gradstream.worker.session.Welcome;
import io.gradstream.worker.session.WorkerIdentity;
import org.agrona.DirectBuffer;

/** Hands each answer of a server to the session, pull, table request or other request it is for. */
final class ResponseDispatcher
{
    private final WorkerIdentity identity;
    private final PartitionSession[] sessions;
    private final PullRequests[] pulls;
    private final RoutingTable routes;
    private final Questions questions;
    private final DegradedWatch degraded;
    private final ProcessCache cache;
    private long nowNs;

    ResponseDispatcher(
        final WorkerIdentity identity,
        final PartitionSession[] sessions,
        final PullRequests[] pulls,
        final RoutingTable routes,
        final Questions questions,
        final DegradedWatch degraded,
        final ProcessCache cache)
    {
        this.identity = identity;
        this.sessions = sessions;
        this.pulls = pulls;
        this.routes = routes;
        this.questions = questions;
        this.degraded = degraded;
        this.cache = cache;
    }

    void nowNs(final long newNowNs)
    {
        nowNs = newNowNs;
    }

    boolean isPartition(final int partition)
    {
        return partition >= 0 && partition < sessions.length;
    }

    boolean isOurs(final int messageSlot, final long incarnation)
    {
        return messageSlot == identity.slot() && incarnation == identity.incarnation();
    }

    void onConnected(final long correlationId, final long nodeIncarnation, final int nodeId)
    {
        for (final ServerConnection connection : routes.all())
        {
            connection.onConnected(correlationId, nodeIncarnation, nowNs);
        }
    }

    void onConnectRefused(final ConnectRefusedDecoder refused)
    {
        final ConnectRefusal refusal =
            new ConnectRefusal(refused.ofJob(), refused.connections(), refused.maxConnections());
        for (final ServerConnection connection : routes.all())
        {
            connection.onConnectRefused(refused.correlationId(), refused.nodeIncarnation(), refusal, nowNs);
        }
    }

    void onSignOfLife(final long nodeIncarnation, final int nodeId)
    {
        final ServerConnection connection = routes.ofNode(nodeId);
        if (null != connection)
        {
            connection.onSignOfLife(nodeIncarnation, nowNs);
        }
    }

    void onWelcome(final int partition, final Welcome welcome)
    {
        if (sessions[partition].onWelcome(welcome, nowNs))
        {
            pulls[partition].onAttached();
            routes.shortened(partition).onAttached();
            cache.onEpoch(partition, sessions[partition].epoch());
        }
    }

    void onContentRefused(final int partition, final long epoch, final long sequence, final int code)
    {
        sessions[partition].onContentRefused(epoch, sequence, code);
        // cached rows may show what was refused
        cache.drop(partition);
    }

    void onWatermarks(final WatermarksDecoder.PartitionsDecoder watermarks)
    {
        final PartitionSession session = sessions[watermarks.partition()];
        session.onWatermarks(
            watermarks.epoch(),
            watermarks.applied(),
            watermarks.replicated(),
            watermarks.recorded(),
            watermarks.snapshotted(),
            nowNs);
        session.onHeld(watermarks.epoch(), watermarks.held(), nowNs);
        if (watermarks.epoch() == session.epoch())
        {
            degraded.onWatermarks(session.partition(), 1 == watermarks.degraded(), nowNs);
        }
    }

    void onRows(
        final int partition,
        final long epoch,
        final long position,
        final long requestId,
        final PullRequests.RowsChunk chunk)
    {
        pulls[partition].onRows(epoch, position, requestId, chunk, nowNs);
    }

    void onTableCreated(final long requestId)
    {
        questions.tables.onTableCreated(requestId);
    }

    void onTableRefused(final TableRefusedDecoder refused)
    {
        questions.tables.onTableRefused(refused.requestId(), Refusal.of(refused.code()), refused.reason());
    }

    void onDescription(final DescriptionDecoder page)
    {
        questions.descriptions.onDescription(page);
    }

    void onModelFrame(final ModelFrameDecoder frame, final DirectBuffer buffer, final int offset, final int length)
    {
        questions.models.onFrame(frame.partition(), frame.requestId(), frame.clock(), buffer, offset, length);
    }

    void onRefused(final RefusedDecoder refused)
    {
        final int partition = refused.partition();
        final Refusal refusal = Refusal.of(refused.code());
        final long requestId = refused.requestId();
        if (Refusal.KEYS_UNKNOWN == refusal && 0 != requestId)
        {
            routes.shortened(partition).onPullUnknown(refused.expected());
        }
        if (0 == requestId)
        {
            if (Refusal.KEYS_UNKNOWN == refusal && !routes.shortened(partition).onPartUnknown(refused.expected()))
            {
                return;
            }
            sessions[partition].onRefused(new PartRefused(refused.incarnation(), refused.helloId(),
                refused.epoch(), refused.sequence(), refused.expected(), refusal), nowNs);
        }
        else if (requestId > 0 ? pulls[partition].onRefused(requestId, refusal, nowNs) :
            questions.onRefused(partition, requestId, refusal))
        {
            onRequestRefused(partition, refused.epoch(), refusal);
        }
        if (Refusal.NO_SUCH_TABLE == refusal)
        {
            questions.tables.createAgain(partition);
        }
        else if (Refusal.NOT_CONNECTED == refusal && null != routes.of(partition))
        {
            routes.of(partition).onNotConnected(nowNs);
        }
    }

    private void onRequestRefused(final int partition, final long epoch, final Refusal refusal)
    {
        // a refusal of the request holds for the session, too; FENCED only if the epoch is newer
        final PartitionSession session = sessions[partition];
        if (Refusal.NOT_PRIMARY == refusal || (Refusal.FENCED == refusal && epoch > session.epoch()))
        {
            session.onNotPrimary(nowNs);
        }
    }

    /** The requests to partitions besides pushes and pulls. */
    record Questions(TableRequests tables, DescribeRequests descriptions, ModelRequests models)
    {
        boolean onRefused(final int partition, final long requestId, final Refusal refusal)
        {
            return descriptions.onRefused(requestId, refusal) || models.onRefused(partition, requestId, refusal) ||
                tables.onRefused(requestId, refusal);
        }
    }
}
