// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.keys.KeyLists;
import io.gradstream.codecs.keys.ShortMessages;
import io.gradstream.codecs.keys.WholeMessages;
import io.gradstream.codecs.wire.ConnectEncoder;
import io.gradstream.codecs.wire.HelloEncoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PullEncoder;
import io.gradstream.codecs.wire.PushEncoder;
import io.gradstream.codecs.wire.RefusedDecoder;
import io.gradstream.codecs.wire.RowsDecoder;
import io.gradstream.codecs.wire.WelcomeDecoder;
import io.gradstream.server.node.NodeCounters.Counter;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.share.ConnectionLimit;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteOrder;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Pushes and pulls that name a list of keys, and what a server knows of such lists.
 */
class ListedKeysTest
{
    private static final int SESSION = 9;
    private static final int SLOT = 3;
    private static final long INCARNATION = 5;
    private static final long[] KEYS = {1, 8, 3};
    private static final TableSpec TABLE = TableSpec.sparse(0, "weights", 1, "add/1");
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private final ServedPartition served = new ServedPartition(4096).serve();
    private final Partition partition = served.partition;
    private final ShortMessages worker = new ShortMessages(new ExpandableArrayBuffer());
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private long sequence;
    private long helloId;

    @BeforeEach
    void attach()
    {
        served.copy.mayAnswer(true);
        partition.onCreateTable(TABLE, partition.epoch());
        connect(SESSION);
        attach(SESSION);
    }

    @Test
    void shouldApplyAPushThatNamesItsKeys()
    {
        push(SESSION, 2);
        assertThat(worker.bytesSaved()).isZero();
        push(SESSION, 5);
        assertThat(worker.bytesSaved()).isPositive();

        assertThat(partition.lastSequence(SLOT)).isEqualTo(2);
        assertThat(rows()).containsExactly(7, 7, 7);
        assertThat(served.counters.get(Counter.APPENDED_PUSHES)).isEqualTo(2);
    }

    @Test
    void shouldLogAPushThatNamesItsKeysAsIfItHadThem()
    {
        final ServedPartition other = new ServedPartition(4096).serve();
        other.copy.mayAnswer(true);
        other.partition.onCreateTable(TABLE, other.partition.epoch());
        connect(other, SESSION);
        attach(other, SESSION);
        for (final float value : new float[]{2, 5})
        {
            final int length = pushFrame(value);
            assertThat(other.adapter.onMessage(SESSION, buffer, 0, length)).isTrue();
            send(SESSION, length, true);
        }

        assertThat(worker.bytesSaved()).isPositive();
        assertThat(partition.lastSequence(SLOT)).isEqualTo(2);
        assertThat(served.storage.recordBytes()).containsExactlyElementsOf(other.storage.recordBytes());
    }

    /** It was applied: the worker need not send its keys, and all parts after it, again. */
    @Test
    void shouldNotRefuseAPushThatWasTakenBeforeForItsKeys()
    {
        push(SESSION, 2);
        attach(SESSION);
        sequence = 0;
        final long refused = served.counters.get(Counter.REFUSED_MESSAGES);
        push(SESSION, 2);

        assertThat(worker.bytesSaved()).isPositive();
        assertThat(served.counters.get(Counter.REFUSED_MESSAGES)).isEqualTo(refused);
        assertThat(partition.lastSequence(SLOT)).isEqualTo(1);
        worker.onAttached();
        assertThat(rows()).containsExactly(2, 2, 2);
    }

    /** It comes too early: the part before it has to be sent again, and then this one, too. */
    @Test
    void shouldRefuseAPushAfterAGapForThatAndNotForItsKeys()
    {
        send(SESSION, pushFrame(2), false);
        sequence++;
        push(SESSION, 5);

        assertThat(Refusal.of(refused().code())).isEqualTo(Refusal.SEQUENCE_GAP);
        assertThat(refused().expected()).isEqualTo(1);
    }

    @Test
    void shouldRefuseAPushThatNamesUnknownKeysAndConsumeNothing()
    {
        send(SESSION, pullFrame(1), false);
        push(SESSION, 5);

        final RefusedDecoder refused = refused();
        assertThat(Refusal.of(refused.code())).isEqualTo(Refusal.KEYS_UNKNOWN);
        assertThat(refused.sequence()).isEqualTo(1);
        assertThat(refused.expected()).as("the list").isEqualTo(1);
        assertThat(refused.helloId()).isEqualTo(helloId);
        assertThat(partition.lastSequence(SLOT)).isZero();

        worker.onPartUnknown(refused.expected());
        sequence = 0;
        push(SESSION, 2);
        push(SESSION, 5);
        assertThat(rows()).containsExactly(7, 7, 7);
    }

    @Test
    void shouldAnswerAPullThatNamesItsKeys()
    {
        push(SESSION, 2);
        pull(SESSION, 1);
        served.requests.pulls().doWork(0);

        assertThat(worker.bytesSaved()).isPositive();
        final RowsDecoder rows = new RowsDecoder().wrapAndApplyHeader(last(), 0, headerDecoder);
        assertThat(rows.rowCount()).isEqualTo(3);
        assertThat(rows.last()).isEqualTo((short)1);
    }

    @Test
    void shouldRefuseAPullThatNamesUnknownKeys()
    {
        send(SESSION, pullFrame(1), false);
        pull(SESSION, 2);

        assertThat(Refusal.of(refused().code())).isEqualTo(Refusal.KEYS_UNKNOWN);
        assertThat(refused().requestId()).isEqualTo(2);
        assertThat(refused().expected()).isEqualTo(1);
        assertThat(served.requests.pulls().waitingCount()).isZero();
    }

    @Test
    void shouldKnowNoKeysAfterAWelcome()
    {
        push(SESSION, 2);
        attach(SESSION);
        push(SESSION, 5);

        assertThat(Refusal.of(refused().code())).isEqualTo(Refusal.KEYS_UNKNOWN);
    }

    @Test
    void shouldKnowNoKeysOfAnotherConnection()
    {
        push(SESSION, 2);
        connect(SESSION + 1);
        push(SESSION + 1, 5);

        assertThat(Refusal.of(refused().code())).isEqualTo(Refusal.KEYS_UNKNOWN);
    }

    @Test
    void shouldCountTheMemoryOfListsAndGiveItBack()
    {
        assertThat(served.counters.get(Counter.KEY_LIST_BYTES)).isZero();
        push(SESSION, 2);
        assertThat(served.counters.get(Counter.KEY_LIST_BYTES)).isPositive().isLessThan(KeyLists.MAX_BYTES);

        served.connections.close();
        assertThat(served.counters.get(Counter.KEY_LIST_BYTES)).isZero();
    }

    @Test
    void shouldGiveTheMemoryOfListsBackAtAWelcome()
    {
        push(SESSION, 2);
        assertThat(served.counters.get(Counter.KEY_LIST_BYTES)).isPositive();

        attach(SESSION);
        assertThat(served.counters.get(Counter.KEY_LIST_BYTES)).isZero();
    }

    @Test
    void shouldGiveTheMemoryOfListsBackWhenItIsNoLongerThePrimary()
    {
        push(SESSION, 2);
        served.requests.closeKeyLists();
        assertThat(served.counters.get(Counter.KEY_LIST_BYTES)).as("as the primary").isPositive();

        followAnother();
        served.requests.closeKeyLists();
        assertThat(served.counters.get(Counter.KEY_LIST_BYTES)).isZero();
    }

    @Test
    void shouldKeepNoListsUnlessItIsThePrimaryOfTheirEpoch()
    {
        final int older = pushFrame(2);
        buffer.putLong(
            MessageHeaderEncoder.ENCODED_LENGTH + PushEncoder.epochEncodingOffset(), partition.epoch() - 1, ORDER);
        send(SESSION, older, true);
        assertThat(refused().code()).isEqualTo((short)Refusal.FENCED.code());
        assertThat(served.counters.get(Counter.KEY_LIST_BYTES)).isZero();

        followAnother();
        worker.onAttached();
        push(SESSION, 2);
        assertThat(refused().code()).isEqualTo((short)Refusal.NOT_PRIMARY.code());
        push(SESSION, 2);
        assertThat(refused().code()).as("where it is named").isEqualTo((short)Refusal.NOT_PRIMARY.code());
        pull(SESSION, 9);
        assertThat(refused().code()).isEqualTo((short)Refusal.NOT_PRIMARY.code());
        assertThat(served.counters.get(Counter.KEY_LIST_BYTES)).isZero();
    }

    @Test
    void shouldKeepNothingOfListsForWhichThereIsNoMemory()
    {
        final WorkerConnections connections = new WorkerConnections(
            (id) -> true, new ConnectionLimit(64), (endpoint, streamId) -> served.stream, 0, served.counters);
        connections.onConnect(SESSION, new WorkerConnections.ConnectRequest(
            1, INCARNATION, 1, SLOT, SlotRole.SOLE, 1, "x"), 0);
        final WorkerConnection connection = connections.all().get(0);
        final WholeMessages whole = new WholeMessages();
        for (final boolean isWhole : new boolean[]{true, false})
        {
            worker.wrap(buffer, 0, pushFrame(2));
            for (int number = 0; number < 100; number++)
            {
                assertThat(connections.makeWhole(
                    connection, number, whole, worker.buffer(), worker.offset(), worker.length())).isEqualTo(isWhole);
                assertThat(connection.keyLists(number)).isNull();
            }
            worker.onSent();
        }

        assertThat(worker.bytesSaved()).isPositive();
        assertThat(served.counters.get(Counter.KEY_LIST_BYTES)).isZero();
    }

    private void followAnother()
    {
        served.replica.onChain(new Chain(partition.epoch() + 1, 1_000, List.of(1), Chain.NONE, 1));
        served.replica.doWork(0);
        assertThat(served.copy.isPrimary()).isFalse();
    }

    private float[] rows()
    {
        final float[] rows = new float[KEYS.length];
        served.stream.messages.clear();
        pull(SESSION, 77);
        served.requests.pulls().doWork(0);
        final RowsDecoder decoder = new RowsDecoder().wrapAndApplyHeader(last(), 0, headerDecoder);
        for (int i = 0; i < rows.length; i++)
        {
            rows[i] = last().getFloat(
                decoder.limit() + RowsDecoder.valuesHeaderLength() + i * Float.BYTES, ORDER);
        }

        return rows;
    }

    private void push(final int session, final float value)
    {
        send(session, pushFrame(value), true);
    }

    private void pull(final int session, final long requestId)
    {
        send(session, pullFrame(requestId), true);
    }

    /** Send the message in the buffer as a worker does, or lose it. */
    private void send(final int session, final int length, final boolean arrives)
    {
        worker.wrap(buffer, 0, length);
        if (arrives)
        {
            assertThat(served.adapter.onMessage(session, worker.buffer(), worker.offset(), worker.length())).isTrue();
        }
        worker.onSent();
    }

    private void connect(final int session)
    {
        connect(served, session);
    }

    private void connect(final ServedPartition served, final int session)
    {
        final ConnectEncoder connect = new ConnectEncoder();
        connect.wrapAndApplyHeader(buffer, 0, header)
            .correlationId(session).incarnation(INCARNATION).jobId(1).slot(SLOT).responseStreamId(1)
            .role((short)0).partsPerClock((short)0).responseChannel("x");
        assertThat(served.adapter.onMessage(
            session, buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + connect.encodedLength())).isTrue();
        served.stream.isClosed = false;
        served.requests.doWork();
    }

    private void attach(final int session)
    {
        attach(served, session);
    }

    private void attach(final ServedPartition served, final int session)
    {
        do
        {
            served.chain.drive(served.replica);
            served.storage.recordAll();
            final HelloEncoder hello = new HelloEncoder();
            hello.wrapAndApplyHeader(buffer, 0, header)
                .incarnation(INCARNATION).oldestKept(sequence).partition(0).slot(SLOT).clock(0).helloId(++helloId)
                .awaited((short)1);
            assertThat(served.adapter.onMessage(
                session, buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + hello.encodedLength())).isTrue();
        }
        while (WelcomeDecoder.TEMPLATE_ID != headerDecoder.wrap(last(served), 0).templateId());
    }

    private UnsafeBuffer last()
    {
        return last(served);
    }

    private static UnsafeBuffer last(final ServedPartition served)
    {
        return new UnsafeBuffer(served.stream.messages.get(served.stream.messages.size() - 1));
    }

    private RefusedDecoder refused()
    {
        return new RefusedDecoder().wrapAndApplyHeader(last(), 0, headerDecoder);
    }

    private int pushFrame(final float value)
    {
        final PushEncoder push = new PushEncoder();
        final int keysLength = KEYS.length * Long.BYTES;
        final UnsafeBuffer body = new UnsafeBuffer(new byte[keysLength + KEYS.length * Float.BYTES]);
        KeyForm.write(KeyForm.KEYS, KEYS, 0, KEYS.length, 0, body, 0);
        for (int i = 0; i < KEYS.length; i++)
        {
            body.putFloat(keysLength + i * Float.BYTES, value, ORDER);
        }
        push.wrapAndApplyHeader(buffer, 0, header)
            .epoch(partition.epoch()).sequence(++sequence).acknowledgedThrough(0).incarnation(INCARNATION).clock(0)
            .partition(0).slot(SLOT).keyList(KeyLists.WANTED)
            .sectionsCount(1).next().tableId(TABLE.tableId()).rowCount(KEYS.length)
            .valuesLength(KEYS.length * Float.BYTES).keyForm((short)KeyForm.KEYS).encoding((short)Sections.RAW);
        push.putBody(body, 0, body.capacity());

        return MessageHeaderEncoder.ENCODED_LENGTH + push.encodedLength();
    }

    private int pullFrame(final long requestId)
    {
        final UnsafeBuffer body = new UnsafeBuffer(new byte[KEYS.length * Long.BYTES]);
        KeyForm.write(KeyForm.KEYS, KEYS, 0, KEYS.length, 0, body, 0);
        final PullEncoder pull = new PullEncoder();
        pull.wrapAndApplyHeader(buffer, 0, header)
            .epoch(partition.epoch()).requestId(requestId).lastSequence(0).incarnation(INCARNATION).partition(0)
            .slot(SLOT).tableId(TABLE.tableId()).rowCount(KEYS.length).keyForm((short)KeyForm.KEYS).clock(0)
            .encoding((short)1).keyList(KeyLists.WANTED).putBody(body, 0, body.capacity());

        return MessageHeaderEncoder.ENCODED_LENGTH + pull.encodedLength();
    }
}
