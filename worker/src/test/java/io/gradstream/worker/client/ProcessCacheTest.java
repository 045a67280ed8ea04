// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.ClockDoneDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.PullDecoder;
import io.gradstream.codecs.wire.PushDecoder;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.cache.OwnPushes;
import io.gradstream.worker.session.LatencyListener;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A client that caches a table's rows, in a simulated world: which pulls reach the server, and what they return. */
class ProcessCacheTest
{
    private static final TableSpec SPEC = new TableSpec(1, "counts", 1, ElementType.INT64, 8, 0, 0, 0, "add/1");
    private static final long INCARNATION = 7;
    private static final long ROOM = 1 << 16;
    private static final long[] KEY = {3};

    private final SimulatedServers servers = new SimulatedServers();
    private final SimulatedWaits waits = new SimulatedWaits(servers, this::answer);
    private final ToldCoordinators coordinators =
        ToldCoordinators.serving(1, SimulatedWaits.SERVER).bind(2, 1, new Consistency(2, 2));
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final List<Integer> pulledRows = new ArrayList<>();
    private final List<Long> pullLatenciesNs = new ArrayList<>();
    private final LatencyListener latencies = new LatencyListener()
    {
        @Override
        public void onPush(final long durationNs)
        {
            // not of interest
        }

        @Override
        public void onPull(final long durationNs)
        {
            pullLatenciesNs.add(durationNs);
        }
    };
    private long value;
    private long minClock;
    private long refused;

    private final GradstreamClient client = GradstreamClient.connect(waits.of(new ClientContext())
        .coordinatorChannel(coordinators::open)
        .incarnation(INCARNATION)
        .latencyListener(latencies));
    private final Table table = client.createTable(SPEC);

    @Test
    void shouldAskServersOnlyForRowsThatTheBoundNoLongerAllows()
    {
        table.cacheRows(ROOM, OwnPushes.AT_ONCE);
        value = 10;
        assertThat(pull()).isEqualTo(10);
        value = 20;
        for (int clock = 0; clock <= 2; clock++)
        {
            assertThat(pull()).as("in iteration %d", clock).isEqualTo(10);
            client.clock();
        }
        assertThat(client.stats().maxStaleness()).isEqualTo(2);
        assertThat(pulledRows).containsExactly(1);

        minClock = 3;
        assertThat(pull()).isEqualTo(20);
        assertThat(pulledRows).containsExactly(1, 1);
        assertThat(client.stats().cachedRows()).isEqualTo(3);
        assertThat(client.stats().fetchedRows()).isEqualTo(2);
        assertThat(pullLatenciesNs).as("pulls that servers were asked for").hasSize(2);
    }

    @Test
    void shouldKeepNoRowsWhenNoSlotHoldsOthersBack()
    {
        table.cacheRows(ROOM, OwnPushes.LATER);
        minClock = Consistency.FINISHED;
        for (int clock = 0; clock < 3; clock++)
        {
            pull();
            client.clock();
        }
        assertThat(pulledRows).containsExactly(1, 1, 1);
        client.finish();
        pull();
        pull();
        assertThat(pulledRows).as("once more when all have finished").containsExactly(1, 1, 1, 1);
    }

    @Test
    void shouldFetchTheRowsThatItLacksInOnePull()
    {
        table.cacheRows(ROOM, OwnPushes.AT_ONCE);
        value = 10;
        pull();
        value = 30;
        final long[] out = new long[2];
        client.await(table.pull(new long[]{3, 4}, 2, out));
        assertThat(out).containsExactly(10, 30);
        assertThat(pulledRows).containsExactly(1, 1);
        client.await(table.pullRange(3, 2, out));
        assertThat(out).containsExactly(10, 30);
        assertThat(pulledRows).containsExactly(1, 1);
    }

    @Test
    void shouldReturnItsOwnPushes()
    {
        table.cacheRows(ROOM, OwnPushes.AT_ONCE);
        value = 10;
        pull();
        table.push(KEY, 0, 1, new long[]{5});
        assertThat(pull()).isEqualTo(15);
        assertThat(pulledRows).containsExactly(1);

        final long[] out = new long[1];
        final long ticket = table.pull(new long[]{4}, 1, out);
        table.push(new long[]{4}, 0, 1, new long[]{1});
        client.await(ticket);
        client.await(table.pull(new long[]{4}, 1, out));
        assertThat(pulledRows).as("the first answer may lack the push").containsExactly(1, 1, 1);
    }

    @Test
    void shouldForgetWhatAServerRefused()
    {
        table.cacheRows(ROOM, OwnPushes.AT_ONCE);
        value = 10;
        pull();
        refused = 1;
        final long push = table.push(KEY, 0, 1, new long[]{5});
        assertThatThrownBy(() -> client.await(push)).hasMessageContaining("refused");
        assertThat(pull()).isEqualTo(10);
        assertThat(pulledRows).containsExactly(1, 1);
    }

    @Test
    void shouldAskServersWithoutABound()
    {
        table.cacheRows(ROOM, OwnPushes.AT_ONCE);
        pull();
        coordinators.bind(3, 1, Consistency.EVENTUAL);
        client.poll();
        pull();
        pull();
        assertThat(pulledRows).containsExactly(1, 1, 1);
        coordinators.bind(4, 1, new Consistency(2, 2));
        client.poll();
        pull();
        pull();
        assertThat(pulledRows).as("asked once more").containsExactly(1, 1, 1, 1);
    }

    @Test
    void shouldRefuseAJobInWhichNoRowMayBeKept()
    {
        coordinators.bind(3, 1, new Consistency(2, 0));
        client.poll();
        assertThatThrownBy(() -> table.cacheRows(ROOM, OwnPushes.AT_ONCE)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("staleness=0").hasMessageContaining("job set --staleness N");
        coordinators.bind(4, 1, Consistency.EVENTUAL);
        client.poll();
        assertThatThrownBy(() -> table.cacheRows(ROOM, OwnPushes.AT_ONCE)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("staleness=unbounded");
    }

    private long pull()
    {
        final long[] out = new long[1];
        client.await(table.pull(KEY, 1, out));

        return out[0];
    }

    private void answer(final UnsafeBuffer message)
    {
        switch (header.wrap(message, 0).templateId())
        {
            case PushDecoder.TEMPLATE_ID ->
                acknowledge(new PushDecoder().wrapAndApplyHeader(message, 0, header).sequence());
            case ClockDoneDecoder.TEMPLATE_ID ->
                acknowledge(new ClockDoneDecoder().wrapAndApplyHeader(message, 0, header).sequence());
            case PullDecoder.TEMPLATE_ID ->
            {
                final PullDecoder pull = new PullDecoder().wrapAndApplyHeader(message, 0, header);
                pulledRows.add(pull.rowCount());
                servers.row(pull.requestId(), 1, 0, value, minClock);
            }
            default -> waits.greet(message);
        }
    }

    private void acknowledge(final long sequence)
    {
        servers.watermarks(INCARNATION, 1, new long[]{1, sequence},
            sequence == refused ? new long[]{sequence} : new long[0]);
    }
}
