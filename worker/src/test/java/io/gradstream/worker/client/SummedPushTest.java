// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.PushDecoder;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradientSum;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.OperationTimeoutException;
import io.gradstream.worker.Table;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.util.Arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A sum of gradients whose push finds room at one partition, and none in time at the other. */
class SummedPushTest
{
    private static final TableSpec SPEC = TableSpec.dense(1, "weights", 1_000_000, 1, "sgd/1 rate=1.0");
    private static final long INCARNATION = 7;
    private static final int MAX_IN_FLIGHT = 2;

    private final SimulatedServers servers = new SimulatedServers();
    private final SimulatedWaits waits = new SimulatedWaits(servers, this::answer);
    private final ToldCoordinators coordinators = ToldCoordinators.serving(2, SimulatedWaits.SERVER);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final long[] sequences = new long[2];
    private final boolean[] isTaking = {true, false};

    private final GradstreamClient client = GradstreamClient.connect(waits.of(new ClientContext())
        .coordinatorChannel(coordinators::open)
        .incarnation(INCARNATION)
        .maxInFlight(MAX_IN_FLIGHT)
        .operationTimeoutNs(100 * SimulatedWaits.STEP_NS));
    private final Table table = client.createTable(SPEC);
    private final GradientSum sum = new GradientSum(1, 10);

    @Test
    void shouldKeepTheRowsThatWereNotPushed()
    {
        final long taken = keyOf(0);
        final long full = keyOf(1);
        for (int i = 0; i < MAX_IN_FLIGHT; i++)
        {
            table.push(new long[]{full}, new float[]{1});
        }
        sum.add(new long[]{full, taken, full + 1}, 0, 3, new float[]{2, 3, 4});
        assertThatThrownBy(() -> sum.push(table)).isInstanceOf(OperationTimeoutException.class);
        assertThat(client.pushCounts(0).count()).isEqualTo(1);
        assertThat(Arrays.copyOf(sum.keys(), sum.rows())).containsExactly(full, full + 1);
        assertThat(Arrays.copyOf(sum.gradients(), sum.rows())).containsExactly(2, 4);

        sum.add(new long[]{full + 1, taken}, 0, 2, new float[]{10, 20});
        assertThat(Arrays.copyOf(sum.keys(), sum.rows())).containsExactly(full, full + 1, taken);
        assertThat(Arrays.copyOf(sum.gradients(), sum.rows())).containsExactly(2, 14, 20);
        isTaking[1] = true;
        acknowledge(1);
        client.await(sum.push(table));
        assertThat(sum.isEmpty()).isTrue();
        assertThat(client.pushCounts(0).count()).isEqualTo(2);
        assertThat(client.pushCounts(1).count()).isEqualTo(MAX_IN_FLIGHT + 1);
    }

    @Test
    void shouldKeepAllRowsOfAPushOfWhichNothingWasPushed()
    {
        final long full = keyOf(1);
        sum.add(new long[]{keyOf(0)}, 0, 1, new float[]{1});
        client.await(sum.push(table));
        for (int i = 0; i < MAX_IN_FLIGHT; i++)
        {
            table.push(new long[]{full}, new float[]{1});
        }
        sum.add(new long[]{full, full + 1}, 0, 2, new float[]{2, 3});
        assertThatThrownBy(() -> sum.push(table)).isInstanceOf(OperationTimeoutException.class);
        assertThat(sum.rows()).isEqualTo(2);
        sum.add(new long[]{-1}, 0, 1, new float[]{4});
        assertThatThrownBy(() -> sum.push(table)).isInstanceOf(IllegalArgumentException.class);
        assertThat(sum.rows()).isEqualTo(3);
    }

    @Test
    void shouldPushNothingOfAnEmptySum()
    {
        client.await(sum.push(table));
        assertThat(client.pushesSent()).isZero();
    }

    private static long keyOf(final int partition)
    {
        final PartitionFunction function = new PartitionFunction(2);
        long key = 0;
        while (function.partitionOf(SPEC.tableId(), key) != partition)
        {
            key = PartitionFunction.blockEnd(key);
        }

        return key;
    }

    private void answer(final UnsafeBuffer message)
    {
        switch (header.wrap(message, 0).templateId())
        {
            case PushDecoder.TEMPLATE_ID ->
            {
                final PushDecoder push = new PushDecoder().wrapAndApplyHeader(message, 0, header);
                sequences[push.partition()] = push.sequence();
                acknowledge(push.partition());
            }
            default -> waits.greet(message);
        }
    }

    private void acknowledge(final int partition)
    {
        if (isTaking[partition])
        {
            servers.watermarksOf(partition, INCARNATION, sequences[partition]);
        }
    }
}
