// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.filter.PushFilter;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A worker waits for the others.
 */
@Timeout(60)
class BarrierTest
{
    private static final int NEVER = Integer.MAX_VALUE;

    private final EchoRig rig = new EchoRig();
    private final EchoServer server = rig.server;
    private GradstreamClient client;

    @AfterEach
    void after()
    {
        CloseHelper.close(rig);
    }

    @ParameterizedTest
    @ValueSource(ints = {Consistency.UNBOUNDED, 0, 1, 5})
    void shouldWaitForEverySlotAtEveryPartitionUnderAnyBound(final int staleness)
    {
        connect(new Consistency(3, staleness));
        server.clocksAt = new long[][]{{1, 0, 2}, {1, 0, 1}};
        at(8, () -> server.clocksAt[0][1] = 1);
        rig.step = after(rig.step, 16, () -> server.clocksAt[1][1] = 1);
        client.barrier();

        assertThat(server.describes).isGreaterThanOrEqualTo(16);
        assertThat(client.clocksDone()).isEqualTo(1);
        client.awaitAll();
        assertThat(server.clocks).containsExactly(1L, 1L);
    }

    @Test
    void shouldWaitForTheIterationThatItEnds()
    {
        connect(new Consistency(2, 1));
        server.clocksAt = new long[][]{{1, 1}, {1, 1}};
        client.barrier();
        final int describes = server.describes;
        at(describes + 8, () -> server.clocksAt = new long[][]{{2, 2}, {2, 2}});
        client.barrier();

        assertThat(server.describes).isGreaterThanOrEqualTo(describes + 8);
        assertThat(client.clocksDone()).isEqualTo(2);
    }

    @Test
    void shouldPushWhatAFilterHoldsBackBeforeItWaits()
    {
        connect(new Consistency(1, 5));
        server.clocksAt = new long[][]{{1}, {1}};
        final Table weights = client.createTable(TableSpec.dense(0, "weights", 1000, 2, "sgd/1 rate=1.0"))
            .pushFilter(PushFilter.significant(0.5, 1000));
        weights.pullAndAwait(new long[]{50}, 1, new float[2]);
        weights.push(new long[]{50}, new float[]{1, 1});
        assertThat(client.stats().rowsHeldNow()).isEqualTo(1);
        client.barrier();

        assertThat(client.stats().rowsHeldNow()).isZero();
        assertThat(client.clocksDone()).isEqualTo(1);
    }

    @Test
    void shouldNotWaitForASlotThatHasFinishedNorForOneThatDoesNotCount()
    {
        connect(new Consistency(2, 0));
        server.clocksAt = new long[][]{{1, Consistency.FINISHED, 0}, {1, Consistency.FINISHED, 0}};
        client.barrier();

        assertThat(client.clocksDone()).isEqualTo(1);
    }

    @Test
    void shouldSayHowManySlotsThereAreToBeWhenThereIsNobodyToWaitFor()
    {
        connect(Consistency.EVENTUAL);

        assertThatThrownBy(() -> client.barrier()).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("slots=0").hasMessageContaining("job set --slots");
        assertThat(client.clocksDone()).isZero();
        rig.coordinators.bind(3, EchoRig.PARTITIONS, new Consistency(1, Consistency.UNBOUNDED));
        server.clocksAt = new long[][]{{1}, {1}};
        client.barrier();
        assertThat(client.clocksDone()).isEqualTo(1);
    }

    @Test
    void shouldNameTheSlotsThatAreBehindWhenItWaitsInVain()
    {
        connect(new Consistency(4, 2), 2_000);
        client.clock();
        server.clocksAt = new long[][]{{2, 2, 2, 0}, {2, 1, 2, 0}};

        assertThatThrownBy(() -> client.barrier()).isInstanceOf(OperationTimeoutException.class)
            .hasMessageContaining("barrier: waited 2000 ms in vain for 2 of 4 slots to end iteration 2:" +
                " slots 1 (has ended 1), 3 (has ended 0)");
        assertThat(client.clocksDone()).isEqualTo(2);
    }

    @Test
    void shouldNameThePartitionsThatDoNotAnswer()
    {
        connect(new Consistency(1, 2), 2_000);
        server.clocksAt = new long[][]{{1}, {1}};
        server.muted = 1;

        assertThatThrownBy(() -> client.barrier()).isInstanceOf(OperationTimeoutException.class)
            .hasMessageContaining("in vain for an answer from partitions [1]");
    }

    @Test
    void shouldWaitNoLongerForSlotsThatAreTakenFromTheJob()
    {
        connect(new Consistency(2, 0));
        server.clocksAt = new long[][]{{1, 0}, {1, 0}};
        at(12, () -> rig.coordinators.bind(3, EchoRig.PARTITIONS, new Consistency(1, 0)));
        client.barrier();

        assertThat(server.describes).isGreaterThanOrEqualTo(12);
    }

    @Test
    void shouldAskMoreSeldomTheLongerItWaits()
    {
        assertThat(Barrier.intervalNs(0)).isEqualTo(Barrier.MIN_INTERVAL_NS);
        assertThat(Barrier.intervalNs(80_000_000)).isEqualTo(10_000_000);
        assertThat(Barrier.intervalNs(Long.MAX_VALUE)).isEqualTo(Barrier.MAX_INTERVAL_NS);
    }

    private void connect(final Consistency consistency)
    {
        connect(consistency, 30_000);
    }

    private void connect(final Consistency consistency, final long timeoutMs)
    {
        client = rig.connect(new ClientContext().operationTimeoutNs(timeoutMs * 1_000_000), consistency);
    }

    /** Once so many questions have come. */
    private void at(final int describes, final Runnable event)
    {
        rig.step = after(() -> {}, describes, event);
    }

    private Runnable after(final Runnable before, final int describes, final Runnable event)
    {
        final int[] due = {describes};
        return () ->
        {
            before.run();
            if (server.describes >= due[0])
            {
                due[0] = NEVER;
                event.run();
            }
        };
    }
}
