// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.SlotRole;
import io.gradstream.server.node.NodeCounters.Counter;
import io.gradstream.server.node.WorkerConnections.ConnectRequest;
import io.gradstream.server.share.ConnectionLimit;
import io.gradstream.server.share.ConnectionLimit.NoRoom;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which of a worker's connects open a connection, and which of its connections they end.
 */
class WorkerConnectionsTest
{
    private static final int JOB = 1;
    private static final int SLOT = 3;
    private static final long PROCESS = 50;

    private static final int OTHER_JOB = 2;
    private static final int LIMIT = 8;
    /** Three times as many as are free then. */
    private static final int OF_ONE_JOB = 6;

    private final NodeCounters counters = new NodeCounters();
    private final List<KeptStream> opened = new ArrayList<>();
    private final WorkerConnections connections = new WorkerConnections((id) -> JOB == id || OTHER_JOB == id,
        new ConnectionLimit(LIMIT), (channel, streamId) -> open(), ServedPartition.KEY_LIST_BYTES, counters);
    private int sessions;

    /** The process has closed the stream by which it said the late one: nothing more would be heard there. */
    @Test
    void shouldKeepTheConnectionWhenAConnectComesLateThatTheProcessSaidBefore()
    {
        assertThat(connect(8, 2, PROCESS)).isTrue();

        assertThat(connect(7, 1, PROCESS)).isFalse();
        assertThat(opened).hasSize(1);
        assertThat(opened.get(0).isClosed()).isFalse();
        assertThat(connections.sender(8, SLOT, PROCESS, 0)).isNotNull();
        assertThat(connections.sender(7, SLOT, PROCESS, 0)).isNull();
    }

    @Test
    void shouldReplaceTheConnectionWhenTheProcessConnectsByANewStream()
    {
        assertThat(connect(7, 1, PROCESS)).isTrue();

        assertThat(connect(8, 2, PROCESS)).isTrue();
        assertThat(opened.get(0).isClosed()).isTrue();
        assertThat(connections.all()).containsExactly(connections.sender(8, SLOT, PROCESS, 0));
        assertThat(connections.sender(7, SLOT, PROCESS, 0)).isNull();
    }

    /** Numbers of one process say nothing of those of another. */
    @Test
    void shouldReplaceTheConnectionOnceANewerProcessIsTakenWhoseNumbersAreLower()
    {
        assertThat(connect(7, 9, PROCESS)).isTrue();

        assertThat(connect(8, 1, PROCESS + 1)).isTrue();
        assertThat(opened.get(0).isClosed()).as("no partition has taken the newer one").isFalse();
        onTaken(8, PROCESS + 1);
        assertThat(opened.get(0).isClosed()).isTrue();
        assertThat(connections.all()).containsExactly(connections.sender(8, SLOT, PROCESS + 1, 0));
    }

    @Test
    void shouldKeepTheHolderOfASlotBesideItsBackupAndReplaceEachByItsLike()
    {
        assertThat(connect(7, 1, PROCESS, SlotRole.backedUp(1))).isTrue();
        assertThat(connect(8, 1, PROCESS + 2, SlotRole.backup(1))).isTrue();
        onTaken(8, PROCESS + 2);
        assertThat(connections.sender(7, SLOT, PROCESS, 0)).isNotNull();

        assertThat(connect(9, 1, PROCESS + 1, SlotRole.backedUp(1))).isTrue();
        onTaken(9, PROCESS + 1);
        assertThat(connections.sender(7, SLOT, PROCESS, 0)).isNull();
        assertThat(connections.sender(8, SLOT, PROCESS + 2, 0)).isNotNull();

        assertThat(connect(11, 1, PROCESS + 3)).isTrue();
        onTaken(11, PROCESS + 3);
        assertThat(connections.all()).containsExactly(connections.sender(11, SLOT, PROCESS + 3, 0));
    }

    /** Two processes that were started in the same millisecond. */
    @Test
    void shouldNotTakeHolderAndBackupOfTheSameIncarnationForOneProcess()
    {
        connect(7, 1, PROCESS, SlotRole.backedUp(1));
        connect(8, 1, PROCESS, SlotRole.backup(1));

        assertThat(connections.sender(7, SLOT, PROCESS, 0)).isNotNull();
        assertThat(connections.sender(8, SLOT, PROCESS, 0)).isNotNull();
    }

    @Test
    void shouldTellWhichProcessOfASlotWasHeardLately()
    {
        connect(7, 1, PROCESS);
        connections.sender(7, SLOT, PROCESS, 100);

        assertThat(connections.isHeard(JOB, SLOT, PROCESS, 10, 110)).isTrue();
        assertThat(connections.isHeard(JOB, SLOT, PROCESS, 10, 111)).isFalse();
        assertThat(connections.isHeard(JOB, SLOT, PROCESS + 1, 10, 110)).isFalse();
        assertThat(connections.isHeard(JOB, SLOT + 1, PROCESS, 10, 110)).isFalse();
    }

    @Test
    void shouldHearAsManyWorkersOfAJobAsItMayHaveAndRefuseTheNextOne()
    {
        for (int i = 0; i < OF_ONE_JOB; i++)
        {
            assertThat(connectNext(JOB)).isTrue();
        }
        assertThat(connections.all()).hasSize(OF_ONE_JOB);
        assertThat(connections.refused()).isEmpty();
        assertThat(connections.takeNoRoom()).isNull();

        assertThat(connectNext(JOB)).as("it is answered").isTrue();
        assertThat(connections.all()).hasSize(OF_ONE_JOB);
        assertThat(connections.refused()).hasSize(1);
        assertThat(connections.refused().get(0).refusal()).isEqualTo(new NoRoom(JOB, OF_ONE_JOB, OF_ONE_JOB, LIMIT));
        assertThat(connections.takeNoRoom()).isEqualTo(new NoRoom(JOB, OF_ONE_JOB, OF_ONE_JOB, LIMIT));
        assertThat(connections.takeNoRoom()).isNull();
        assertThat(counters.get(Counter.CONNECTIONS)).isEqualTo(OF_ONE_JOB);
        assertThat(counters.get(Counter.REFUSED_CONNECTS)).isEqualTo(1);
    }

    @Test
    void shouldHearWorkersOfAnotherJobBesideOneThatHasAllItMayHave()
    {
        connectAll(JOB);
        assertThat(connections.all()).hasSize(OF_ONE_JOB);

        connectAll(OTHER_JOB);
        assertThat(connections.all()).hasSize(LIMIT);
        assertThat(connections.hasWorker(OTHER_JOB)).isTrue();
        assertThat(connections.takeNoRoom()).isEqualTo(new NoRoom(OTHER_JOB, LIMIT - OF_ONE_JOB, LIMIT, LIMIT));
    }

    /** The first one keeps what it has. */
    @Test
    void shouldGiveTheConnectionThatAJobLeavesToOneThatHasLess()
    {
        connectAll(JOB);
        connectAll(OTHER_JOB);
        removeOne(JOB);

        connectAll(JOB);
        assertThat(connections.all()).hasSize(LIMIT - 1);
        connectAll(OTHER_JOB);
        assertThat(connections.all()).hasSize(LIMIT);
        assertThat(connections.all()).filteredOn((each) -> OTHER_JOB == each.jobId()).hasSize(3);
    }

    @Test
    void shouldHearAProcessOnItsNextStreamWhereThereIsNoRoomForAnother()
    {
        assertThat(connect(700, 1, PROCESS)).isTrue();
        connectAll(JOB);

        assertThat(connect(701, 2, PROCESS)).isTrue();
        assertThat(connections.sender(701, SLOT, PROCESS, 0)).isNotNull();
        assertThat(connections.all()).hasSize(OF_ONE_JOB);
    }

    @Test
    void shouldHearAWorkerThatWasRefusedOnceThereIsRoomAndCloseTheStreamOfTheRefusal()
    {
        connectAll(JOB);
        final KeptStream refusal = opened.get(opened.size() - 1);
        assertThat(connections.refused()).hasSize(1);
        removeOne(JOB);

        assertThat(connectNext(JOB, sessions)).isTrue();
        assertThat(refusal.isClosed()).isTrue();
        assertThat(connections.refused()).isEmpty();
        assertThat(connections.all()).hasSize(OF_ONE_JOB);
    }

    @Test
    void shouldOpenOneStreamForTheRefusalsOfAWorkerAndCloseItInTheEnd()
    {
        connectAll(JOB);
        connectNext(JOB, sessions);
        assertThat(opened).hasSize(OF_ONE_JOB + 1);

        connections.slowTick(WorkerConnections.REFUSAL_NS, Long.MAX_VALUE);
        assertThat(opened.get(OF_ONE_JOB).isClosed()).isFalse();
        connections.slowTick(WorkerConnections.REFUSAL_NS + 1, Long.MAX_VALUE);
        assertThat(opened.get(OF_ONE_JOB).isClosed()).isTrue();
        assertThat(connections.refused()).isEmpty();
        assertThat(connections.all()).hasSize(OF_ONE_JOB);
    }

    @Test
    void shouldOpenAFewStreamsOnlyForRefusals()
    {
        connectAll(JOB);
        for (int i = 1; i < WorkerConnections.MAX_REFUSALS; i++)
        {
            assertThat(connectNext(JOB)).isTrue();
        }
        assertThat(connectNext(JOB)).as("it is not answered").isFalse();
        assertThat(opened).hasSize(OF_ONE_JOB + WorkerConnections.MAX_REFUSALS);

        connections.close();
        assertThat(opened).allMatch(KeptStream::isClosed);
    }

    private void onTaken(final int session, final long incarnation)
    {
        connections.onTaken(connections.sender(session, SLOT, incarnation, 0));
    }

    private KeptStream open()
    {
        opened.add(new KeptStream());
        return opened.get(opened.size() - 1);
    }

    private boolean connect(final int session, final long correlationId, final long incarnation)
    {
        return connect(session, correlationId, incarnation, SlotRole.SOLE);
    }

    private boolean connect(
        final int session, final long correlationId, final long incarnation, final SlotRole role)
    {
        return connections.onConnect(
            session, new ConnectRequest(correlationId, incarnation, JOB, SLOT, role, 102, "worker"), 0);
    }

    /** Connect new workers until one is refused. */
    private void connectAll(final int job)
    {
        final int refused = connections.refused().size();
        while (connections.refused().size() == refused)
        {
            connectNext(job);
        }
    }

    private boolean connectNext(final int job)
    {
        return connectNext(job, ++sessions);
    }

    private boolean connectNext(final int job, final int session)
    {
        return connections.onConnect(session, new ConnectRequest(
            1, PROCESS + session, job, SLOT + session, SlotRole.SOLE, 102, "worker"), 0);
    }

    private void removeOne(final int job)
    {
        connections.remove(connections.all().stream().filter((each) -> job == each.jobId()).findFirst().orElseThrow());
    }
}
