// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.codecs.wire.ConnectRefusedDecoder;
import io.gradstream.codecs.wire.ConnectedDecoder;
import io.gradstream.codecs.wire.DescriptionDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.ModelFrameDecoder;
import io.gradstream.codecs.wire.RefusedDecoder;
import io.gradstream.codecs.wire.RowsDecoder;
import io.gradstream.codecs.wire.TableCreatedDecoder;
import io.gradstream.codecs.wire.TableRefusedDecoder;
import io.gradstream.codecs.wire.WatermarksDecoder;
import io.gradstream.codecs.wire.WelcomeDecoder;
import io.gradstream.worker.session.PullRequests;
import io.gradstream.worker.session.Welcome;
import org.agrona.DirectBuffer;

/** Decodes what servers say and calls one method for each message. */
final class ResponseAdapter implements Transport.Receiver, PullRequests.RowsChunk
{
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ConnectedDecoder connected = new ConnectedDecoder();
    private final ConnectRefusedDecoder connectRefused = new ConnectRefusedDecoder();
    private final WelcomeDecoder welcome = new WelcomeDecoder();
    private final WatermarksDecoder watermarks = new WatermarksDecoder();
    private final RowsDecoder rows = new RowsDecoder();
    private final TableCreatedDecoder tableCreated = new TableCreatedDecoder();
    private final TableRefusedDecoder tableRefused = new TableRefusedDecoder();
    private final DescriptionDecoder description = new DescriptionDecoder();
    private final ModelFrameDecoder modelFrame = new ModelFrameDecoder();
    private final RefusedDecoder refused = new RefusedDecoder();
    private final ResponseDispatcher responses;
    private long unknownCount;
    private DirectBuffer rowsBuffer;
    private int rowsValuesOffset;
    private int rowsValuesLength;

    ResponseAdapter(final ResponseDispatcher responses)
    {
        this.responses = responses;
    }

    long unknownCount()
    {
        return unknownCount;
    }

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < MessageHeaderDecoder.ENCODED_LENGTH)
        {
            unknownCount++;
            return;
        }
        header.wrap(buffer, offset);
        if (MessageHeaderDecoder.SCHEMA_ID != header.schemaId() ||
            header.version() > MessageHeaderDecoder.SCHEMA_VERSION ||
            length < MessageHeaderDecoder.ENCODED_LENGTH + header.blockLength())
        {
            unknownCount++;
            return;
        }
        switch (header.templateId())
        {
            case ConnectedDecoder.TEMPLATE_ID -> onConnected(buffer, offset);
            case ConnectRefusedDecoder.TEMPLATE_ID -> onConnectRefused(buffer, offset);
            case WelcomeDecoder.TEMPLATE_ID -> onWelcome(buffer, offset);
            case WatermarksDecoder.TEMPLATE_ID -> onWatermarks(buffer, offset);
            case RowsDecoder.TEMPLATE_ID -> onRows(buffer, offset);
            case TableCreatedDecoder.TEMPLATE_ID -> onTableCreated(buffer, offset);
            case TableRefusedDecoder.TEMPLATE_ID -> onTableRefused(buffer, offset);
            case RefusedDecoder.TEMPLATE_ID -> onRefused(buffer, offset);
            case DescriptionDecoder.TEMPLATE_ID -> onDescription(buffer, offset);
            case ModelFrameDecoder.TEMPLATE_ID -> onModelFrame(buffer, offset);
            default -> unknownCount++;
        }
    }

    private void onModelFrame(final DirectBuffer buffer, final int offset)
    {
        modelFrame.wrapAndApplyHeader(buffer, offset, header);
        final int length = modelFrame.frameLength();
        if (responses.isPartition(modelFrame.partition()))
        {
            responses.onModelFrame(
                modelFrame, buffer, modelFrame.limit() + ModelFrameDecoder.frameHeaderLength(), length);
        }
    }

    private void onConnected(final DirectBuffer buffer, final int offset)
    {
        connected.wrapAndApplyHeader(buffer, offset, header);
        responses.onConnected(connected.correlationId(), connected.nodeIncarnation(), connected.nodeId());
    }

    private void onConnectRefused(final DirectBuffer buffer, final int offset)
    {
        connectRefused.wrapAndApplyHeader(buffer, offset, header);
        responses.onConnectRefused(connectRefused);
    }

    private void onWelcome(final DirectBuffer buffer, final int offset)
    {
        welcome.wrapAndApplyHeader(buffer, offset, header);
        final int partition = welcome.partition();
        if (responses.isOurs(welcome.slot(), welcome.incarnation()) && responses.isPartition(partition))
        {
            responses.onWelcome(partition, new Welcome(welcome.incarnation(), welcome.helloId(), welcome.epoch(),
                welcome.lastSequence(), welcome.lastIncarnation(),
                new Welcome.HeldParts(
                    Math.max(0, welcome.clock()), welcome.held(), 1 == welcome.sequential(), 1 == welcome.mayLack()),
                welcome.safe()));
        }
    }

    private void onWatermarks(final DirectBuffer buffer, final int offset)
    {
        // refusals first, so that what is released knows its outcome
        watermarks.wrapAndApplyHeader(buffer, offset, header);
        responses.onSignOfLife(watermarks.nodeIncarnation(), watermarks.nodeId());
        if (!responses.isOurs(watermarks.slot(), watermarks.incarnation()))
        {
            return;
        }
        WatermarksDecoder.PartitionsDecoder partitions = watermarks.partitions();
        while (partitions.hasNext())
        {
            partitions.next();
        }
        final WatermarksDecoder.RefusalsDecoder refusals = watermarks.refusals();
        while (refusals.hasNext())
        {
            refusals.next();
            if (responses.isPartition(refusals.partition()))
            {
                responses.onContentRefused(
                    refusals.partition(), refusals.epoch(), refusals.sequence(), refusals.code());
            }
        }

        watermarks.wrapAndApplyHeader(buffer, offset, header);
        partitions = watermarks.partitions();
        while (partitions.hasNext())
        {
            partitions.next();
            if (responses.isPartition(partitions.partition()))
            {
                responses.onWatermarks(partitions);
            }
        }
    }

    private void onRows(final DirectBuffer buffer, final int offset)
    {
        rows.wrapAndApplyHeader(buffer, offset, header);
        if (responses.isPartition(rows.partition()))
        {
            rowsBuffer = buffer;
            rowsValuesLength = rows.valuesLength();
            rowsValuesOffset = rows.limit() + RowsDecoder.valuesHeaderLength();
            responses.onRows(rows.partition(), rows.epoch(), rows.position(), rows.requestId(), this);
        }
    }

    private void onTableCreated(final DirectBuffer buffer, final int offset)
    {
        tableCreated.wrapAndApplyHeader(buffer, offset, header);
        responses.onTableCreated(tableCreated.requestId());
    }

    private void onTableRefused(final DirectBuffer buffer, final int offset)
    {
        tableRefused.wrapAndApplyHeader(buffer, offset, header);
        responses.onTableRefused(tableRefused);
    }

    private void onDescription(final DirectBuffer buffer, final int offset)
    {
        description.wrapAndApplyHeader(buffer, offset, header);
        if (responses.isPartition(description.partition()))
        {
            responses.onDescription(description);
        }
    }

    private void onRefused(final DirectBuffer buffer, final int offset)
    {
        refused.wrapAndApplyHeader(buffer, offset, header);
        if (responses.isPartition(refused.partition()))
        {
            responses.onRefused(refused);
        }
    }

    public int rowOffset()
    {
        return rows.rowOffset();
    }

    public int rowCount()
    {
        return rows.rowCount();
    }

    public boolean isLast()
    {
        return 0 != rows.last();
    }

    public long minClock()
    {
        return rows.minClock();
    }

    public long slotClock()
    {
        return rows.slotClock();
    }

    public long heldNs()
    {
        return rows.heldNs();
    }

    public ValueEncoding encoding()
    {
        return ValueEncoding.ofWire(rows.encoding());
    }

    public DirectBuffer values()
    {
        return rowsBuffer;
    }

    public int valuesOffset()
    {
        return rowsValuesOffset;
    }

    public int valuesLength()
    {
        return rowsValuesLength;
    }
}
