// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.wire.ConnectRefusedEncoder;
import io.gradstream.codecs.wire.ConnectedEncoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.RefusedEncoder;
import io.gradstream.codecs.wire.RowsEncoder;
import io.gradstream.codecs.wire.TableCreatedEncoder;
import io.gradstream.codecs.wire.TableRefusedEncoder;
import io.gradstream.codecs.wire.WelcomeEncoder;
import io.gradstream.server.node.PendingPulls.PendingPull;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.share.ConnectionLimit.NoRoom;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;

/**
 * Encodes what a server tells a worker. Each method returns false when it cannot be sent now; then nothing has
 * happened, and the caller leaves the message it answers unconsumed, or asks again. Answers are never queued here:
 * a request heard twice gets the same answer.
 */
final class EgressPublisher
{
    /** Bytes of a Rows message before its values. */
    static final int ROWS_HEADER_LENGTH =
        MessageHeaderEncoder.ENCODED_LENGTH + RowsEncoder.BLOCK_LENGTH + RowsEncoder.valuesHeaderLength();

    /** Longest sentence that is sent with a refusal; the rest is cut. */
    static final int MAX_REASON_LENGTH = 512;

    private final int nodeId;
    private final long nodeIncarnation;
    private final UnsafeBuffer buffer;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ConnectedEncoder connected = new ConnectedEncoder();
    private final ConnectRefusedEncoder connectRefused = new ConnectRefusedEncoder();
    private final WelcomeEncoder welcome = new WelcomeEncoder();
    private final RowsEncoder rows = new RowsEncoder();
    private final TableCreatedEncoder tableCreated = new TableCreatedEncoder();
    private final TableRefusedEncoder tableRefused = new TableRefusedEncoder();
    private final RefusedEncoder refused = new RefusedEncoder();

    EgressPublisher(final int nodeId, final long nodeIncarnation, final int maxMessageLength)
    {
        this.nodeId = nodeId;
        this.nodeIncarnation = nodeIncarnation;
        buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(maxMessageLength));
    }

    boolean connected(final WorkerConnection connection)
    {
        connected.wrapAndApplyHeader(buffer, 0, header)
            .correlationId(connection.correlationId())
            .nodeIncarnation(nodeIncarnation)
            .nodeId(nodeId);

        return offer(connection, connected.encodedLength());
    }

    /** Tell a worker that there is no room for it. */
    boolean connectRefused(final WorkerConnection connection, final NoRoom problem)
    {
        connectRefused.wrapAndApplyHeader(buffer, 0, header)
            .correlationId(connection.correlationId())
            .nodeIncarnation(nodeIncarnation)
            .nodeId(nodeId)
            .connections(problem.all())
            .ofJob(problem.ofJob())
            .maxConnections(problem.max());

        return offer(connection, connectRefused.encodedLength());
    }

    boolean welcome(final WorkerConnection connection, final HostedPartition copy, final long helloId)
    {
        final Partition partition = copy.partition();
        welcome.wrapAndApplyHeader(buffer, 0, header)
            .epoch(partition.epoch())
            .lastSequence(partition.lastSequence(connection.slot()))
            .position(partition.cursor().position())
            .partition(partition.partition())
            .slot(connection.slot())
            .incarnation(connection.incarnation())
            .helloId(helloId)
            .lastIncarnation(copy.lastIncarnation(connection.slot()))
            .clock(partition.progress().clock(connection.slot()))
            .held(partition.progress().lastHeld(connection.slot()))
            .sequential((short)(partition.progress().isSequential(connection.slot()) ? 1 : 0))
            .safe(copy.safeSequence(connection.slot()))
            .mayLack((short)(partition.progress().mayLack(connection.slot()) ? 1 : 0));

        return offer(connection, welcome.encodedLength());
    }

    boolean tableCreated(
        final WorkerConnection connection, final Partition partition, final long requestId, final int tableId)
    {
        tableCreated.wrapAndApplyHeader(buffer, 0, header)
            .epoch(partition.epoch())
            .requestId(requestId)
            .partition(partition.partition())
            .tableId(tableId);

        return offer(connection, tableCreated.encodedLength());
    }

    /** Refuse a table: for what it is with a sentence, else as any request. */
    boolean tableRefused(final WorkerConnection connection, final Partition partition, final long requestId)
    {
        final Refusal refusal = partition.refusal();
        if (Refusal.INVALID_TABLE != refusal && Refusal.TABLE_MISMATCH != refusal)
        {
            return requestRefused(connection, partition.epoch(), partition.partition(), requestId, refusal);
        }
        final String reason = partition.tableRefusalReason();
        tableRefused.wrapAndApplyHeader(buffer, 0, header)
            .epoch(partition.epoch())
            .requestId(requestId)
            .partition(partition.partition())
            .code((short)refusal.code())
            .reason(reason.substring(0, Math.min(reason.length(), MAX_REASON_LENGTH)));

        return offer(connection, tableRefused.encodedLength());
    }

    /**
     * Refuse a request.
     *
     * @param epoch of the partition, 0 if this node does not serve it.
     */
    boolean requestRefused(
        final WorkerConnection connection,
        final long epoch,
        final int partition,
        final long requestId,
        final Refusal refusal)
    {
        return requestRefused(connection, epoch, partition, requestId, 0, refusal);
    }

    /**
     * As {@link #requestRefused(WorkerConnection, long, int, long, Refusal)}.
     *
     * @param keyList that the server does not have, else 0.
     */
    boolean requestRefused(
        final WorkerConnection connection,
        final long epoch,
        final int partition,
        final long requestId,
        final long keyList,
        final Refusal refusal)
    {
        refused.wrapAndApplyHeader(buffer, 0, header)
            .epoch(epoch)
            .requestId(requestId)
            .sequence(0)
            .expected(keyList)
            .partition(partition)
            .code((short)refusal.code())
            .incarnation(connection.incarnation())
            .helloId(0);

        return offer(connection, refused.encodedLength());
    }

    /**
     * Refuse a part, or a hello (which has no sequence).
     *
     * @param helloId  of the hello, or of the one by which the slot is attached.
     * @param epoch    of the partition, 0 if this node does not serve it.
     * @param sequence of the part, 0 for a hello.
     * @param expected what the code says that it names.
     */
    boolean partRefused(
        final WorkerConnection connection,
        final long helloId,
        final long epoch,
        final int partition,
        final long sequence,
        final long expected,
        final Refusal refusal)
    {
        refused.wrapAndApplyHeader(buffer, 0, header)
            .epoch(epoch)
            .requestId(0)
            .sequence(sequence)
            .expected(expected)
            .partition(partition)
            .code((short)refusal.code())
            .incarnation(connection.incarnation())
            .helloId(helloId);

        return offer(connection, refused.encodedLength());
    }

    /** Longest message, whatever a stream takes. */
    int maxMessageLength()
    {
        return buffer.capacity();
    }

    /** The buffer for the values of the next {@link #rows}, which begin at {@link #ROWS_HEADER_LENGTH}. */
    MutableDirectBuffer rowsBuffer()
    {
        return buffer;
    }

    boolean rows(final PendingPull pull, final Partition partition, final int rowCount, final int valuesLength)
    {
        rows.wrapAndApplyHeader(buffer, 0, header)
            .epoch(partition.epoch())
            .position(partition.cursor().position())
            .requestId(pull.requestId)
            .minClock(partition.minClock())
            .partition(partition.partition())
            .rowOffset(pull.nextRow)
            .rowCount(rowCount)
            .last((short)(pull.nextRow + rowCount == pull.rowCount ? 1 : 0))
            .heldNs(pull.heldNs)
            .slotClock(partition.progress().summedClock(pull.connection.slot()))
            .encoding((short)pull.encoding.wire());
        buffer.putInt(
            ROWS_HEADER_LENGTH - RowsEncoder.valuesHeaderLength(), valuesLength, java.nio.ByteOrder.LITTLE_ENDIAN);

        return pull.connection.responses().offer(buffer, 0, ROWS_HEADER_LENGTH + valuesLength);
    }

    private boolean offer(final WorkerConnection connection, final int bodyLength)
    {
        return connection.responses().offer(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + bodyLength);
    }
}
