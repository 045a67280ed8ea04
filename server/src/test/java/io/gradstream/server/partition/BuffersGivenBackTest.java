// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.log.ClockSummedEncoder;
import io.gradstream.codecs.log.MessageHeaderEncoder;
import io.gradstream.server.table.InMemoryRowStore;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What was needed once, for a large clock or many refusals, is not kept for ever.
 */
class BuffersGivenBackTest
{
    private static final int LONG = 60_000;

    private final PartitionState state = new PartitionState(
        0, new PartitionFunction(1), (number, spec, rowLength) -> new InMemoryRowStore(rowLength, 1));
    private final CopyOnWriteRows copies = new CopyOnWriteRows(new RowScan(state, true), new RowScan(state, false));
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LONG]);

    @Test
    void shouldGiveBackWhatALargeClockTookWhenAllOfItIsRemoved()
    {
        final BufferedUpdates held = new BufferedUpdates();
        hold(held, 20);
        assertThat(held.capacity()).isGreaterThan(20 * LONG);
        for (int i = 0; i < 20; i++)
        {
            held.removeFirst();
        }

        assertThat(held.capacity()).isLessThanOrEqualTo(BufferedUpdates.MAX_KEPT_BYTES);
        assertThat(held.isEmpty()).isTrue();
    }

    @Test
    void shouldGiveBackWhatALargeClockTookWhenItIsDropped()
    {
        final BufferedUpdates held = new BufferedUpdates();
        hold(held, 20);
        held.clear();

        assertThat(held.capacity()).isLessThanOrEqualTo(BufferedUpdates.MAX_KEPT_BYTES);
    }

    @Test
    void shouldKeepTheRoomThatEachClockNeeds()
    {
        final BufferedUpdates held = new BufferedUpdates();
        hold(held, 2);
        final int capacity = held.capacity();
        held.clear();

        assertThat(held.capacity()).isEqualTo(capacity);
    }

    @Test
    void shouldGiveBackWhatTheRecordsOfALargeSumTook()
    {
        final AggregatedGradientApplier applier = new AggregatedGradientApplier(state, copies);
        for (int i = 0; i < 20; i++)
        {
            applier.apply(record(false), 0, LONG, 0);
        }
        assertThat(applier.capacity()).isGreaterThan(20 * LONG);
        applier.apply(record(true), 0, LONG, 0);

        assertThat(applier.isPending()).isFalse();
        assertThat(applier.capacity()).isLessThanOrEqualTo(AggregatedGradientApplier.MAX_KEPT_BYTES);
    }

    @Test
    void shouldGiveBackWhatTheQueueOfASnapshotTook()
    {
        final Slot slot = new Slot(0);
        for (int sequence = 1; sequence <= 400_000; sequence++)
        {
            slot.refuse(sequence, Refusal.OUT_OF_ROWS.code());
        }
        final RowScan scan = new RowScan(state, true);
        scan.begin(1).slot(slot, InMemoryStorage.MAX_LENGTH);
        assertThat(scan.queueCapacity()).isGreaterThan(3_000_000);
        scan.stop();

        assertThat(scan.queueCapacity()).isLessThanOrEqualTo(64 * 1024);
    }

    @Test
    void shouldGiveBackWhatManyRefusalsTookWhenTheWorkerKnowsThem()
    {
        final Slot slot = new Slot(0);
        for (int sequence = 1; sequence <= 10_000; sequence++)
        {
            slot.apply(sequence, 0, 1, 0);
            slot.refuse(sequence, Refusal.OUT_OF_ROWS.code());
        }
        assertThat(slot.refusals.capacity()).isGreaterThan(10_000);
        slot.apply(10_001, 10_000, 1, 0);

        assertThat(slot.refusals.isEmpty()).isTrue();
        assertThat(slot.refusals.capacity()).isLessThanOrEqualTo(Slot.MAX_KEPT_REFUSALS);
    }

    private void hold(final BufferedUpdates held, final int parts)
    {
        for (int i = 1; i <= parts; i++)
        {
            held.addPart(new PushPartHeader().set(0, 1, 1, i, 0, 0), 1, buffer, 0, LONG);
        }
    }

    private UnsafeBuffer record(final boolean isLast)
    {
        final ClockSummedEncoder encoder = new ClockSummedEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).isLast((short)(isLast ? 1 : 0));
        encoder.contributionsCount(0);
        encoder.refusalsCount(0);
        encoder.sectionsCount(0);
        encoder.putBody(new byte[0], 0, 0);

        return buffer;
    }
}
