// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.RowsDecoder;
import io.gradstream.codecs.wire.WatermarksDecoder;
import io.gradstream.codecs.wire.WatermarksEncoder;
import io.gradstream.codecs.wire.WelcomeDecoder;
import io.gradstream.server.node.ResponseStream;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.World;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/**
 * A response stream whose messages are checked as they leave the node: they must be true, and this node must be allowed
 * to say them. It is also the place for mistakes about watermarks.
 */
final class ResponseChecker implements ResponseStream
{
    private static final int LEVELS = 4;

    private final World world;
    private final Cluster cluster;
    private final SimulatedProcess process;
    private final int client;
    private final ResponseStream stream;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final WatermarksDecoder watermarks = new WatermarksDecoder();
    private final WelcomeDecoder welcome = new WelcomeDecoder();
    private final RowsDecoder rows = new RowsDecoder();
    /** To the process before, for a planted fault. */
    private ResponseStream toReplaced;
    private final UnsafeBuffer changed = new UnsafeBuffer(new byte[ScenarioConfig.MAX_RESPONSE_LENGTH]);

    ResponseChecker(
        final World world,
        final Cluster cluster,
        final SimulatedProcess process,
        final int client,
        final ResponseStream stream)
    {
        this.world = world;
        this.cluster = cluster;
        this.process = process;
        this.client = client;
        this.stream = stream;
    }

    @Override
    public boolean offer(final DirectBuffer buffer, final int offset, final int length)
    {
        switch (header.wrap(buffer, offset).templateId())
        {
            case WatermarksDecoder.TEMPLATE_ID ->
            {
                return offerWatermarks(watermarks.wrapAndApplyHeader(buffer, offset, header));
            }
            case WelcomeDecoder.TEMPLATE_ID ->
                checkMayAnswer(welcome.wrapAndApplyHeader(buffer, offset, header).partition());
            case RowsDecoder.TEMPLATE_ID ->
            {
                checkMayAnswer(rows.wrapAndApplyHeader(buffer, offset, header).partition());
                cluster.listener().onRows(
                    process.hosted(rows.partition()), rows.epoch(), rows.position());
            }
            default ->
            {
                // acknowledges nothing: refusals, tables, descriptions
            }
        }

        return stream.offer(buffer, offset, length);
    }

    private void checkMayAnswer(final int partition)
    {
        cluster.listener().onAnswer(process.seat(), partition);
        cluster.coordinator().checks().onAnswer(partition, process.hosted(partition).replica().chain().version());
    }

    private boolean offerWatermarks(final WatermarksDecoder told)
    {
        final WatermarksEncoder encoder = new WatermarksEncoder();
        encoder.wrapAndApplyHeader(changed, 0, new MessageHeaderEncoder())
            .nodeIncarnation(told.nodeIncarnation())
            .nodeId(told.nodeId())
            .slot(told.slot())
            .incarnation(told.incarnation());
        final int slot = told.slot();
        final WatermarksDecoder.PartitionsDecoder from = told.partitions();
        final WatermarksEncoder.PartitionsEncoder to = encoder.partitionsCount(from.count());
        while (from.hasNext())
        {
            from.next();
            checkMayAnswer(from.partition());
            final HostedPartition copy = process.hosted(from.partition());
            final long[] values = {
                world.isPlanted(PlantedFault.HELD_TOLD_AS_APPLIED) ? from.held() : from.applied(),
                cluster.lies().replicated(copy, slot, from.replicated()),
                world.isPlanted(PlantedFault.ACKNOWLEDGE_BEFORE_RECORDED) ? from.applied() : from.recorded(),
                from.snapshotted()};
            cluster.listener().onWatermarks(process.seat(), copy, slot, client, values);
            to.next()
                .epoch(from.epoch())
                .applied(values[0])
                .replicated(values[1])
                .recorded(values[2])
                .snapshotted(values[LEVELS - 1])
                .partition(from.partition())
                .degraded(from.degraded())
                .held(from.held());
        }
        final WatermarksDecoder.RefusalsDecoder refusals = told.refusals();
        final boolean isTold = !world.isPlanted(PlantedFault.REFUSAL_NOT_TOLD);
        final WatermarksEncoder.RefusalsEncoder toRefusals = encoder.refusalsCount(isTold ? refusals.count() : 0);
        for (final WatermarksDecoder.RefusalsDecoder refusal : refusals)
        {
            if (isTold)
            {
                toRefusals.next()
                    .sequence(refusal.sequence())
                    .partition(refusal.partition())
                    .code(refusal.code())
                    .epoch(refusal.epoch());
            }
        }

        final int length = MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
        if (world.isPlanted(PlantedFault.REPLACED_PROCESS_TOLD))
        {
            tellReplaced(slot, told.incarnation() - 1, length);
        }

        return stream.offer(changed, 0, length);
    }

    /** Tells the process before what a process of a slot is told, as if it were meant for it. */
    private void tellReplaced(final int slot, final long incarnation, final int length)
    {
        if (null == toReplaced || toReplaced.isClosed())
        {
            toReplaced = cluster.link(ScenarioConfig.client(slot, incarnation), process.seat())
                .openResponses(ScenarioConfig.MAX_RESPONSE_LENGTH);
        }
        final UnsafeBuffer copy = new UnsafeBuffer(new byte[length]);
        copy.putBytes(0, changed, 0, length);
        copy.putLong(MessageHeaderEncoder.ENCODED_LENGTH + WatermarksEncoder.incarnationEncodingOffset(), incarnation,
            ByteOrder.LITTLE_ENDIAN);
        toReplaced.offer(copy, 0, length);
    }

    @Override
    public int doWork()
    {
        return stream.doWork();
    }

    @Override
    public boolean isConnected()
    {
        return stream.isConnected();
    }

    @Override
    public boolean isClosed()
    {
        return stream.isClosed();
    }

    @Override
    public int maxPayloadLength()
    {
        return stream.maxPayloadLength();
    }

    @Override
    public int maxMessageLength()
    {
        return stream.maxMessageLength();
    }

    @Override
    public void close()
    {
        stream.close();
    }
}
