// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.gradstream.codecs.TableSpec;
import io.gradstream.testing.FreeEndpoint;
import io.gradstream.testing.TestMemory;
import io.gradstream.worker.ClusterDescription.PartitionDescription;
import io.gradstream.worker.ClusterDescription.SlotDescription;
import io.gradstream.worker.ClusterDescription.TableDescription;
import io.gradstream.worker.client.ToldCoordinators;
import io.gradstream.worker.session.PartitionSession;
import org.agrona.CloseHelper;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;

import static io.gradstream.worker.client.ToldCoordinators.chain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class GradstreamClientTest
{
    private static final String ENDPOINT = FreeEndpoint.any();
    private static final String STANDBY = FreeEndpoint.any();
    private static final TableSpec SPEC = TableSpec.dense(0, "weights", 1000, 2, "sgd/1 rate=1.0");

    private final String directory = TestMemory.directory("client").toString();
    private final IdleStrategy sleep = new SleepingMillisIdleStrategy(1);
    private MediaDriver driver;
    private Aeron aeron;
    private EchoServer server;
    private EchoServer standby;
    private ToldCoordinators coordinators;
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
        client = connect(context(ENDPOINT));
    }

    private GradstreamClient connect(final ClientContext context)
    {
        return GradstreamClient.connect(context
            .aeronDirectoryName(directory)
            .audit(true)
            .idleStrategy(new IdleStrategy()
            {
                public void idle(final int workCount)
                {
                    server.poll();
                    if (null != standby)
                    {
                        standby.poll();
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

    @AfterEach
    void after()
    {
        client.close();
        server.close();
        CloseHelper.close(standby);
        aeron.close();
        driver.close();
    }

    @Test
    void shouldPushAndPullWhenConnected()
    {
        final Table table = client.createTable(SPEC);
        client.await(table.pushRange(0, 1000, new float[2000]));
        client.await(client.clock());
        final float[] range = new float[2000];
        table.pullRangeAndAwait(0, 1000, range);
        final float[] keyed = new float[6];
        table.pullAndAwait(new long[]{999, 3, 500}, 3, keyed);

        for (int i = 0; i < 2000; i++)
        {
            assertThat(range[i]).isEqualTo(i / 2);
        }
        assertThat(keyed).containsExactly(999, 999, 3, 3, 500, 500);
        assertThat(server.pushes).isEqualTo(2);
        assertThat(client.pushesSent()).isEqualTo(4);
        assertThat(client.outstandingTickets()).isZero();
    }

    @Test
    void shouldDescribeWhatExistsToAnObserverPageByPageThoughAnAnswerIsLost()
    {
        reconnectWith(context(ENDPOINT).slot(-1));

        assertThat(client.describe()).isEqualTo(new ClusterDescription(
            1,
            ToldCoordinators.map(2, ENDPOINT).job(),
            List.of(
                new TableDescription(TableSpec.AUDIT, 21, 3, 2),
                new TableDescription(TableSpec.dense(3, "described", 10, 2, "add/1"), 21, 3, 2)),
            List.of(
                new PartitionDescription(0, 1, 640, List.of(0, 7), 9, 3, 500),
                new PartitionDescription(1, 1, 640, List.of(0, 7), 9, 3, 501)),
            List.of(new SlotDescription(4, 50, 7, 9, List.of(20L, 21L)))));
        assertThat(client.describe().slots().get(0).parts()).isEqualTo(41);
        assertThat(server.describes).isEqualTo(9);
    }

    @Test
    void shouldNameThePartitionsThatDoNotSayWhatExists()
    {
        reconnectWith(context(ENDPOINT)
            .operationTimeoutNs(1_000_000_000L));
        server.muted = 1;

        assertThatThrownBy(() -> client.describe()).isInstanceOf(OperationTimeoutException.class)
            .hasMessageContaining("describe: no answer from partitions [1] within 1000 ms");
        final ClusterDescription description = client.describe(500_000_000L);
        assertThat(description.undescribed()).containsExactly(1);
        assertThat(description.partitions().get(0).chain()).containsExactly(0, 7);
        assertThat(description.partitions().get(1).isDescribed()).isFalse();
        assertThat(description.tables()).extracting(TableDescription::partitions).containsExactly(1, 1);
        assertThat(description.slots()).containsExactly(new SlotDescription(4, 50, 8, 9, List.of(20L, 0L)));
    }

    @Test
    void shouldSendAgainWhenTheServerComesBackKnowingLess()
    {
        final Table table = client.createTable(SPEC);
        client.await(table.pushRange(0, 1000, new float[2000]));
        server.close();
        final long ticket = table.pushRange(0, 1000, new float[2000]);
        server = new EchoServer(aeron, ENDPOINT, 2, 1, 1);
        client.await(ticket);

        assertThat(server.lastSequence).containsExactly(2, 2);
        assertThat(client.session(0).epoch()).isEqualTo(2);
    }

    @Test
    void shouldSayThatPushesAreLostWhenTheServerForgotThem()
    {
        final Table table = client.createTable(SPEC);
        client.await(table.pushRange(0, 1000, new float[2000]));
        server.close();
        server = new EchoServer(aeron, ENDPOINT, 2, 0, 0);
        final long ticket = table.pushRange(0, 1000, new float[2000]);

        assertThatThrownBy(() -> client.await(ticket)).isInstanceOf(PushesLostException.class);
    }

    @Test
    void shouldFollowTheHeadOfTheChainWhenTheMapNamesAnother()
    {
        reconnectWith(context(ENDPOINT, STANDBY));
        final Table table = client.createTable(SPEC);
        client.await(table.pushRange(0, 1000, new float[2000]));
        assertThat(server.lastSequence).containsExactly(1, 1);

        server.close();
        final long ticket = table.pushRange(0, 1000, new float[2000]);
        final float[] rows = new float[2000];
        final long pull = table.pullRange(0, 1000, rows);
        coordinators.tell(2, 1, chain(2, 1), chain(2, 1));
        client.await(ticket);
        client.await(pull);

        assertThat(standby.lastSequence).containsExactly(2, 2);
        assertThat(client.session(1).epoch()).isEqualTo(2);
        assertThat(rows[1999]).isEqualTo(999);
        coordinators.tell(2, 1, chain(9, 0), chain(9, 0));
        client.poll();
        assertThat(client.session(1).state()).isEqualTo(PartitionSession.State.ATTACHED);
        assertThat(client.session(1).epoch()).isEqualTo(2);
    }

    @Test
    void shouldServeAPartitionWithoutAHeadOnlyWhenItHasOneAgain()
    {
        coordinators.tell(2, 1, chain(1, 0), chain(0));
        while (PartitionSession.State.ATTACHED != client.session(0).state())
        {
            server.poll();
            sleep.idle(client.poll());
        }
        assertThat(client.session(1).state()).isEqualTo(PartitionSession.State.DETACHED);
        assertThat(client.session(1).epoch()).isNegative();

        coordinators.tell(3, 1, chain(1, 0), chain(1, 0));
        client.createTable(SPEC);
        assertThat(client.session(1).state()).isEqualTo(PartitionSession.State.ATTACHED);
    }

    @Test
    void shouldRefuseAMapThatDoesNotFit()
    {
        coordinators.tell(2, 1, chain(1, 0));
        assertThatThrownBy(() -> client.poll())
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("has 1 chains");
        coordinators.tell(3, 1, chain(1, 0), chain(1, 4));
        assertThatThrownBy(() -> client.poll())
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("node=4 is head of a chain");
    }

    @Test
    void shouldFindANewLifeOfASilentServerWithoutWaitingForTheTimeout()
    {
        reconnectWith(patient().serverProbeNs(200_000_000L));
        final Table table = client.createTable(SPEC);
        client.await(table.pushRange(0, 1000, new float[2000]));

        // the new life takes over the stream before the old one is gone, as when a process is killed
        final EchoServer old = server;
        server = new EchoServer(aeron, ENDPOINT, 2, 1, 1);
        old.close();
        client.await(table.pushRange(0, 1000, new float[2000]), 10_000_000_000L);

        assertThat(server.lastSequence).containsExactly(2, 2);
    }

    @Test
    void shouldReconnectAtOnceWhenTheMapNamesANewLifeOfTheServer()
    {
        reconnectWith(patient().serverProbeNs(50_000_000_000L));
        final Table table = client.createTable(SPEC);
        client.await(table.pushRange(0, 1000, new float[2000]));
        final EchoServer old = server;
        server = new EchoServer(aeron, ENDPOINT, 2, 1, 1);
        old.close();
        coordinators.tell(2, 2, chain(2, 0), chain(2, 0));
        client.await(table.pushRange(0, 1000, new float[2000]), 10_000_000_000L);

        assertThat(server.lastSequence).containsExactly(2, 2);
    }

    @Test
    void shouldCountTheTimeInWhichAChainWasDegraded()
    {
        final Table table = client.createTable(SPEC);
        client.await(table.pushRange(0, 1000, new float[2000]));
        assertThat(client.stats().degradedNs()).isZero();
        server.isDegraded = true;
        client.await(table.pushRange(0, 1000, new float[2000]));
        client.poll();
        final long degradedNs = client.stats().degradedNs();
        assertThat(client.stats().degradedNs()).isGreaterThan(degradedNs);
        server.isDegraded = false;
        client.await(table.pushRange(0, 1000, new float[2000]));
        final long totalNs = client.stats().degradedNs();

        assertThat(client.stats().degradedNs()).isEqualTo(totalNs).isPositive();
        assertThat(client.stats().spoolPeakBytes()).isPositive();
    }

    @Test
    void shouldNameTheGradientThatIsNotFinite()
    {
        final Table table = client.createTable(SPEC);

        assertThatThrownBy(() -> table.push(new long[]{1}, new float[]{1, Float.NaN}))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("NaN at row 0 element 1");
        assertThat(client.pushesSent()).isZero();
    }

    private ClientContext context(final String... endpoints)
    {
        coordinators = ToldCoordinators.serving(2, endpoints);
        return new ClientContext().coordinatorChannel(coordinators::open);
    }

    private ClientContext patient()
    {
        return context(ENDPOINT)
            .serverTimeoutNs(60_000_000_000L).stallNs(60_000_000_000L);
    }

    private void reconnectWith(final ClientContext context)
    {
        client.close();
        server.close();
        server = new EchoServer(aeron, ENDPOINT, 1, 0, 0);
        standby = new EchoServer(aeron, STANDBY, 2, 1, 1);
        standby.nodeId = 1;
        client = connect(context);
    }
}
