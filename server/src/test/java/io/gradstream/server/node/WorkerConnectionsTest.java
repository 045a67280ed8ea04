// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.SlotRole;
import io.gradstream.server.node.WorkerConnections.ConnectRequest;
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

    private final List<KeptStream> opened = new ArrayList<>();
    private final WorkerConnections connections =
        new WorkerConnections((id) -> JOB == id, (channel, streamId) -> open(), new NodeCounters());

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
}
