// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.ClockDoneEncoder;
import io.gradstream.codecs.wire.ConnectEncoder;
import io.gradstream.codecs.wire.DescribeEncoder;
import io.gradstream.codecs.wire.DescriptionDecoder;
import io.gradstream.codecs.wire.HelloEncoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PullEncoder;
import io.gradstream.codecs.wire.RowsDecoder;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.InMemoryStorage;
import io.gradstream.server.partition.LoneChain;
import io.gradstream.server.partition.Partition;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteOrder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Pulls that wait for slots that are behind.
 */
class HeldPullsTest
{
    private static final int FAST = 0;
    private static final int SLOW = 1;
    private static final int UNCOUNTED = 2;
    private static final long INCARNATION = 5;

    private final ServedPartition served = new ServedPartition(4096).serve();
    private final InMemoryStorage storage = served.storage;
    private final Partition partition = served.partition;
    private final LoneChain chain = served.chain;
    private final Replica replica = served.replica;
    private final HostedPartition copy = served.copy;
    private final KeptStream stream = served.stream;
    private final WorkerRequests requests = served.requests;
    private final IngressAdapter adapter = served.adapter;
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final long[] clocks = new long[3];
    private final long[] sequences = new long[3];

    @BeforeEach
    void serve()
    {
        copy.mayAnswer(true);
        partition.onCreateTable(TableSpec.sparse(3, "rows", 1, "add/1"), partition.epoch());
        attach(FAST);
        attach(SLOW);
        bind(1);
        stream.messages.clear();
    }

    @Test
    void shouldHoldAPullUntilTheSlowestSlotIsWithinTheBound()
    {
        clock(FAST);
        clock(FAST);
        pull(FAST, 7, 2);
        assertThat(answers(10)).isZero();
        assertThat(answers(40)).isZero();

        clock(SLOW);
        assertThat(answers(100)).isEqualTo(1);
        final RowsDecoder rows = lastRows();
        assertThat(rows.requestId()).isEqualTo(7);
        assertThat(rows.minClock()).isEqualTo(1);
        assertThat(rows.heldNs()).isEqualTo(90);
    }

    @Test
    void shouldHoldAPullOfASlotThatHoldsNobodyBack()
    {
        attach(UNCOUNTED);
        stream.messages.clear();
        clock(FAST);
        pull(UNCOUNTED, 7, 2);
        assertThat(answers(10)).isZero();
        clock(SLOW);
        assertThat(answers(20)).isEqualTo(1);
    }

    @Test
    void shouldAnswerAtOnceWithinTheBound()
    {
        clock(FAST);
        pull(FAST, 7, 1);
        assertThat(answers(10)).isEqualTo(1);
        assertThat(lastRows().heldNs()).isZero();
        assertThat(lastRows().minClock()).isZero();
    }

    @Test
    void shouldNotHoldTheSlowestSlot()
    {
        clock(FAST);
        clock(FAST);
        pull(SLOW, 7, 0);
        assertThat(answers(10)).isEqualTo(1);
    }

    @Test
    void shouldHoldASlotThatReadsAheadOfItself()
    {
        bind(0);
        pull(FAST, 7, 1);
        assertThat(answers(10)).isZero();
        clock(FAST);
        clock(SLOW);
        assertThat(answers(20)).isEqualTo(1);
    }

    @Test
    void shouldTakeAQuestionThatIsAskedAgainForTheSame()
    {
        clock(FAST);
        clock(FAST);
        pull(FAST, 8, 2);
        pull(FAST, 7, 2);
        assertThat(answers(10)).isZero();
        pull(FAST, 7, 2);
        assertThat(answers(50)).isZero();
        assertThat(requests.pulls().waitingCount()).isEqualTo(2);
        clock(SLOW);
        assertThat(answers(100)).isEqualTo(2);
        assertThat(lastRows().requestId()).isEqualTo(7);
        assertThat(lastRows().heldNs()).as("since it was asked first").isEqualTo(90);
        assertThat(requests.pulls().waitingCount()).isZero();
    }

    @Test
    void shouldKeepRoomForTheSlotThatOthersWaitFor()
    {
        clock(FAST);
        clock(FAST);
        for (int i = 0; i < PendingPulls.MAX_HELD_PULLS; i++)
        {
            pull(FAST, 100 + i, 2);
        }
        stream.messages.clear();
        pull(FAST, 100, 2);
        assertThat(stream.messages).as("asked again").isEmpty();
        pull(FAST, 7, 2);
        assertThat(stream.messages).as("refused").hasSize(1);
        assertThat(requests.pulls().waitingCount()).isEqualTo(PendingPulls.MAX_HELD_PULLS);

        pull(SLOW, 8, 0);
        assertThat(answers(10)).isEqualTo(1);
        clock(SLOW);
        assertThat(answers(20)).isEqualTo(PendingPulls.MAX_HELD_PULLS);
        pull(FAST, 7, 2);
        assertThat(answers(30)).isEqualTo(1);
    }

    @Test
    void shouldNotWaitForASlotThatHasFinished()
    {
        for (int i = 0; i < 5; i++)
        {
            clock(FAST);
        }
        pull(FAST, 7, 5);
        assertThat(answers(10)).isZero();
        clocks[SLOW] = Consistency.FINISHED - 1;
        clock(SLOW);
        assertThat(answers(20)).isEqualTo(1);
    }

    @Test
    void shouldAnswerNobodyBeforeTheBoundIsLogged()
    {
        copy.onConsistency(new Consistency(2, 5));
        pull(FAST, 7, 0);
        assertThat(answers(10)).isZero();

        copy.doWork(0);
        assertThat(partition.consistency()).isEqualTo(new Consistency(2, 5));
        assertThat(answers(20)).isEqualTo(1);
    }

    @Test
    void shouldLetPullsGoWhenTheBoundIsLifted()
    {
        for (int i = 0; i < 3; i++)
        {
            clock(FAST);
        }
        pull(FAST, 7, 3);
        assertThat(answers(10)).isZero();
        bind(Consistency.UNBOUNDED);
        assertThat(answers(20)).isEqualTo(1);
    }

    @Test
    void shouldTellHowLongTheOldestPullHasWaitedForSlotsThatAreBehind()
    {
        clock(FAST);
        clock(FAST);
        pull(FAST, 7, 2);
        answers(10);
        pull(FAST, 8, 2);
        answers(30);
        assertThat(requests.pulls().heldNs(copy)).isEqualTo(20);
        assertThat(requests.pulls().heldNs(new ServedPartition(4096).serve().copy)).as("of another").isZero();

        clock(SLOW);
        assertThat(requests.pulls().heldNs(copy)).as("nobody is behind any more").isZero();
        assertThat(answers(40)).isEqualTo(2);
        assertThat(requests.pulls().heldNs(copy)).isZero();
    }

    @Test
    void shouldTellOfNoWaitWithinTheBoundNorForOneThatIsNotLogged()
    {
        clock(FAST);
        pull(FAST, 7, 1);
        stream.isFull = true;
        answers(10);
        answers(30);
        assertThat(requests.pulls().heldNs(copy)).as("waits for room").isZero();

        copy.onConsistency(new Consistency(2, 5));
        answers(40);
        answers(50);
        assertThat(requests.pulls().heldNs(copy)).as("waits for the partition's log").isZero();
    }

    @Test
    void shouldTellOfTheClocksThatAreHeldUntilAllSlotsEndThem()
    {
        partition.sumClocks(1 << 20);
        bind(0);
        clock(FAST);
        pull(FAST, 7, 1);
        answers(10);
        answers(30);

        DescriptionDecoder page = describe(30);
        assertThat(page.heldNs()).isEqualTo(20);
        assertThat(page.toString()).contains(
            "clock=0|lastSequence=0|slot=0|ended=1)", "clock=0|lastSequence=0|slot=1|ended=0)");

        clock(SLOW);
        page = describe(40);
        assertThat(page.heldNs()).isZero();
        assertThat(page.toString()).contains("clock=1|lastSequence=1|slot=0|ended=1)",
            "clock=1|lastSequence=1|slot=1|ended=1)");
    }

    private DescriptionDecoder describe(final long nowNs)
    {
        final DescribeEncoder describe = new DescribeEncoder();
        describe.wrapAndApplyHeader(buffer, 0, header).epoch(partition.epoch()).requestId(-1).incarnation(INCARNATION)
            .partition(0).slot(FAST).firstTable(0).firstSlot(0);
        send(FAST, describe.encodedLength());
        stream.messages.clear();
        requests.nowNs(nowNs);
        requests.descriptions().doWork();

        return new DescriptionDecoder().wrapAndApplyHeader(
            new UnsafeBuffer(stream.messages.get(0)), 0, new MessageHeaderDecoder());
    }

    private void bind(final int staleness)
    {
        copy.onConsistency(new Consistency(2, staleness));
        copy.doWork(0);
    }

    private void attach(final int slot)
    {
        final ConnectEncoder connect = new ConnectEncoder();
        connect.wrapAndApplyHeader(buffer, 0, header)
            .correlationId(1).incarnation(INCARNATION).jobId(1).slot(slot).responseStreamId(slot).responseChannel("x");
        send(slot, connect.encodedLength());
        requests.doWork();
        final HelloEncoder hello = new HelloEncoder();
        hello.wrapAndApplyHeader(buffer, 0, header)
            .incarnation(INCARNATION).oldestKept(0).partition(0).slot(slot).clock(0).helloId(1);
        for (int i = 0; i < 3; i++)
        {
            send(slot, hello.encodedLength());
            storage.recordAll();
            chain.drive(replica);
        }
    }

    private void clock(final int slot)
    {
        final ClockDoneEncoder clock = new ClockDoneEncoder();
        clock.wrapAndApplyHeader(buffer, 0, header)
            .epoch(partition.epoch()).sequence(++sequences[slot]).acknowledgedThrough(0).incarnation(INCARNATION)
            .clock(++clocks[slot]).partition(0).slot(slot);
        send(slot, clock.encodedLength());
        assertThat(partition.nextSequence(slot)).isEqualTo(sequences[slot] + 1);
        copy.doWork(0);
    }

    private void pull(final int slot, final long requestId, final long clock)
    {
        final PullEncoder pull = new PullEncoder();
        final UnsafeBuffer body = new UnsafeBuffer(new byte[Long.BYTES]);
        body.putLong(0, 1, ByteOrder.LITTLE_ENDIAN);
        pull.wrapAndApplyHeader(buffer, 0, header)
            .epoch(partition.epoch()).requestId(requestId).lastSequence(sequences[slot]).incarnation(INCARNATION)
            .partition(0).slot(slot).tableId(3).rowCount(1).keyForm((short)KeyForm.RANGE).clock(clock)
            .keyList(0).putBody(body, 0, body.capacity());
        send(slot, pull.encodedLength());
    }

    private void send(final int slot, final int bodyLength)
    {
        assertThat(adapter.onMessage(slot, buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + bodyLength)).isTrue();
    }

    /** Pulls that are answered by a time, in ns. */
    private int answers(final long nowNs)
    {
        stream.messages.clear();
        requests.pulls().doWork(nowNs);

        return stream.messages.size();
    }

    private RowsDecoder lastRows()
    {
        return new RowsDecoder().wrapAndApplyHeader(
            new UnsafeBuffer(stream.messages.get(stream.messages.size() - 1)), 0, new MessageHeaderDecoder());
    }
}
