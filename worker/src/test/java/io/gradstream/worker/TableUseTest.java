// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.testing.FreeEndpoint;
import io.gradstream.testing.TestMemory;
import io.gradstream.worker.client.ToldCoordinators;
import org.agrona.CloseHelper;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What a client is told that uses a table wrongly, or itself.
 */
@Timeout(60)
class TableUseTest
{
    private static final String ENDPOINT = FreeEndpoint.any();
    private static final TableSpec SPEC = TableSpec.dense(0, "weights", 1000, 2, "sgd/1 rate=1.0");
    /** What {@link EchoServer} describes. */
    private static final TableSpec THERE = TableSpec.dense(3, "described", 10, 2, "add/1");
    private static final float[] GRADIENTS = new float[2];
    private static final long[] KEYS = {1};

    private final String directory = TestMemory.directory("use").toString();
    private final IdleStrategy sleep = new SleepingMillisIdleStrategy(1);
    private MediaDriver driver;
    private Aeron aeron;
    private EchoServer server;
    private GradstreamClient client;

    @BeforeEach
    void before()
    {
        driver = MediaDriver.launch(new MediaDriver.Context()
            .aeronDirectoryName(directory)
            .threadingMode(ThreadingMode.SHARED)
            .publicationLingerTimeoutNs(200_000_000L)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true));
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(directory));
        server = new EchoServer(aeron, ENDPOINT, 1, 0, 0);
    }

    @AfterEach
    void after()
    {
        CloseHelper.closeAll(client, server, aeron, driver);
    }

    @Test
    void shouldSayWhyTheServerRefusesATable()
    {
        connect(0);

        assertThatThrownBy(() -> client.createTable(TableSpec.sparse(1, EchoServer.REFUSED_NAME, 1, "add/1")))
            .isInstanceOfSatisfying(TableException.class,
                (ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.INVALID_TABLE))
            .hasMessageContaining("refused table 1 'refused' with INVALID_TABLE: it has no use here");
        assertThat(client.createTable(SPEC).spec()).isEqualTo(SPEC);
    }

    @Test
    void shouldOpenATableThatIsThereAndTheSame()
    {
        connect(-1);
        final float[] rows = new float[2];
        client.openTable(THERE).pullAndAwait(KEYS, 1, rows);

        assertThat(rows).containsExactly(1, 1);
    }

    @Test
    void shouldNotOpenATableThatIsNotThere()
    {
        connect(-1);

        assertThatThrownBy(() -> client.openTable(TableSpec.sparse(4, "elsewhere", 2, "add/1")))
            .isInstanceOfSatisfying(TableException.class,
                (ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.NO_SUCH_TABLE))
            .hasMessageContaining("table 4 'elsewhere' is not there")
            .hasMessageContaining("createTable");
        assertThatThrownBy(() -> client.openTable(TableSpec.sparse(4, "described", 2, "add/1")))
            .isInstanceOf(TableException.class).hasMessageContaining("table 3 has this name");
    }

    @Test
    void shouldNameWhatDiffersInATableThatIsAnotherOne()
    {
        connect(-1);

        assertThatThrownBy(() -> client.openTable(TableSpec.dense(3, "described", 10, 5, "sgd/1 rate=1.0")))
            .isInstanceOfSatisfying(TableException.class,
                (ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.TABLE_MISMATCH))
            .hasMessageContaining("it has dim=2 instead of dim=5, function='add/1' instead of " +
                "function='sgd/1 rate=1.0'");
        assertThatThrownBy(() -> client.openTable(TableSpec.sparse(0, "", 1, "add/1")))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("invalid name=''");
    }

    @Test
    void shouldNotLetAnObserverPush()
    {
        connect(-1);
        final Table table = client.openTable(THERE);

        assertThatThrownBy(() -> table.push(KEYS, GRADIENTS)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("observer").hasMessageContaining("slot=-1");
        assertThatThrownBy(() -> table.pushRange(1, 1, GRADIENTS)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> table.tryPush(KEYS, 0, 1, GRADIENTS)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> table.tryPushRange(1, 1, GRADIENTS)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> client.clock()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> client.createTable(THERE)).isInstanceOf(IllegalStateException.class);
        assertThat(client.outstandingTickets()).isZero();
        assertThat(server.pushes).isZero();
    }

    @Test
    void shouldTakeNothingAfterClose()
    {
        connect(0);
        final Table table = client.createTable(SPEC);
        final long ticket = table.push(KEYS, GRADIENTS);
        client.await(ticket);
        client.close();

        assertThatThrownBy(() -> table.push(KEYS, GRADIENTS)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("closed");
        assertThatThrownBy(() -> table.tryPush(KEYS, 0, 1, GRADIENTS)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> client.clock()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> table.pull(KEYS, 1, new float[2])).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> table.tryPull(KEYS, 1, new float[2])).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> client.createTable(SPEC)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> client.openTable(SPEC)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> client.describe()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> client.poll()).isInstanceOf(IllegalStateException.class);
        assertThat(client.isDone(ticket)).isTrue();
        assertThat(client.pushesSent()).isEqualTo(1);
    }

    @Test
    void shouldEncodeFloatsAlone()
    {
        connect(0);
        final Table counts = client.createTable(
            new TableSpec(1, "counts", 2, ElementType.INT64, 0, TableSpec.ZEROS, 0, 0f, "add/1"));

        assertThatThrownBy(() -> counts.pushEncoding(ValueEncoding.FLOAT16))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("table 'counts' holds INT64: only floats have the encoding FLOAT16");
        assertThatThrownBy(() -> counts.pullEncoding(ValueEncoding.BFLOAT16))
            .isInstanceOf(IllegalArgumentException.class);
        client.await(counts.pushEncoding(ValueEncoding.RAW).push(KEYS, 0, 1, new long[2]));

        final Table weights = client.createTable(SPEC).pushEncoding(ValueEncoding.FLOAT16);
        assertThatThrownBy(() -> weights.push(KEYS, new float[]{0, 1e6f})).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("row 0 element 1 is infinite as FLOAT16");
        client.await(weights.push(KEYS, GRADIENTS));
        assertThat(client.pushesSent()).isEqualTo(2);
    }

    @Test
    void shouldPushNoMoreOnceItHasFinished()
    {
        connect(0);
        final Table table = client.createTable(SPEC);
        client.clock();
        client.await(client.finish());
        assertThat(server.clocks).containsExactlyInAnyOrder(1L, 1L, Consistency.FINISHED, Consistency.FINISHED);
        assertThat(client.pushesSent()).isEqualTo(4);

        assertThatThrownBy(() -> table.push(KEYS, GRADIENTS)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("finished");
        assertThatThrownBy(() -> client.clock()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> client.finish()).isInstanceOf(IllegalStateException.class);
        client.await(table.pull(KEYS, 1, new float[2]));
        assertThat(client.stats().maxStaleness()).as("of a slot that is ahead of all").isZero();
    }

    @Test
    void shouldPushASumOnceAndClearIt()
    {
        connect(0);
        final Table table = client.createTable(SPEC);
        final GradientSum sum = new GradientSum(2, 10);
        sum.add(KEYS, 0, 1, new float[]{1, 2});
        sum.add(KEYS, 0, 1, new float[]{3, 4});
        client.await(sum.push(table));
        assertThat(client.pushesSent()).isEqualTo(1);
        assertThat(sum.isEmpty()).isTrue();

        sum.add(KEYS, 0, 1, new float[]{Float.MAX_VALUE, 0});
        sum.add(KEYS, 0, 1, new float[]{Float.MAX_VALUE, 0});
        assertThatThrownBy(() -> sum.push(table)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("invalid gradient Infinity at row 0 element 0");
        assertThat(sum.isEmpty()).as("a push that fails keeps the sum").isFalse();
        assertThatThrownBy(() -> new GradientSum(3, 10).push(table)).isInstanceOf(IllegalArgumentException.class)
            .hasMessage("table 'weights' holds rows of 2 FLOAT32: this sum is of rows of 3 FLOAT32");
        assertThat(client.pushesSent()).isEqualTo(1);
    }

    @Test
    void shouldTellTheClockOfTheProcessBefore()
    {
        connect(0, 7);
        client.awaitAll();
        assertThat(server.clocks).containsExactly(7L, 7L);
        client.await(client.clock());
        assertThat(server.clocks).containsExactlyInAnyOrder(7L, 7L, 8L, 8L);
    }

    private void connect(final int slot)
    {
        connect(slot, 0);
    }

    private void connect(final int slot, final long initialClock)
    {
        client = GradstreamClient.connect(new ClientContext()
            .initialClock(initialClock)
            .aeronDirectoryName(directory)
            .coordinatorChannel(ToldCoordinators.serving(2, ENDPOINT)::open)
            .operationTimeoutNs(4_000_000_000L)
            .slot(slot)
            .idleStrategy(new IdleStrategy()
            {
                public void idle(final int workCount)
                {
                    server.poll();
                    sleep.idle(workCount);
                }

                public void idle()
                {
                    idle(0);
                }

                public void reset()
                {
                }
            }));
    }
}
