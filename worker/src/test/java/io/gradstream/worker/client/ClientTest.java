// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.coordinator.FollowDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.WorkerReachDecoder;
import io.gradstream.codecs.wire.ConnectDecoder;
import io.gradstream.codecs.wire.DisconnectDecoder;
import io.gradstream.codecs.wire.HelloDecoder;
import io.gradstream.codecs.wire.KeepAliveDecoder;
import io.gradstream.codecs.wire.PullDecoder;
import io.gradstream.codecs.wire.PushDecoder;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.worker.request.PullRequest;
import io.gradstream.worker.request.PushRequest;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.LatencyListener;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.SessionFailure;
import io.gradstream.worker.session.SessionTiming;
import io.gradstream.worker.session.SpoolPolicy;
import io.gradstream.worker.session.WorkerIdentity;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The duty cycle of a client between servers and coordinators in memory, at times the test chooses.
 */
class ClientTest
{
    private static final String HEAD = "head:1";
    private static final String STANDBY = "standby:1";
    private static final TableSpec SPEC = new TableSpec(
        1, "counts", 1, ElementType.INT64, 8, 0, 0, 0, "add/1");
    private static final JobSpec JOB =
        new JobSpec(1, 2, 2, 64, 10, JobSpec.MIN_REPAIR_DELAY_MS, RecoveryMode.CHAIN);
    private static final long INCARNATION = 7;
    private static final long RETRY_NS = 100;
    private static final long KEEP_ALIVE_NS = 200;
    private static final long PROBE_NS = 250;
    private static final long TIMEOUT_NS = 1_000;

    private final SimulatedServers servers = new SimulatedServers();
    private ToldCoordinators coordinators;
    private final List<String> problems = new ArrayList<>();
    private long nowNs;
    private int partitions = 1;
    private long epochMs = INCARNATION;
    private WorkerIdentity.Numbering numbering;
    private Client client = led(INCARNATION);

    @Test
    void shouldConnectAttachPushAndAcknowledge()
    {
        attach(1, 0);
        final long ticket = push();
        doWork();
        assertThat(servers.stream(HEAD).kinds()).containsExactly(
            ConnectDecoder.TEMPLATE_ID, HelloDecoder.TEMPLATE_ID, PushDecoder.TEMPLATE_ID);
        assertThat(servers.stream(HEAD).connect().responseChannel()).isEqualTo("memory?endpoint=here:1");
        assertThat(servers.stream(HEAD).push().epoch()).isEqualTo(1);
        assertThat(client.tickets().isDone(ticket)).isFalse();

        servers.watermarks(INCARNATION, 50, new long[]{1, 1});
        doWork();
        assertThat(client.tickets().isDone(ticket)).isTrue();
        assertThat(client.tickets().refusal(ticket)).isEqualTo(Refusal.NONE);
    }

    @Test
    void shouldTellTheTicketOfARefusalUnderItsOwnEpochOnly()
    {
        attach(1, 0);
        final long ticket = push();
        doWork();
        servers.watermarks(INCARNATION, 50, new long[]{9, 0}, 1);
        servers.watermarks(INCARNATION, 50, new long[]{1, 1});
        doWork();
        assertThat(client.tickets().refusal(ticket)).isEqualTo(Refusal.NONE);

        final long refused = push();
        doWork();
        servers.watermarks(INCARNATION, 50, new long[]{1, 2}, 2);
        doWork();
        assertThat(client.tickets().isDone(refused)).isTrue();
        assertThat(client.tickets().refusal(refused)).isEqualTo(Refusal.of(5));
    }

    @Test
    void shouldTakeNoAnswerThatIsMeantForAnEarlierProcess()
    {
        doWork();
        final Client earlier = client;
        client = led(INCARNATION - 1);
        attach(1, 0);
        final long[] old = new long[1];
        pull(old);
        doWork();
        final long oldRequest = servers.stream(HEAD).pull().requestId();
        final long oldConnection = servers.stream(HEAD).connect().correlationId();

        client = earlier;
        servers.connected(oldConnection, 50, 0);
        doWork();
        assertThat(client.describe(nowNs)).contains("head:1 is CONNECTING");
        servers.connected(servers.streams.get(0).connect().correlationId(), 50, 0);
        doWork();
        servers.welcome(servers.streams.get(0).hello(), 1, 0);
        final long[] out = new long[1];
        doWork();
        final long ticket = pull(out);
        doWork();
        servers.row(oldRequest, 1, 64, 41);
        doWork();
        assertThat(client.tickets().isDone(ticket)).isFalse();
        servers.row(servers.streams.get(0).pull().requestId(), 1, 64, 42);
        doWork();
        assertThat(client.tickets().isDone(ticket)).isTrue();
        assertThat(out).containsExactly(42);
    }

    @Test
    void shouldRepeatConnectUntilTheServerAnswers()
    {
        doWork();
        doWork();
        assertThat(servers.stream(HEAD).kinds()).containsExactly(ConnectDecoder.TEMPLATE_ID);
        nowNs += RETRY_NS;
        doWork();
        assertThat(servers.stream(HEAD).kinds())
            .containsExactly(ConnectDecoder.TEMPLATE_ID, ConnectDecoder.TEMPLATE_ID);
        assertThat(servers.streams).hasSize(1);
    }

    @Test
    void shouldSayThatItLivesAndAskASilentServerBeforeItConnectsAnew()
    {
        attach(1, 0);
        nowNs += KEEP_ALIVE_NS;
        doWork();
        assertThat(servers.stream(HEAD).kinds()).endsWith(KeepAliveDecoder.TEMPLATE_ID);
        nowNs += PROBE_NS;
        doWork();
        assertThat(servers.stream(HEAD).kinds()).endsWith(ConnectDecoder.TEMPLATE_ID);
        nowNs += TIMEOUT_NS;
        doWork();
        doWork();
        assertThat(servers.streams).hasSize(2);
        assertThat(servers.streams.get(0).isClosed).isTrue();
        assertThat(client.session(0).state()).isEqualTo(PartitionSession.State.DETACHED);
    }

    @Test
    void shouldSendAgainWhatANewLifeOfTheServerLacks()
    {
        attach(1, 0);
        final long ticket = push();
        push();
        doWork();
        servers.stream(HEAD).isConnected = false;
        doWork();
        attach(2, 1);
        doWork();
        assertThat(servers.stream(HEAD).kinds()).containsExactly(
            ConnectDecoder.TEMPLATE_ID, HelloDecoder.TEMPLATE_ID, PushDecoder.TEMPLATE_ID);
        assertThat(servers.stream(HEAD).push().sequence()).isEqualTo(2);
        servers.watermarks(INCARNATION, 50, new long[]{2, 2});
        doWork();
        assertThat(client.tickets().isDone(ticket)).isTrue();
    }

    @Test
    void shouldTakeANewWayToANewProcessOfTheServer()
    {
        client = unled();
        coordinators.tell(mapOfProcess(1, 50));
        doWork();
        final SimulatedServers.Stream first = servers.stream(HEAD);
        first.ofProcess = 50;
        coordinators.tell(mapOfProcess(2, 50));
        doWork();
        assertThat(first.isClosed).isFalse();

        coordinators.tell(mapOfProcess(3, 51));
        doWork();
        doWork();
        assertThat(first.isClosed).as("it leads to a process that is no more, and is not connected yet").isTrue();
        assertThat(servers.stream(HEAD)).isNotSameAs(first);
    }

    @Test
    void shouldTakeTheBetterWayToAProcessOnceItIsNamed()
    {
        client = unled();
        coordinators.tell(mapOfProcess(1, 49));
        connect(HEAD, 0);
        final SimulatedServers.Stream first = servers.stream(HEAD);
        assertThat(first.isClosed).as("process 50 answers before the coordinators name it").isFalse();

        first.ofProcess = 49;
        coordinators.tell(mapOfProcess(2, 50));
        doWork();
        doWork();
        assertThat(first.isClosed).isTrue();
        connect(HEAD, 0);
        coordinators.tell(mapOfProcess(3, 50));
        doWork();
        assertThat(servers.stream(HEAD).isClosed).as("it is the way").isFalse();
    }

    @Test
    void shouldAskForRowsAgainWhenAnotherServerIsHead()
    {
        client = unled();
        coordinators.tell(map(1, 0, 1));
        doWork();
        connect(HEAD, 0);
        connect(STANDBY, 1);
        doWork();
        servers.welcome(servers.stream(HEAD).hello(), 1, 0);
        doWork();
        final long[] out = new long[1];
        final long ticket = pull(out);
        doWork();
        assertThat(servers.stream(HEAD).kinds()).endsWith(PullDecoder.TEMPLATE_ID);

        coordinators.tell(map(2, 1));
        doWork();
        servers.welcome(servers.stream(STANDBY).hello(), 2, 0);
        doWork();
        assertThat(servers.stream(STANDBY).pull().epoch()).isEqualTo(2);
        servers.row(servers.stream(HEAD).pull().requestId(), 1, 640, 1);
        doWork();
        assertThat(client.tickets().isDone(ticket)).isFalse();
        servers.row(servers.stream(STANDBY).pull().requestId(), 2, 64, 2);
        doWork();
        assertThat(client.tickets().isDone(ticket)).isTrue();
        assertThat(out).containsExactly(2);
    }

    @Test
    void shouldFollowTheCoordinatorsOnEachNewConnectionUntilTheyAnswer()
    {
        client = unled();
        doWork();
        doWork();
        assertThat(coordinators.kinds()).containsExactly(FollowDecoder.TEMPLATE_ID);
        coordinators.connection++;
        doWork();
        nowNs += CoordinatorLink.RETRY_NS;
        doWork();
        assertThat(coordinators.kinds()).containsOnly(FollowDecoder.TEMPLATE_ID).hasSize(3);
        coordinators.tell(map(1, 0));
        nowNs += CoordinatorLink.RETRY_NS;
        doWork();
        doWork();
        assertThat(coordinators.kinds()).filteredOn((kind) -> FollowDecoder.TEMPLATE_ID == kind).hasSize(3);
        assertThat(servers.stream(HEAD).kinds()).containsExactly(ConnectDecoder.TEMPLATE_ID);
    }

    @Test
    void shouldTellTheCoordinatorsWhichServersItReaches()
    {
        client = unled();
        coordinators.tell(map(1, 0, 1));
        doWork();
        connect(HEAD, 0);
        nowNs += 20_000_000;
        servers.watermarks(INCARNATION, 50, new long[]{1, 0});
        doWork();
        final WorkerReachDecoder report = new WorkerReachDecoder().wrapAndApplyHeader(
            coordinators.said.get(coordinators.kinds().indexOf(WorkerReachDecoder.TEMPLATE_ID)), 0,
            new MessageHeaderDecoder());
        assertThat(report.incarnation()).isEqualTo(INCARNATION);
        final List<Integer> reached = new ArrayList<>();
        report.nodes().forEach((node) -> reached.add(node.nodeId() * 10 + node.isReached()));
        assertThat(reached).containsExactly(1);
    }

    @Test
    void shouldSayWhyItCannotGoOn()
    {
        attach(1, 5);
        assertThat(client.failure()).isNull();
        push();
        doWork();
        servers.watermarks(INCARNATION, 50, new long[]{1, 6});
        servers.stream(HEAD).isConnected = false;
        doWork();
        attach(2, 5);
        doWork();
        assertThat(client.failure().kind()).isEqualTo(SessionFailure.Kind.PUSHES_LOST);
    }

    @Test
    void shouldTakeTheSlotWhereTheProcessBeforeHasANumberThatTheClockHasNotReached()
    {
        numbering = new WorkerIdentity.Numbering(() -> epochMs, 3);
        client = led(INCARNATION);
        connect(HEAD, 0);
        final HelloDecoder first = servers.stream(HEAD).hello();
        servers.fenced(first, 1, 90);
        doWork();
        assertThat(client.failure()).isNull();
        assertThat(problems).hasSize(1).allMatch((text) -> text.contains("incarnation=90") &&
            text.contains("the clock was set back") && text.contains("incarnation=93 instead of 7"));

        connect(HEAD, 0);
        assertThat(servers.streams).as("on a connection of its own").hasSize(2);
        assertThat(servers.stream(HEAD).connect().incarnation()).isEqualTo(93);
        assertThat(servers.stream(HEAD).hello().incarnation()).isEqualTo(93);
        servers.welcome(first, 1, 0);
        doWork();
        assertThat(client.session(0).epoch()).as("an answer to the number before").isEqualTo(-1);

        // it races with another one that is new, and was quicker
        servers.fenced(servers.stream(HEAD).hello(), 1, 94);
        doWork();
        attach(1, 0);
        assertThat(servers.stream(HEAD).hello().incarnation()).isEqualTo(97);
        push();
        doWork();
        assertThat(servers.stream(HEAD).push().incarnation()).isEqualTo(97);
    }

    @Test
    void shouldNotTakeTheSlotBackOnceItWasWelcomed()
    {
        numbering = new WorkerIdentity.Numbering(() -> epochMs, 3);
        client = led(INCARNATION);
        attach(1, 0);
        servers.stream(HEAD).isConnected = false;
        doWork();
        connect(HEAD, 0);
        servers.fenced(servers.stream(HEAD).hello(), 1, 90);
        doWork();
        assertThat(client.failure().kind()).isEqualTo(SessionFailure.Kind.FENCED);
        assertThat(problems).isEmpty();
    }

    @Test
    void shouldNotTakeTheSlotBackWhereOnePartitionHasWelcomedIt()
    {
        partitions = 2;
        numbering = new WorkerIdentity.Numbering(() -> epochMs, 3);
        client = led(INCARNATION);
        connect(HEAD, 0);
        servers.welcome(servers.stream(HEAD).hello(), 0, 0);
        doWork();
        doWork();
        final HelloDecoder second = servers.stream(HEAD).hello();
        assertThat(second.partition()).isEqualTo(1);
        servers.fenced(second, 0, 90);
        doWork();
        assertThat(client.failure().kind()).isEqualTo(SessionFailure.Kind.FENCED);
        assertThat(servers.streams).hasSize(1);
    }

    @Test
    void shouldLeaveTheSlotToANewerProcessOfTheSameClock()
    {
        numbering = new WorkerIdentity.Numbering(() -> epochMs, 3);
        client = led(INCARNATION);
        connect(HEAD, 0);
        // it stood still, and another one was started meanwhile
        epochMs = 90;
        servers.fenced(servers.stream(HEAD).hello(), 1, 90);
        doWork();
        assertThat(client.failure().kind()).isEqualTo(SessionFailure.Kind.FENCED);
    }

    @Test
    void shouldKeepANumberThatItWasGiven()
    {
        connect(HEAD, 0);
        servers.fenced(servers.stream(HEAD).hello(), 1, 90);
        doWork();
        assertThat(client.failure().kind()).isEqualTo(SessionFailure.Kind.FENCED);
    }

    @Test
    void shouldSayWhereAnswersAreExpectedWhenNoneComes()
    {
        doWork();
        for (long passedNs = 0; passedNs < 2 * AnswerWatch.LIMIT_NS; passedNs += AnswerWatch.AWAY_NS / 2)
        {
            nowNs += AnswerWatch.AWAY_NS / 2;
            doWork();
            doWork();
            doWork();
        }
        assertThat(problems).hasSize(1).allMatch((text) -> text.contains("no answer comes in at here:1"));
    }

    @Test
    void shouldSayGoodbyeWhenItIsClosed()
    {
        attach(1, 0);
        client.close();
        assertThat(servers.stream(HEAD).kinds()).endsWith(DisconnectDecoder.TEMPLATE_ID);
        assertThat(servers.stream(HEAD).isClosed).isTrue();
    }

    private void attach(final long epoch, final long lastSequence)
    {
        connect(HEAD, 0);
        servers.welcome(servers.stream(HEAD).hello(), epoch, lastSequence);
        doWork();
    }

    private void connect(final String endpoint, final int nodeId)
    {
        doWork();
        doWork();
        servers.connected(servers.stream(endpoint).connect().correlationId(), 50, nodeId);
        doWork();
    }

    private long push()
    {
        return client.requests().tryPush(
            new PushRequest(partitions).of(SPEC, new long[]{3}, 0, 1).values(new long[]{1}), nowNs);
    }

    private long pull(final long[] out)
    {
        return client.requests().tryPull(
            new PullRequest(partitions).of(SPEC, new long[]{3}, 0, 1).into(out), nowNs);
    }

    private void doWork()
    {
        nowNs++;
        client.doWork(nowNs);
    }

    /** A client that is told of one server, which leads the partition. */
    private Client led(final long incarnation)
    {
        final Client made = newClient(incarnation);
        coordinators.tell(map(List.of(HEAD, ""), 0, 0));

        return made;
    }

    /** A client that is told nothing yet. */
    private Client unled()
    {
        return newClient(INCARNATION);
    }

    private Client newClient(final long incarnation)
    {
        coordinators = new ToldCoordinators();
        final CoordinatorLink link =
            new CoordinatorLink(coordinators::open, (error) -> problems.add(error.getMessage()));
        return new Client(settings(incarnation), servers, link, ClientTest::waitNever, nowNs);
    }

    private ClientSettings settings(final long incarnation)
    {
        return new ClientSettings(
            new WorkerIdentity(1, 0, incarnation, SlotRole.SOLE, numbering),
            partitions,
            AckLevel.RECORDED,
            SpoolPolicy.BLOCK,
            false,
            0,
            new ClientSettings.Limits(128 * 1024, 1L << 30, 16, 16, 4, 65_000, 0),
            new SessionTiming(RETRY_NS, 1, 1L << 40),
            new ClientSettings.Timing(RETRY_NS, KEEP_ALIVE_NS, PROBE_NS, TIMEOUT_NS),
            LatencyListener.NONE,
            (partition, epoch, outstanding, lostNs, atNs) -> {},
            problems::add);
    }

    private static void waitNever(final String what, final BooleanSupplier condition)
    {
        if (!condition.getAsBoolean())
        {
            throw new AssertionError("must not wait for " + what);
        }
    }

    private static ClusterMap mapOfProcess(final long version, final long incarnation)
    {
        return new ClusterMap(JOB, List.of(HEAD, STANDBY), List.of(List.of(0, 1)), new ChainMap(
            version, List.of(incarnation, 50L), List.of(new Chain(1, 1, List.of(0), Chain.NONE, 2))));
    }

    private ClusterMap map(final long version, final Integer... members)
    {
        return map(List.of(HEAD, STANDBY), version, members);
    }

    private ClusterMap map(final List<String> endpoints, final long version, final Integer... members)
    {
        return new ClusterMap(
            new JobSpec(partitions, 2, 2, 64, 10, JobSpec.MIN_REPAIR_DELAY_MS, RecoveryMode.CHAIN),
            endpoints,
            Collections.nCopies(partitions, List.of(0, 1)),
            new ChainMap(version, List.of(50L, 50L), Collections.nCopies(partitions,
                new Chain(version, version, List.of(members), Chain.NONE, 2))));
    }
}
