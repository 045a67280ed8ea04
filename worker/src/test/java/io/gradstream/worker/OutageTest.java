// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import io.gradstream.testing.FreeEndpoint;
import io.gradstream.testing.TestMemory;
import io.gradstream.worker.client.ToldCoordinators;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.SpoolPolicy;
import org.agrona.CloseHelper;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A worker that goes on while no server can be reached.
 */
@Timeout(60)
class OutageTest
{
    private static final String ENDPOINT = FreeEndpoint.any();
    private static final TableSpec SPEC = TableSpec.dense(0, "weights", 1000, 2, "sgd/1 rate=1.0");
    private static final TableSpec SEEDED =
        new TableSpec(1, "seeded", 2, ElementType.FLOAT32, 0, 1, 42, 0.1f, "sgd/1 rate=1.0");
    /** A minute's pushes at 50 a second. */
    private static final int MINUTE = 3000;

    private final String directory = TestMemory.directory("outage").toString();
    private final IdleStrategy sleep = new SleepingMillisIdleStrategy(1);
    private final float[] gradient = new float[2000];
    private final float[] rows = new float[2000];
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
    void shouldGoOnForAMinuteWithoutAServerAndSendTheBacklogOnce()
    {
        connect(snapshotted());
        final Table table = client.createTable(SPEC);
        table.pullRangeAndAwait(0, 1000, rows);
        server.close();
        server = null;
        for (int i = 0; i < MINUTE; i++)
        {
            table.pushRange(0, 100, gradient);
            client.await(table.pullRange(0, 100, rows));
        }
        assertThat(client.stats().spoolWaits()).isZero();
        assertThat(client.stats().cachedPulls()).isPositive();

        server = new EchoServer(aeron, ENDPOINT, 2, 0, 0);
        client.awaitAll();

        long parts = 0;
        for (int partition = 0; partition < 2; partition++)
        {
            parts += client.pushCounts(partition).count();
            assertThat(server.lastSequence[partition]).isEqualTo(client.pushCounts(partition).count());
        }
        assertThat(parts).isGreaterThanOrEqualTo(MINUTE);
        assertThat(server.pushes).isEqualTo(parts);
        assertThat(server.snapshotsWanted).isPositive();
        final ClientStats stats = client.stats();
        assertThat(stats.outages()).isEqualTo(1);
        assertThat(stats.outageNs()).isPositive();
        assertThat(stats.blockedNs()).isLessThanOrEqualTo(stats.outageNs());
        assertThat(stats.spoolPeakBytes()).isGreaterThan(MINUTE * 100L * 8);
    }

    @Test
    void shouldSayHowOldRowsAreThatArePulledInAnOutage()
    {
        connect(snapshotted());
        final Table table = client.createTable(SPEC);
        final long fresh = table.pullRange(0, 1000, rows);
        client.await(fresh);
        server.close();
        server = null;
        final float[] cached = new float[4];
        final long stale = table.pull(new long[]{999, 5}, 2, cached);
        client.await(stale);

        assertThat(cached).containsExactly(999, 999, 5, 5);
        assertThat(client.staleNs(fresh)).isZero();
        assertThat(client.staleNs(stale)).isPositive();
        assertThat(client.stats().maxStaleNs()).isEqualTo(client.staleNs(stale));

        server = new EchoServer(aeron, ENDPOINT, 2, 0, 0);
        final float[] again = new float[2];
        long last;
        do
        {
            last = table.pull(new long[]{5}, 1, again);
            client.await(last);
        }
        while (client.staleNs(last) > 0);
        assertThat(again).containsExactly(5, 5);
    }

    @Test
    void shouldWaitForARowNobodyKnowsButItsServer()
    {
        connect(snapshotted());
        final Table table = client.createTable(SEEDED);
        table.pullAndAwait(new long[]{1}, 1, rows);
        server.close();
        server = null;
        client.await(table.pull(new long[]{1}, 1, rows));
        final long unknown = table.pull(new long[]{1, 2}, 2, rows);
        assertThatThrownBy(() -> client.await(unknown, 1_500_000_000L)).isInstanceOf(OperationTimeoutException.class);

        server = new EchoServer(aeron, ENDPOINT, 2, 0, 0);
        client.await(unknown);
        assertThat(client.staleNs(unknown)).isZero();
        assertThat(rows[2]).isEqualTo(2);
        assertThat(client.stats().blockedNs()).isGreaterThan(1_000_000_000L);
    }

    @Test
    void shouldWaitForRealRowsOfATableOfZerosThatWereNeverPulledHere()
    {
        connect(snapshotted());
        final Table table = client.createTable(SPEC);
        server.close();
        server = null;
        final long cold = table.pullRange(5, 1, rows);
        assertThatThrownBy(() -> client.await(cold, 1_500_000_000L)).isInstanceOf(OperationTimeoutException.class)
            .hasMessageContaining("rows that this process has never pulled");

        assertThat(client.stats().cachedPulls()).isZero();
        server = new EchoServer(aeron, ENDPOINT, 2, 0, 0);
        client.await(cold);
        assertThat(client.staleNs(cold)).isZero();
        assertThat(rows[0]).isEqualTo(5);
    }

    @Test
    void shouldNotWriteToTheArrayOfAPullThatWasGivenUp()
    {
        connect(snapshotted().operationTimeoutNs(1_500_000_000L));
        final Table table = client.createTable(SPEC);
        server.close();
        server = null;
        final float[] reused = new float[4];
        assertThatThrownBy(() -> table.pullAndAwait(new long[]{5, 7}, 2, reused))
            .isInstanceOf(OperationTimeoutException.class);
        assertThatThrownBy(() -> table.pullRangeAndAwait(5, 2, reused)).isInstanceOf(OperationTimeoutException.class);
        Arrays.fill(reused, -1);

        server = new EchoServer(aeron, ENDPOINT, 2, 0, 0);
        client.awaitAll();
        assertThat(reused).containsOnly(-1);
        table.pullAndAwait(new long[]{5, 7}, 2, reused);
        assertThat(reused).containsExactly(5, 5, 7, 7);
    }

    @Test
    void shouldWaitForPullsInAnOutageWhenNotToldToReadTheCache()
    {
        connect(snapshotted().outageReads(false));
        final Table table = client.createTable(SPEC);
        table.pullRangeAndAwait(0, 1000, rows);
        server.close();
        server = null;

        final long ticket = table.pullRange(0, 1000, rows);
        assertThatThrownBy(() -> client.await(ticket, 1_000_000_000L))
            .isInstanceOf(OperationTimeoutException.class);
        assertThat(client.stats().cachedPulls()).isZero();
    }

    @Test
    void shouldCountWhatIsDroppedWhenTheSpoolIsFull()
    {
        connect(snapshotted().spoolPolicy(SpoolPolicy.DROP_NEWEST).maxInFlight(4));
        final Table table = client.createTable(SPEC);
        server.close();
        server = null;
        int made = 0;
        for (int i = 0; i < 10; i++)
        {
            made += GradstreamClient.NOT_NOW == table.pushRange(0, 1000, gradient) ? 0 : 1;
        }

        assertThat(made).isEqualTo(4);
        assertThat(client.stats().pushesDropped()).isEqualTo(6);
        assertThat(client.pushesSent()).isEqualTo(8);
        server = new EchoServer(aeron, ENDPOINT, 2, 0, 0);
        client.awaitAll();
        assertThat(server.lastSequence).containsExactly(4, 4);
    }

    @Test
    void shouldBlockAndSaySoWhenTheSpoolIsFull()
    {
        connect(snapshotted().maxInFlight(4).operationTimeoutNs(4_000_000_000L));
        final Table table = client.createTable(SPEC);
        server.close();
        server = null;
        for (int i = 0; i < 4; i++)
        {
            table.pushRange(0, 1000, gradient);
        }

        assertThatThrownBy(() -> table.pushRange(0, 1000, gradient))
            .isInstanceOf(OperationTimeoutException.class).hasMessageContaining("room in the spool");
        assertThat(client.stats().spoolWaits()).isPositive();
        assertThat(client.stats().blockedNs()).isPositive();
    }

    @Test
    void shouldDivideTheSpoolsOfSnapshottedPushesByPartitions()
    {
        final ClusterMap map = ToldCoordinators.map(24, ENDPOINT);
        final ClientContext context = snapshotted();
        context.conclude(map);
        assertThat(context.spoolBytesPerPartition).isEqualTo(2 * 1024 * 1024);
        assertThat(context.maxInFlight).isEqualTo(Configuration.SNAPSHOTTED_MAX_IN_FLIGHT_DEFAULT);
        assertThatThrownBy(() -> snapshotted().maxInFlight(0).conclude(map))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("invalid maxInFlight=0");
    }

    private ClientContext snapshotted()
    {
        return new ClientContext()
            .aeronDirectoryName(directory)
            .coordinatorChannel(ToldCoordinators.serving(2, ENDPOINT)::open)
            .ackLevel(AckLevel.SNAPSHOTTED)
            .outageReads(true);
    }

    private void connect(final ClientContext context)
    {
        client = GradstreamClient.connect(context.idleStrategy(new IdleStrategy()
        {
            public void idle(final int workCount)
            {
                if (null != server)
                {
                    server.poll();
                }
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
