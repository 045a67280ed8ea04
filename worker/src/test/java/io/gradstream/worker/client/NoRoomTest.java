// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.WorkerReachDecoder;
import io.gradstream.codecs.wire.ConnectDecoder;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.LatencyListener;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.ReachWatch;
import io.gradstream.worker.session.SessionTiming;
import io.gradstream.worker.session.SpoolPolicy;
import io.gradstream.worker.session.WorkerIdentity;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client whose server has no room for it.
 */
class NoRoomTest
{
    private static final String HEAD = "head:1";
    private static final long RETRY_NS = 100;
    private static final long PROBE_NS = 250;
    private static final long TIMEOUT_NS = 1_000;

    private final SimulatedServers servers = new SimulatedServers();
    private final ToldCoordinators coordinators = new ToldCoordinators();
    private final List<String> problems = new ArrayList<>();
    private long nowNs;
    private final Client client = new Client(settings(), servers,
        new CoordinatorLink(coordinators::open, (error) -> problems.add(error.getMessage())),
        (what, condition) -> assertThat(condition.getAsBoolean()).as(what).isTrue(), nowNs);

    @Test
    void shouldSayThatAServerHasNoRoomAndAskItUntilItHas()
    {
        final SimulatedServers.Stream stream = ask();
        final long correlationId = stream.connect().correlationId();
        refuse(50);
        assertThat(client.describe(nowNs)).contains(
            "server head:1 has no room for another worker", "384 of the job and 400 of all jobs",
            "gradstream.server.max.connections=512");
        assertThat(problems).singleElement().asString().contains("has no room");

        nowNs += RETRY_NS;
        doWork();
        assertThat(stream.kinds()).as("it asks less often").containsExactly(ConnectDecoder.TEMPLATE_ID);
        nowNs += TIMEOUT_NS / 2;
        doWork();
        assertThat(stream.kinds()).containsExactly(ConnectDecoder.TEMPLATE_ID, ConnectDecoder.TEMPLATE_ID);
        refuse(50);
        assertThat(problems).hasSize(1);

        nowNs += TIMEOUT_NS - RETRY_NS;
        doWork();
        attach(stream);
        assertThat(servers.streams).hasSize(1);
        servers.connectRefused(correlationId, 50, 0);
        doWork();
        assertThat(client.describe(nowNs)).as("it came late").doesNotContain("no room");
        assertThat(client.session(0).state()).isEqualTo(PartitionSession.State.ATTACHED);
    }

    @Test
    void shouldSayThatAServerHasNoRoomAfterItsRestart()
    {
        attach(ask());
        nowNs += PROBE_NS;
        doWork();
        refuse(51);
        assertThat(client.session(0).state()).isEqualTo(PartitionSession.State.DETACHED);
        assertThat(client.describe(nowNs)).contains("has no room");
    }

    /** A refusal that is long past says nothing of a server that no longer answers. */
    @Test
    void shouldNotSayThatAServerHasNoRoomOnceItIsGone()
    {
        ask();
        refuse(50);
        servers.stream(HEAD).isConnected = false;
        nowNs += AnswerWatch.LIMIT_NS;
        doWork();
        assertThat(client.describe(nowNs)).contains("head:1 is CONNECTING").doesNotContain("no room");
    }

    /** Its leads would be moved for nothing. */
    @Test
    void shouldReportAServerThatHasNoRoomAsReached()
    {
        for (int i = 0; i < 4; i++)
        {
            nowNs += ReachWatch.REPORT_INTERVAL_NS;
            ask();
            refuse(50);
        }
        final WorkerReachDecoder report = new WorkerReachDecoder().wrapAndApplyHeader(
            coordinators.said.get(coordinators.kinds().lastIndexOf(WorkerReachDecoder.TEMPLATE_ID)), 0,
            new MessageHeaderDecoder());
        final List<Integer> reached = new ArrayList<>();
        report.nodes().forEach((node) -> reached.add(node.nodeId() * 10 + node.isReached()));
        assertThat(reached).containsExactly(1);
    }

    private SimulatedServers.Stream ask()
    {
        if (0 == coordinators.said.size())
        {
            coordinators.tell(new ClusterMap(
                new JobSpec(1, 1, 1, 64, 10, JobSpec.MIN_REPAIR_DELAY_MS, RecoveryMode.CHAIN), List.of(HEAD),
                List.of(List.of(0)), new ChainMap(
                    1, List.of(50L), List.of(new Chain(1, 1, List.of(0), Chain.NONE, 1)))));
        }
        doWork();
        doWork();
        doWork();

        return servers.stream(HEAD);
    }

    private void refuse(final long nodeIncarnation)
    {
        servers.connectRefused(servers.stream(HEAD).connect().correlationId(), nodeIncarnation, 0);
        doWork();
    }

    private void attach(final SimulatedServers.Stream stream)
    {
        servers.connected(stream.connect().correlationId(), 50, 0);
        doWork();
        servers.welcome(stream.hello(), 1, 0);
        doWork();
    }

    private void doWork()
    {
        nowNs++;
        client.doWork(nowNs);
    }

    private ClientSettings settings()
    {
        return new ClientSettings(
            new WorkerIdentity(1, 0, 7, SlotRole.SOLE, null),
            1,
            AckLevel.RECORDED,
            SpoolPolicy.BLOCK,
            false,
            0,
            new ClientSettings.Limits(128 * 1024, 1L << 30, 16, 16, 4, 65_000, 0),
            new SessionTiming(RETRY_NS, 1, 1L << 40),
            new ClientSettings.Timing(RETRY_NS, 200, PROBE_NS, TIMEOUT_NS),
            LatencyListener.NONE,
            (partition, epoch, outstanding, lostNs, atNs) -> {},
            problems::add);
    }
}
