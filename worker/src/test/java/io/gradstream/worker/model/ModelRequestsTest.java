// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.model;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.SnapshotFrames;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.snapshot.MessageHeaderEncoder;
import io.gradstream.codecs.snapshot.RowsStateEncoder;
import io.gradstream.codecs.snapshot.SnapshotEndedEncoder;
import io.gradstream.codecs.snapshot.SnapshotStartedEncoder;
import io.gradstream.codecs.snapshot.TableStateEncoder;
import io.gradstream.model.ModelHandler;
import io.gradstream.model.ModelOrigin;
import io.gradstream.worker.session.WorkerIdentity;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What partitions send of a model is put together, or refused.
 */
class ModelRequestsTest
{
    private static final long CLOCK = 7;
    private static final TableSpec SPEC = TableSpec.sparse(3, "weights", 1, "sgd/2 rate=1 momentum=0.5");
    private static final long FIRST_ID =
        Long.MIN_VALUE / 2 + new WorkerIdentity(1, WorkerIdentity.OBSERVER, 1).firstRequest();

    private final ModelRequests requests =
        new ModelRequests(new WorkerIdentity(1, WorkerIdentity.OBSERVER, 1), 1_000);
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(4096));
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final List<String> handed = new ArrayList<>();
    private final ModelHandler handler = new ModelHandler()
    {
        @Override
        public void onTable(final TableSpec spec, final int stateLength)
        {
            handed.add(spec.name() + ":" + stateLength);
        }

        @Override
        public void onRow(final int tableId, final long key, final DirectBuffer row, final int offset)
        {
            handed.add(key + "=" + row.getFloat(offset, ByteOrder.LITTLE_ENDIAN) + "," +
                row.getFloat(offset + 4, ByteOrder.LITTLE_ENDIAN));
        }
    };
    private final int[] numbers = new int[2];

    @Test
    void shouldHandOnTheTablesOnceAndTheRowsOfAllPartitions()
    {
        requests.begin(2, CLOCK, handler);
        send(0, CLOCK, 5L);
        assertThat(requests.state()).isEqualTo(ModelRequests.State.UNDER_WAY);
        assertThat(requests.missing()).isEqualTo("partition=1 is not reached");
        send(1, CLOCK, 6L, 8L);

        assertThat(requests.state()).isEqualTo(ModelRequests.State.COMPLETE);
        assertThat(requests.clock()).isEqualTo(CLOCK);
        assertThat(handed).containsExactly("weights:4", "5=5.5,0.25", "6=6.5,0.25", "8=8.5,0.25");
    }

    @Test
    void shouldHandOnATableWithoutRows()
    {
        requests.begin(2, CLOCK, handler);
        send(0, CLOCK);
        send(1, CLOCK);

        assertThat(handed).containsExactly("weights:0");
    }

    @Test
    void shouldNotPutDifferentIterationsTogetherUnlessNoneIsWanted()
    {
        requests.begin(2, CLOCK, handler);
        send(0, CLOCK, 5L);
        send(1, CLOCK + 1, 6L);
        assertThat(requests.state()).isEqualTo(ModelRequests.State.CLOCKS_DIFFER);
        assertThat(requests.reason()).contains("clock=7", "clock=8");

        numbers[0] = 0;
        numbers[1] = 0;
        requests.begin(2, ModelOrigin.NO_CLOCK, handler);
        sendAs(2, 0, CLOCK, 5L);
        sendAs(3, 1, CLOCK + 1, 6L);
        assertThat(requests.state()).isEqualTo(ModelRequests.State.COMPLETE);
        assertThat(requests.clock()).isEqualTo(ModelOrigin.NO_CLOCK);
    }

    @Test
    void shouldFailWhenAFrameIsLostOrDamaged()
    {
        requests.begin(1, CLOCK, handler);
        numbers[0] = 1;
        started(0, CLOCK, 0);
        assertThat(requests.state()).isEqualTo(ModelRequests.State.INTERRUPTED);
        assertThat(requests.reason()).contains("partition=0 frame=0: frame number=1 expected=0");

        numbers[0] = 0;
        requests.begin(1, CLOCK, handler);
        started(0, CLOCK, 1);
        final int length = rows(5L);
        buffer.putByte(length - 1, (byte)77);
        requests.onFrame(0, FIRST_ID + 1, CLOCK, buffer, 0, length);
        assertThat(requests.state()).isEqualTo(ModelRequests.State.INTERRUPTED);
        assertThat(requests.reason()).contains("checksum differs");
    }

    @Test
    void shouldFailWhenThePartitionIsPastTheIteration()
    {
        requests.begin(2, CLOCK, handler);
        assertThat(requests.onRefused(1, FIRST_ID, Refusal.CLOCK_PASSED)).as("of another partition").isFalse();
        assertThat(requests.onRefused(0, FIRST_ID, Refusal.BUSY)).isTrue();
        assertThat(requests.state()).isEqualTo(ModelRequests.State.UNDER_WAY);
        assertThat(requests.missing()).contains("BUSY");
        assertThat(requests.onRefused(1, FIRST_ID + 1, Refusal.CLOCK_PASSED)).isTrue();
        assertThat(requests.state()).isEqualTo(ModelRequests.State.CLOCK_PASSED);
    }

    @Test
    void shouldSayThatAPartitionIsOfNoIteration()
    {
        requests.begin(2, CLOCK, handler);
        send(0, ModelOrigin.NO_CLOCK, 5L);
        send(1, ModelOrigin.NO_CLOCK, 6L);
        assertThat(requests.state()).isEqualTo(ModelRequests.State.CLOCKS_DIFFER);
        assertThat(requests.reason()).contains("partition=0 is of no iteration");
    }

    @Test
    void shouldSayThatSlotsPushWhichHadFinished()
    {
        requests.begin(1, Consistency.FINISHED, handler);
        assertThat(requests.onRefused(0, FIRST_ID, Refusal.CLOCK_PASSED)).isTrue();
        assertThat(requests.state()).isEqualTo(ModelRequests.State.CLOCK_PASSED);
        assertThat(requests.reason()).isEqualTo("partition=0 takes pushes of slots that had finished");
    }

    private void send(final int partition, final long clock, final Long... keys)
    {
        sendAs(partition, partition, clock, keys);
    }

    private void sendAs(final int id, final int partition, final long clock, final Long... keys)
    {
        started(partition, clock, id);
        final TableStateEncoder table = new TableStateEncoder().wrapAndApplyHeader(buffer, 0, header)
            .rows(0).initialiserSeed(0).tableId(SPEC.tableId()).dim(1)
            .elementType((short)ElementType.FLOAT32.code()).initialiser((short)0).initialiserScale(0)
            .name(SPEC.name()).function(SPEC.function());
        give(partition, id, clock, table.encodedLength());
        if (keys.length > 0)
        {
            final int length = rows(keys);
            requests.onFrame(partition, FIRST_ID + id, clock, buffer, 0, length);
        }
        final SnapshotEndedEncoder ended = new SnapshotEndedEncoder().wrapAndApplyHeader(buffer, 0, header)
            .rowCount(keys.length).frames(numbers[partition] + 1);
        give(partition, id, clock, ended.encodedLength());
    }

    private void started(final int partition, final long clock, final int id)
    {
        final SnapshotStartedEncoder started = new SnapshotStartedEncoder().wrapAndApplyHeader(buffer, 0, header)
            .position(1).epoch(1).index(1).chainHash(1).jobId(1).partition(partition);
        give(partition, id, clock, started.encodedLength());
    }

    /** Frame of rows: key, value = key + 0.5, state = 0.25; partition is that whose number of frames is taken. */
    private int rows(final Long... keys)
    {
        final RowsStateEncoder rows = new RowsStateEncoder().wrapAndApplyHeader(buffer, 0, header)
            .tableId(SPEC.tableId()).rowCount(keys.length).rowLength(16);
        final byte[] data = new byte[keys.length * 24];
        final UnsafeBuffer view = new UnsafeBuffer(data);
        for (int i = 0; i < keys.length; i++)
        {
            view.putLong(i * 24, keys[i], ByteOrder.LITTLE_ENDIAN);
            view.putFloat(i * 24 + 16, keys[i] + 0.5f, ByteOrder.LITTLE_ENDIAN);
            view.putFloat(i * 24 + 20, 0.25f, ByteOrder.LITTLE_ENDIAN);
        }
        rows.putRowData(data, 0, data.length);
        final int length = MessageHeaderEncoder.ENCODED_LENGTH + rows.encodedLength();
        final int partition = keys.length > 0 && keys[0] == 6L ? 1 : 0;
        SnapshotFrames.seal(buffer, 0, length, numbers[partition]++);

        return length;
    }

    private void give(final int partition, final int id, final long clock, final int bodyLength)
    {
        final int length = MessageHeaderEncoder.ENCODED_LENGTH + bodyLength;
        SnapshotFrames.seal(buffer, 0, length, numbers[partition]++);
        requests.onFrame(partition, FIRST_ID + id, clock, buffer, 0, length);
    }
}
