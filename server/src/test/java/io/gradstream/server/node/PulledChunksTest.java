// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.codecs.wire.ConnectEncoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PullEncoder;
import io.gradstream.codecs.wire.RowsDecoder;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.Partition;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.ByteOrder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How the rows of a pull are cut into chunks.
 */
class PulledChunksTest
{
    private static final int SESSION = 9;
    private static final long INCARNATION = 5;
    private static final int MAX_LENGTH = 40_000;

    private final ServedPartition served = new ServedPartition(MAX_LENGTH).serve();
    private final Partition partition = served.partition;
    private final HostedPartition copy = served.copy;
    private final KeptStream stream = served.stream;
    private final WorkerRequests requests = served.requests;
    private final IngressAdapter adapter = served.adapter;
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();

    @BeforeEach
    void serve()
    {
        copy.mayAnswer(true);
        final ConnectEncoder connect = new ConnectEncoder();
        connect.wrapAndApplyHeader(buffer, 0, header)
            .correlationId(1).incarnation(INCARNATION).jobId(1).slot(-1).responseStreamId(1).responseChannel("x");
        adapter.onMessage(SESSION, buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + connect.encodedLength());
        requests.doWork();
        stream.messages.clear();
    }

    @ParameterizedTest
    @CsvSource({
        // rows of one float fill a frame, two of 4,000 bytes nearly do
        "1, 5000, 2021", "1000, 9, 2",
        // one of 4,096 bytes leaves half of it empty: as many as the longest message takes
        "1024, 20, 9",
        // rows longer than a frame
        "3000, 7, 3"})
    void shouldPutRowsIntoOneFrameUnlessTheyLeaveMuchOfItEmpty(final int dim, final int rows, final int rowsPerChunk)
    {
        partition.onCreateTable(TableSpec.sparse(3, "rows", dim, "add/1"), partition.epoch());
        pull(rows);

        int next = 0;
        for (final byte[] message : stream.messages)
        {
            final RowsDecoder chunk = rows(message);
            assertThat(chunk.rowOffset()).isEqualTo(next);
            assertThat(chunk.rowCount()).isEqualTo(Math.min(rowsPerChunk, rows - next));
            assertThat(message.length).isLessThanOrEqualTo(MAX_LENGTH);
            next += chunk.rowCount();
        }
        assertThat(next).isEqualTo(rows);
    }

    @Test
    void shouldGoOnWhereThereWasNoRoom()
    {
        partition.onCreateTable(TableSpec.sparse(3, "rows", 1024, "add/1"), partition.epoch());
        stream.isFull = true;
        pull(20);
        assertThat(stream.messages).isEmpty();

        stream.isFull = false;
        requests.pulls().doWork(0);
        assertThat(stream.messages).hasSize(3);
        assertThat(requests.pulls().waitingCount()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"RAW, 100, 300", "BFLOAT16, 100, 300", "FLOAT16, 100, 300",
        // as many encoded rows as a message takes are longer than the buffer before they are encoded
        "BFLOAT16, 3000, 20", "FLOAT16, 3000, 20"})
    void shouldSendFloatsAsThePullAsks(final ValueEncoding encoding, final int dim, final int rows)
    {
        partition.onCreateTable(TableSpec.sparse(3, "rows", dim, "add/1").withNormalValues(37, 2f), partition.epoch());
        pull(rows, ValueEncoding.RAW);
        final float[] wanted = decoded(rows, dim, encoding);
        final int rawMessages = stream.messages.size();
        stream.messages.clear();

        pull(rows, encoding);
        assertThat(decoded(rows, dim, encoding)).containsExactly(wanted);
        assertThat(stream.messages.size()).isLessThanOrEqualTo(rawMessages);
        assertThat(stream.messages.stream().mapToInt((message) -> message.length - EgressPublisher.ROWS_HEADER_LENGTH)
            .sum()).isEqualTo(rows * dim * encoding.elementLength());
        assertThat(rows(stream.messages.get(0)).encoding()).isEqualTo((short)encoding.wire());
    }

    @Test
    void shouldSendLongsAsTheyAre()
    {
        final TableSpec longs =
            new TableSpec(3, "longs", 4, ElementType.INT64, 0, TableSpec.ZEROS, 0, 0f, "add/1");
        partition.onCreateTable(longs, partition.epoch());
        pull(2, ValueEncoding.FLOAT16);
        assertThat(rows(stream.messages.get(0)).encoding()).isEqualTo((short)ValueEncoding.RAW.wire());
        assertThat(rows(stream.messages.get(0)).valuesLength()).isEqualTo(2 * longs.valuesLength());
    }

    /** The floats of an answer, rounded as an encoding rounds. */
    private float[] decoded(final int rows, final int dim, final ValueEncoding rounding)
    {
        final float[] values = new float[rows * dim];
        for (final byte[] message : stream.messages)
        {
            final RowsDecoder chunk = rows(message);
            final int offset = chunk.limit() + RowsDecoder.valuesHeaderLength();
            final int count = chunk.rowCount() * dim;
            final ValueEncoding used = ValueEncoding.ofWire(chunk.encoding());
            final UnsafeBuffer of = new UnsafeBuffer(message);
            if (used != rounding)
            {
                rounding.encodeInPlace(of, offset, count);
            }
            rounding.decode(of, offset, values, chunk.rowOffset() * dim, count);
        }

        return values;
    }

    private void pull(final int rows)
    {
        pull(rows, ValueEncoding.RAW);
    }

    private void pull(final int rows, final ValueEncoding encoding)
    {
        final PullEncoder pull = new PullEncoder();
        final UnsafeBuffer body = new UnsafeBuffer(new byte[Long.BYTES]);
        body.putLong(0, 7, ByteOrder.LITTLE_ENDIAN);
        pull.wrapAndApplyHeader(buffer, 0, header)
            .epoch(partition.epoch()).requestId(1).lastSequence(0).incarnation(INCARNATION).partition(0).slot(-1)
            .tableId(3).rowCount(rows).keyForm((short)KeyForm.RANGE)
            .encoding((short)encoding.wire()).keyList(0).putBody(body, 0, body.capacity());
        assertThat(adapter.onMessage(
            SESSION, buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + pull.encodedLength())).isTrue();
        for (int i = 0; i < rows; i++)
        {
            requests.pulls().doWork(0);
        }
    }

    private static RowsDecoder rows(final byte[] message)
    {
        return new RowsDecoder().wrapAndApplyHeader(new UnsafeBuffer(message), 0, new MessageHeaderDecoder());
    }
}
