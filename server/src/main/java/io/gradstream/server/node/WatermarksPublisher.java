// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.WatermarksEncoder;
import io.gradstream.server.node.WorkerConnection.Watermark;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.partition.SlotProgress;
import org.agrona.collections.IntArrayList;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Tells workers how far their parts have come: at most one message for each worker and duty cycle, when something
 * changed or as a sign of life.
 */
final class WatermarksPublisher
{
    /** Most partitions in one message; the rest follow in the next. */
    static final int MAX_PARTITIONS = 256;
    /** Most refusals in one message; a watermark stops before the first that does not fit. */
    static final int MAX_REFUSALS = 2048;

    private static final int CODE_BITS = 8;
    private static final int CODE_MASK = (1 << CODE_BITS) - 1;
    private static final int MAX_LENGTH = 64 * 1024;

    private final int nodeId;
    private final long nodeIncarnation;
    private final List<HostedPartition> hosted;
    private final int maxPartitions;
    private final int maxRefusals;
    private final UnsafeBuffer buffer;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final WatermarksEncoder encoder = new WatermarksEncoder();
    private final IntArrayList selected = new IntArrayList();
    private final LongArrayList caps = new LongArrayList();
    private final LongArrayList refusals = new LongArrayList();
    private final List<Partition> refusalPartitions = new ArrayList<>();
    private final LongArrayList ofPartition = new LongArrayList();
    /** True if the message lacks refusals. */
    private boolean isFull;
    private boolean isRecordingAwaited;

    WatermarksPublisher(
        final int nodeId,
        final long nodeIncarnation,
        final List<HostedPartition> hosted,
        final int maxResponseLength)
    {
        final int length = Math.min(MAX_LENGTH, maxResponseLength);
        maxPartitions = Math.max(1, Math.min(
            MAX_PARTITIONS, length / 4 / WatermarksEncoder.PartitionsEncoder.sbeBlockLength()));
        maxRefusals = Math.min(MAX_REFUSALS, length / 2 / WatermarksEncoder.RefusalsEncoder.sbeBlockLength());
        buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
        this.nodeId = nodeId;
        this.nodeIncarnation = nodeIncarnation;
        this.hosted = hosted;
    }

    /**
     * Tell one worker what has changed.
     *
     * @param always send even if nothing has changed.
     * @return true if a message was sent.
     */
    boolean publish(final WorkerConnection connection, final boolean always)
    {
        select(connection);
        if (selected.isEmpty() && !always)
        {
            return false;
        }
        encode(connection);
        if (!connection.responses().offer(
            buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength()))
        {
            return false;
        }
        for (int i = 0; i < selected.size(); i++)
        {
            connection.watermark(hosted.get(selected.getInt(i))).onTold(caps.getLong(i));
        }
        // refusals of one partition may fill a message: another partition then comes first in the next message
        connection.first(isFull ? (connection.first() + 1) % hosted.size() : 0);

        return true;
    }

    /** True if a worker has waited until more is recorded since the last call. */
    boolean takeRecordingAwaited()
    {
        final boolean wasAwaited = isRecordingAwaited;
        isRecordingAwaited = false;

        return wasAwaited;
    }

    private void select(final WorkerConnection connection)
    {
        selected.clear();
        caps.clear();
        refusals.clear();
        refusalPartitions.clear();
        isFull = false;
        for (int n = 0; n < hosted.size() && selected.size() < maxPartitions; n++)
        {
            final int i = (connection.first() + n) % hosted.size();
            final Watermark watermark = connection.watermark(hosted.get(i));
            if (null != watermark && hosted.get(i).mayAcknowledge(connection.slot(), connection.incarnation()) &&
                isDue(connection.slot(), hosted.get(i), watermark))
            {
                select(i, takeRefusals(
                    connection.slot(), hosted.get(i).partition(),
                    hosted.get(i).knownThrough(connection.slot(), connection.incarnation())));
            }
        }
    }

    /**
     * Add a partition to the message. A partition for which too little room is left waits until it comes first: if its
     * watermark depended on other partitions, it would go back.
     */
    private void select(final int index, final long cap)
    {
        if (Long.MAX_VALUE != cap && !selected.isEmpty())
        {
            final Partition partition = hosted.get(index).partition();
            for (int last = refusals.size() - 1; last >= 0 && partition == refusalPartitions.get(last); last--)
            {
                refusals.removeAt(last);
                refusalPartitions.remove(last);
            }
        }
        else
        {
            selected.addInt(index);
            caps.addLong(cap);
        }
    }

    private boolean isDue(final int slot, final HostedPartition copy, final Watermark watermark)
    {
        final SlotProgress progress = copy.partition().progress();
        copy.updateWatermarks(slot);
        watermark.set(
            copy.partition().lastSequence(slot), progress.replicatedSequence(slot), progress.recordedSequence(slot),
            progress.snapshottedSequence(slot));
        watermark.held(progress.heldSequence(slot));
        isRecordingAwaited |= watermark.isRecordingAwaited(copy.replica().isReplicatedByRecording());

        return watermark.isDue;
    }

    /**
     * Add a partition's refusals that the worker may not know, the oldest first, and return the sequence that no
     * watermark may pass in this message.
     */
    private long takeRefusals(final int slot, final Partition partition, final long knownThrough)
    {
        ofPartition.clear();
        partition.progress().forEachRefusal(slot, (sequence, code) ->
        {
            if (sequence > knownThrough)
            {
                ofPartition.addLong(sequence << CODE_BITS | code);
            }
        });
        if (ofPartition.isEmpty())
        {
            return Long.MAX_VALUE;
        }
        final long[] sorted = ofPartition.toLongArray();
        Arrays.sort(sorted);
        for (final long refusal : sorted)
        {
            if (maxRefusals == refusals.size())
            {
                isFull = true;
                return (refusal >>> CODE_BITS) - 1;
            }
            refusals.addLong(refusal);
            refusalPartitions.add(partition);
        }

        return Long.MAX_VALUE;
    }

    private void encode(final WorkerConnection connection)
    {
        encoder.wrapAndApplyHeader(buffer, 0, header)
            .nodeIncarnation(nodeIncarnation)
            .nodeId(nodeId)
            .slot(connection.slot())
            .incarnation(connection.incarnation());
        final WatermarksEncoder.PartitionsEncoder partitions = encoder.partitionsCount(selected.size());
        for (int i = 0; i < selected.size(); i++)
        {
            final Watermark watermark = connection.watermark(hosted.get(selected.getInt(i)));
            final HostedPartition copy = hosted.get(selected.getInt(i));
            final Partition partition = copy.partition();
            final long cap = caps.getLong(i);
            partitions.next()
                .epoch(partition.epoch())
                .applied(Math.min(cap, watermark.applied))
                .replicated(Math.min(cap, watermark.replicated))
                .recorded(Math.min(cap, watermark.recorded))
                .snapshotted(Math.min(cap, watermark.snapshotted))
                .partition(partition.partition())
                .degraded((short)(copy.replica().chain().isDegraded() ? 1 : 0))
                .held(watermark.held);
        }
        final WatermarksEncoder.RefusalsEncoder refused = encoder.refusalsCount(refusals.size());
        for (int i = 0; i < refusals.size(); i++)
        {
            refused.next()
                .sequence(refusals.getLong(i) >>> CODE_BITS)
                .partition(refusalPartitions.get(i).partition())
                .code((short)(refusals.getLong(i) & CODE_MASK))
                .epoch(refusalPartitions.get(i).epoch());
        }
    }
}
