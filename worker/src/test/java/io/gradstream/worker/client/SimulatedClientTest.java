// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.ClockDoneDecoder;
import io.gradstream.codecs.wire.ConnectDecoder;
import io.gradstream.codecs.wire.CreateTableDecoder;
import io.gradstream.codecs.wire.DisconnectDecoder;
import io.gradstream.codecs.wire.HelloDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.PullDecoder;
import io.gradstream.codecs.wire.PushDecoder;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.OperationTimeoutException;
import io.gradstream.worker.Table;
import io.gradstream.worker.session.LatencyListener;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The blocking calls of a client in a simulated world: one thread, no media driver, and a clock that moves only while a
 * call waits.
 */
class SimulatedClientTest
{
    private static final String SERVER = "server:1";
    private static final String NEXT_SERVER = "server:2";
    private static final TableSpec SPEC = new TableSpec(1, "counts", 1, ElementType.INT64, 8, 0, 0, 0, "add/1");
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long TIMEOUT_NS = TimeUnit.HOURS.toNanos(1);
    private static final long INCARNATION = 7;
    private static final long[] KEY = {3};

    /** Ends a simulated process in the middle of a call. */
    private static final class Killed extends Error
    {
        private static final long serialVersionUID = 1;
    }

    private final SimulatedServers servers = new SimulatedServers();
    private final ToldCoordinators coordinators = ToldCoordinators.serving(1, SERVER, NEXT_SERVER);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final List<Long> latenciesNs = new ArrayList<>();
    private final LatencyListener latencies = new LatencyListener()
    {
        @Override
        public void onPush(final long durationNs)
        {
            latenciesNs.add(durationNs);
        }

        @Override
        public void onPull(final long durationNs)
        {
            latenciesNs.add(durationNs);
        }
    };
    private long nowNs = 1;
    private int messagesRead;
    private int head;
    private boolean isHandedOver;
    private final List<String> created = new ArrayList<>();
    private final long pulled = 42;
    private boolean isMute;
    private boolean isKilled;

    private final GradstreamClient client = GradstreamClient.connect(new ClientContext()
        .transport(servers)
        .coordinatorChannel(coordinators::open)
        .incarnation(INCARNATION)
        .operationTimeoutNs(TIMEOUT_NS)
        .nanoClock(() -> nowNs)
        .epochClock(() -> TimeUnit.NANOSECONDS.toMillis(nowNs))
        .latencyListener(latencies)
        .waitStrategy(this::await));

    @Test
    void shouldPushEndAnIterationAndPullWhileTheWorldGoesOn()
    {
        final Table table = client.createTable(SPEC);
        final long push = table.push(KEY, 0, 1, new long[]{5});
        client.clock();
        final long beforeNs = nowNs;
        client.await(push);
        assertThat(nowNs).as("time passes only while a call waits").isGreaterThan(beforeNs)
            .isLessThan(TimeUnit.SECONDS.toNanos(1));

        final long[] out = new long[1];
        client.await(table.pull(KEY, 1, out));
        assertThat(out).containsExactly(pulled);
        client.awaitAll();
        assertThat(client.clocksDone()).isEqualTo(1);
        assertThat(latenciesNs).hasSize(3).allMatch((latencyNs) -> 0 == latencyNs % STEP_NS);
    }

    @Test
    void shouldGiveUpAtTheDeadlineOfTheSimulatedClock()
    {
        final Table table = client.createTable(SPEC);
        isMute = true;
        final long push = table.push(KEY, 0, 1, new long[]{5});
        final long beganNs = nowNs;
        assertThatThrownBy(() -> client.await(push)).isInstanceOf(OperationTimeoutException.class)
            .hasMessageContaining("waited 3600000 ms in vain");
        assertThat(nowNs - beganNs).isEqualTo(TIMEOUT_NS);
    }

    @Test
    void shouldCreateATableAtTheNextHeadWhenTheFirstHasStopped()
    {
        isHandedOver = true;
        final long beganNs = nowNs;
        final Table table = client.createTable(SPEC);

        assertThat(created).containsExactly(SERVER, NEXT_SERVER);
        assertThat(nowNs - beganNs).isLessThan(TimeUnit.SECONDS.toNanos(1));
        client.await(table.push(KEY, 0, 1, new long[]{5}));
    }

    @Test
    void shouldLeaveACallWithWhatTheStrategyThrows()
    {
        final Table table = client.createTable(SPEC);
        isKilled = true;
        assertThatThrownBy(() -> table.pullAndAwait(KEY, 1, new float[1])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> client.await(table.pull(KEY, 1, new long[1]))).isInstanceOf(Killed.class);
        assertThat(servers.stream(SERVER).kinds()).as("a process that dies says no goodbye")
            .doesNotContain(DisconnectDecoder.TEMPLATE_ID);
    }

    private boolean await(final BooleanSupplier condition, final long deadlineNs, final IntSupplier dutyCycle)
    {
        while (!condition.getAsBoolean())
        {
            if (isKilled)
            {
                throw new Killed();
            }
            if (nowNs - deadlineNs >= 0)
            {
                return false;
            }
            nowNs = Math.min(nowNs + (isMute ? TimeUnit.SECONDS.toNanos(1) : STEP_NS), deadlineNs);
            serve();
            assertThat(dutyCycle.getAsInt()).isNotNegative();
        }

        return true;
    }

    /** The server reads what was said on its newest stream, and answers. */
    private void serve()
    {
        final String server = 0 == head ? SERVER : NEXT_SERVER;
        if (isMute || servers.streams.stream().noneMatch((stream) -> server.equals(stream.endpoint)))
        {
            return;
        }
        final List<UnsafeBuffer> messages = servers.stream(server).messages;
        while (messagesRead < messages.size())
        {
            answer(messages.get(messagesRead++));
        }
    }

    private void answer(final UnsafeBuffer message)
    {
        switch (header.wrap(message, 0).templateId())
        {
            case ConnectDecoder.TEMPLATE_ID -> servers.connected(
                new ConnectDecoder().wrapAndApplyHeader(message, 0, header).correlationId(), 1 + head, head);
            case HelloDecoder.TEMPLATE_ID -> servers.welcome(
                new HelloDecoder().wrapAndApplyHeader(message, 0, header), 1 + head, 0);
            case CreateTableDecoder.TEMPLATE_ID -> create(
                new CreateTableDecoder().wrapAndApplyHeader(message, 0, header));
            case PushDecoder.TEMPLATE_ID -> servers.watermarks(INCARNATION, 1 + head,
                new long[]{1 + head, new PushDecoder().wrapAndApplyHeader(message, 0, header).sequence()});
            case ClockDoneDecoder.TEMPLATE_ID -> servers.watermarks(INCARNATION, 1,
                new long[]{1, new ClockDoneDecoder().wrapAndApplyHeader(message, 0, header).sequence()});
            case PullDecoder.TEMPLATE_ID -> servers.row(
                new PullDecoder().wrapAndApplyHeader(message, 0, header).requestId(), 1, 0, pulled);
            default ->
            {
                // it lives
            }
        }
    }

    private void create(final CreateTableDecoder create)
    {
        created.add(0 == head ? SERVER : NEXT_SERVER);
        if (isHandedOver && 0 == head)
        {
            servers.notPrimary(create);
            head = 1;
            messagesRead = 0;
            coordinators.tell(2, 1, ToldCoordinators.chain(2, 1));
            return;
        }
        servers.tableCreated(create, 1 + head);
    }
}
