// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.wire.HelloDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.LatencyListener;
import io.gradstream.worker.session.PartRefused;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.SessionFailure;
import io.gradstream.worker.session.SessionTiming;
import io.gradstream.worker.session.SpoolPolicy;
import io.gradstream.worker.session.WorkerIdentity;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who has a slot is decided by the first partition for all: no other one fences anybody for a process that the first
 * refuses.
 */
class SlotDecisionTest
{
    private static final String SERVER = "server:1";
    private static final JobSpec JOB =
        new JobSpec(3, 1, 1, 64, 10, JobSpec.MIN_REPAIR_DELAY_MS, RecoveryMode.REPLAY);
    private static final long INCARNATION = 7;

    private final SimulatedServers servers = new SimulatedServers();
    private long nowNs;
    private Client client;

    @Test
    void shouldAskTheOtherPartitionsOnceTheFirstHasTakenTheProcess()
    {
        connect(new WorkerIdentity(1, 0, INCARNATION));
        assertThat(greeted()).containsExactly(0);
        assertThat(client.describe(nowNs)).contains("partition=0 decides first who has slot=0");

        servers.welcome(servers.stream(SERVER).hello(), 1, 0);
        doWork();
        doWork();
        assertThat(greeted()).containsExactly(0, 1, 2);
        assertThat(client.describe(nowNs)).doesNotContain("decides first");
    }

    @Test
    void shouldAskNoOtherPartitionIfTheFirstRefusesTheProcess()
    {
        connect(new WorkerIdentity(1, 0, INCARNATION, SlotRole.backedUp(1)));
        final HelloDecoder hello = servers.stream(SERVER).hello();
        client.session(0).onRefused(new PartRefused(
            INCARNATION, hello.helloId(), 1, 0, 0, Refusal.ROLE_MISMATCH), nowNs);
        for (int i = 0; i < 100; i++)
        {
            doWork();
        }
        assertThat(greeted()).containsExactly(0);
        assertThat(client.failure().kind()).isEqualTo(SessionFailure.Kind.REJECTED);
        assertThat(client.failure().detail()).contains("a process is, or was, alone in the slot");
    }

    @Test
    void shouldAskAllAtOnceAgainBehindTheFirstWelcome()
    {
        connect(new WorkerIdentity(1, 0, INCARNATION));
        servers.welcome(servers.stream(SERVER).hello(), 1, 0);
        doWork();
        doWork();
        client.session(0).onLinkDown(nowNs);
        client.session(1).onLinkDown(nowNs);
        client.session(1).onLinkUp();
        doWork();
        assertThat(client.session(1).state()).isEqualTo(PartitionSession.State.HELLO_SENT);
    }

    @Test
    void shouldAskAllAtOnceForAnObserverWhichTakesNothing()
    {
        connect(new WorkerIdentity(1, -1, INCARNATION));
        assertThat(greeted()).containsExactly(0, 1, 2);
    }

    private List<Integer> greeted()
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        return servers.stream(SERVER).messages.stream()
            .filter((message) -> HelloDecoder.TEMPLATE_ID == header.wrap(message, 0).templateId())
            .map((message) -> new HelloDecoder().wrapAndApplyHeader(message, 0, header).partition()).distinct()
            .toList();
    }

    private void connect(final WorkerIdentity identity)
    {
        final ToldCoordinators coordinators = new ToldCoordinators();
        client = new Client(settings(identity), servers, new CoordinatorLink(coordinators::open, (error) -> {}),
            (what, condition) -> assertThat(condition.getAsBoolean()).as(what).isTrue(), nowNs);
        final Chain chain = new Chain(1, 1, List.of(0), Chain.NONE, 1);
        coordinators.tell(new ClusterMap(JOB, List.of(SERVER), List.of(List.of(0), List.of(0), List.of(0)),
            new ChainMap(1, List.of(50L), List.of(chain, chain, chain))));
        doWork();
        doWork();
        servers.connected(servers.stream(SERVER).connect().correlationId(), 50, 0);
        doWork();
    }

    private void doWork()
    {
        client.doWork(++nowNs);
    }

    private static ClientSettings settings(final WorkerIdentity identity)
    {
        return new ClientSettings(
            identity,
            JOB.partitions(),
            AckLevel.RECORDED,
            SpoolPolicy.BLOCK,
            false,
            0,
            new ClientSettings.Limits(128 * 1024, 1L << 30, 16, 16, 4, 65_000, 0),
            new SessionTiming(1_000_000, 1, 1L << 40),
            new ClientSettings.Timing(1_000_000, 1_000_000, 1_000_000, 1L << 40),
            LatencyListener.NONE,
            (partition, epoch, outstanding, lostNs, atNs) -> {},
            (problem) -> {});
    }
}
