// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.snapshot.SnapshotEndedDecoder;
import io.gradstream.codecs.wire.ConnectEncoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.ModelFrameDecoder;
import io.gradstream.codecs.wire.RefusedDecoder;
import io.gradstream.codecs.wire.TakeModelEncoder;
import io.gradstream.server.partition.Outcome;
import io.gradstream.server.partition.PushPartHeader;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a server does for a client that takes the model out.
 */
class TakeModelTest
{
    private static final int SESSION = 9;
    private static final int OTHER_SESSION = 10;
    private static final int WORKER_SESSION = 11;
    private static final int SLOT = 3;
    private static final long REQUEST = -77;
    private static final long NOW = -1;

    private final ServedPartition served = new ServedPartition(128 * 1024).serve();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final PushPartHeader part = new PushPartHeader();
    private long sequence;
    private long nowNs;

    @BeforeEach
    void serve()
    {
        served.copy.mayAnswer(true);
        connect(SESSION, WorkerConnection.OBSERVER);
        connect(OTHER_SESSION, WorkerConnection.OBSERVER);
        served.partition.onCreateTable(TableSpec.sparse(3, "weights", 2, "add/1"), served.partition.epoch());
        served.storage.recordAll();
        work();
        served.stream.messages.clear();
    }

    @Test
    void shouldSendTheModelOnceTheIterationHasEnded()
    {
        connect(WORKER_SESSION, SLOT);
        take(SESSION, REQUEST, 1);
        work();
        assertThat(frames()).isEmpty();

        clock(1);
        replicate();
        work();
        assertThat(frames()).endsWith(SnapshotEndedDecoder.TEMPLATE_ID);
        assertThat(last().clock()).isEqualTo(1);
        assertThat(last().requestId()).isEqualTo(REQUEST);
        final int count = frames().size();
        work();
        assertThat(frames()).as("and no more").hasSize(count);
    }

    @Test
    void shouldHoldTheEndBackWhileItHasNoLease()
    {
        take(SESSION, REQUEST, NOW);
        replicate();
        served.copy.mayAnswer(false);
        work();
        assertThat(frames()).doesNotContain(SnapshotEndedDecoder.TEMPLATE_ID);

        served.copy.mayAnswer(true);
        work();
        assertThat(frames()).endsWith(SnapshotEndedDecoder.TEMPLATE_ID);
    }

    @Test
    void shouldRefuseWhatIsPastAndASecondClient()
    {
        clock(1);
        clock(2);
        take(SESSION, REQUEST, 2);
        assertThat(refusal()).isEqualTo(Refusal.CLOCK_PASSED);

        take(SESSION, REQUEST - 1, 3);
        take(OTHER_SESSION, REQUEST, 3);
        assertThat(refusal()).isEqualTo(Refusal.BUSY);
    }

    @Test
    void shouldHearTheSameRequestOnceAndAnotherInItsPlace()
    {
        take(SESSION, REQUEST, NOW);
        replicate();
        served.stream.isFull = true;
        work();
        take(SESSION, REQUEST, NOW);
        served.stream.isFull = false;
        work();
        assertThat(frames().stream().filter((id) -> SnapshotEndedDecoder.TEMPLATE_ID == id)).hasSize(1);

        served.stream.messages.clear();
        take(SESSION, REQUEST - 1, 5);
        take(SESSION, REQUEST - 2, NOW);
        work();
        assertThat(last().requestId()).isEqualTo(REQUEST - 2);
    }

    @Test
    void shouldNotWaitForAnIterationThatNobodyCanEnd()
    {
        clock(1);
        take(SESSION, REQUEST, 2);
        replicate();
        work();
        assertThat(frames()).as("workers may come").isEmpty();

        nowNs += PendingModels.STALL_NS - 1;
        take(SESSION, REQUEST, 2);
        nowNs += 2;
        work();
        assertThat(last().clock()).isEqualTo(1);
    }

    @Test
    void shouldGiveUpAClientThatTakesNothing()
    {
        take(SESSION, REQUEST, NOW);
        replicate();
        served.stream.isFull = true;
        work();
        nowNs += PendingModels.STALL_NS + 1;
        work();
        served.stream.isFull = false;
        work();
        assertThat(frames()).isEmpty();

        take(OTHER_SESSION, REQUEST, NOW);
        work();
        assertThat(frames()).endsWith(SnapshotEndedDecoder.TEMPLATE_ID);
    }

    @Test
    void shouldGiveUpAClientThatAsksNoMore()
    {
        connect(WORKER_SESSION, SLOT);
        take(SESSION, REQUEST, 5);
        nowNs += PendingModels.STALL_NS + 1;
        work();

        take(OTHER_SESSION, REQUEST, NOW);
        replicate();
        work();
        assertThat(frames()).endsWith(SnapshotEndedDecoder.TEMPLATE_ID);
    }

    @Test
    void shouldSendTheLastModelOnceAllSlotsHaveFinished()
    {
        connect(WORKER_SESSION, SLOT);
        clock(Consistency.FINISHED);
        take(SESSION, REQUEST, Consistency.FINISHED);
        replicate();
        work();

        assertThat(last().clock()).isEqualTo(Consistency.FINISHED);
    }

    private void work()
    {
        for (int i = 0; i < 10; i++)
        {
            served.requests.nowNs(nowNs);
            served.requests.doWork();
        }
    }

    private void replicate()
    {
        served.storage.recordAll();
        served.chain.drive(served.replica);
    }

    private void clock(final long clock)
    {
        part.set(SLOT, 5, served.partition.epoch(), ++sequence, 0, clock);
        assertThat(served.partition.onClockDone(part)).isEqualTo(Outcome.APPENDED);
    }

    private List<Integer> frames()
    {
        final List<Integer> templateIds = new ArrayList<>();
        for (final byte[] message : served.stream.messages)
        {
            final UnsafeBuffer view = new UnsafeBuffer(message);
            if (ModelFrameDecoder.TEMPLATE_ID == view.getShort(2, ByteOrder.LITTLE_ENDIAN))
            {
                final ModelFrameDecoder frame =
                    new ModelFrameDecoder().wrapAndApplyHeader(view, 0, new MessageHeaderDecoder());
                templateIds.add((int)view.getShort(
                    frame.limit() + ModelFrameDecoder.frameHeaderLength() + 2, ByteOrder.LITTLE_ENDIAN));
            }
        }

        return templateIds;
    }

    private ModelFrameDecoder last()
    {
        final byte[] message = served.stream.messages.stream()
            .filter((candidate) -> ModelFrameDecoder.TEMPLATE_ID == candidate[2])
            .reduce((first, second) -> second).orElseThrow();
        return new ModelFrameDecoder().wrapAndApplyHeader(
            new UnsafeBuffer(message), 0, new MessageHeaderDecoder());
    }

    private Refusal refusal()
    {
        final byte[] message = served.stream.messages.get(served.stream.messages.size() - 1);
        return Refusal.of(new RefusedDecoder().wrapAndApplyHeader(
            new UnsafeBuffer(message), 0, new MessageHeaderDecoder()).code());
    }

    private void connect(final int sessionId, final int slot)
    {
        send(sessionId, new ConnectEncoder().wrapAndApplyHeader(buffer, 0, header)
            .correlationId(1).incarnation(5).jobId(1).slot(slot).role((short)0).partsPerClock((short)0)
            .responseStreamId(102).responseChannel("aeron:udp?endpoint=127.0.0.1:40123").encodedLength());
    }

    private void take(final int sessionId, final long requestId, final long clock)
    {
        send(sessionId, new TakeModelEncoder().wrapAndApplyHeader(buffer, 0, header)
            .epoch(served.partition.epoch()).requestId(requestId).clock(clock).incarnation(5).partition(0)
            .slot(WorkerConnection.OBSERVER).encodedLength());
    }

    private void send(final int sessionId, final int bodyLength)
    {
        served.requests.nowNs(nowNs);
        assertThat(served.adapter.onMessage(
            sessionId, buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + bodyLength)).isTrue();
    }
}
