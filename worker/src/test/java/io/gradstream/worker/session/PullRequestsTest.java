// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.nio.ByteOrder;

import static org.assertj.core.api.Assertions.assertThat;

class PullRequestsTest
{
    private static final TableSpec SPEC = TableSpec.sparse(0, "weights", 1, "sgd/1 rate=1.0");
    private static final long EPOCH = 3;

    private final Tickets tickets = new Tickets(16, LatencyListener.NONE);
    private final PullRequests pulls = new PullRequests(0, new WorkerIdentity(1, 0, 1), 4, tickets,
        new SessionTiming(100, 10, 1000), new RowCache(1 << 20));
    private final float[] out = new float[2];
    private ValueEncoding encoding = ValueEncoding.RAW;
    private long position;
    private long sentId;

    @Test
    void shouldNotAnswerARowThatWasNeverPulledFromItsInitialValues()
    {
        final long cold = pull(10, 7);
        pulls.send(this::offer, EPOCH, 10);
        out[0] = 5f;

        assertThat(pulls.answerFromCache(1000)).isZero();
        assertThat(tickets.isDone(cold)).isFalse();
        assertThat(pulls.waitingForRows()).isEqualTo(1);
        answer(EPOCH, 2000, 0f);
        assertThat(tickets.isDone(cold)).isTrue();
        assertThat(out[0]).isZero();
        assertThat(tickets.staleNs(cold)).isZero();
    }

    @Test
    void shouldWaitForAllRowsOfAPullOfWhichOneWasNeverPulled()
    {
        pull(10, 7);
        pulls.send(this::offer, EPOCH, 10);
        answer(EPOCH, 20, 70f);

        final long known = pull(30, 7);
        final long partly = pull(30, 7, 8);
        assertThat(pulls.answerFromCache(40)).isEqualTo(1);
        assertThat(tickets.isDone(known)).isTrue();
        assertThat(tickets.isDone(partly)).isFalse();
        pulls.onAttached();
        pulls.send(this::offer, EPOCH + 1, 50);
        answer(EPOCH + 1, 60, 71f, 80f);
        assertThat(tickets.isDone(partly)).isTrue();
        assertThat(out).containsExactly(71f, 80f);
    }

    @Test
    void shouldWriteNothingToAnArrayThatWasGivenBack()
    {
        final long other = pull(5, 8);
        final long ticket = pull(10, 7);
        pulls.send(this::offer, EPOCH, 10);
        out[0] = 5f;
        pulls.giveBack(other);
        pulls.giveBack(ticket);
        answer(EPOCH, 20, 70f);

        assertThat(tickets.isDone(ticket)).isTrue();
        assertThat(out[0]).isEqualTo(5f);

        // what came later is known all the same
        final long known = pull(30, 7);
        assertThat(pulls.answerFromCache(40)).isEqualTo(1);
        assertThat(tickets.isDone(known)).isTrue();
        assertThat(out[0]).isEqualTo(70f);
    }

    /** The message that is sent again has its keys: there is nothing to wait for. */
    @Test
    void shouldAskAgainAtOnceWhenItsKeysAreUnknown()
    {
        final long ticket = pull(10, 7);
        pulls.send(this::offer, EPOCH, 10);
        assertThat(pulls.onRefused(sentId, Refusal.KEYS_UNKNOWN, 10)).isTrue();

        assertThat(pulls.send(this::offer, EPOCH, 10)).isEqualTo(1);
        answer(EPOCH, 20, 70f);
        assertThat(tickets.isDone(ticket)).isTrue();
        assertThat(out[0]).isEqualTo(70f);
    }

    @Test
    void shouldAnswerInitialValuesOnceTheServerHasToldThem()
    {
        pull(10, 7);
        pulls.send(this::offer, EPOCH, 10);
        answer(EPOCH, 20, 0f);
        final long ticket = pull(30, 7);
        out[0] = 5f;

        assertThat(pulls.answerFromCache(40)).isEqualTo(1);
        assertThat(tickets.isDone(ticket)).isTrue();
        assertThat(out[0]).isZero();
    }

    @Test
    void shouldCountStalenessFromWhenTheRowsWereAskedForAndNotFromWhenTheyCame()
    {
        pull(100, 7);
        pulls.send(this::offer, EPOCH, 150);
        answer(EPOCH, 900, 70f);
        final long ticket = pull(1000, 7);

        pulls.answerFromCache(1150);
        assertThat(tickets.staleNs(ticket)).isEqualTo(1000);
        assertThat(tickets.maxStaleNs()).isEqualTo(1000);
    }

    @Test
    void shouldCountStalenessFromTheFirstOfTwoQuestionsOfOneEpoch()
    {
        pull(100, 7);
        pulls.send(this::offer, EPOCH, 150);
        pulls.onAttached();
        pulls.send(this::offer, EPOCH, 850);
        answer(EPOCH, 900, 70f);
        final long ticket = pull(1000, 7);

        pulls.answerFromCache(1150);
        assertThat(tickets.staleNs(ticket)).isEqualTo(1000);
    }

    @Test
    void shouldNotTakeAnAnswerOfAnEpochOlderThanTheOneAsked()
    {
        final long ticket = pull(100, 7);
        pulls.send(this::offer, EPOCH, 150);
        pulls.onAttached();
        pulls.send(this::offer, EPOCH + 1, 850);

        answer(EPOCH, 900, 69f);
        assertThat(tickets.isDone(ticket)).isFalse();
        assertThat(pulls.send(this::offer, EPOCH + 1, 910)).isEqualTo(1);
        answer(EPOCH + 1, 920, 70f);
        assertThat(out[0]).isEqualTo(70f);
        final long stale = pull(1000, 7);
        pulls.answerFromCache(1000);
        assertThat(tickets.staleNs(stale)).isEqualTo(150);
    }

    /** The iteration may end while an answer is under way: rows of later chunks have it in them. */
    @Test
    void shouldSeeInAnyChunkThatTheIterationIsOver()
    {
        final long ticket = pull(10, 7, 8);
        pulls.send(this::offer, EPOCH, 10);
        final UnsafeBuffer row = new UnsafeBuffer(new byte[Float.BYTES]);
        pulls.onRows(EPOCH, 1, sentId, new Chunk(row, 0, 1, false, 0, ValueEncoding.RAW), 20);
        assertThat(pulls.overtaken()).isEqualTo(-1);
        pulls.onRows(EPOCH, 2, sentId, new Chunk(row, 1, 1, true, 1, ValueEncoding.RAW), 20);
        assertThat(tickets.isDone(ticket)).isTrue();
        assertThat(pulls.overtaken()).isZero();
    }

    @Test
    void shouldAskAgainWhenNoAnswerComesForTheStallTime()
    {
        final long ticket = pull(10, 7);
        assertThat(pulls.send(this::offer, EPOCH, 10)).isEqualTo(1);
        assertThat(pulls.send(this::offer, EPOCH, 1009)).isZero();
        assertThat(pulls.send(this::offer, EPOCH, 1500)).isEqualTo(1);
        assertThat(pulls.send(this::offer, EPOCH, 1501)).isZero();
        answer(EPOCH, 1600, 70f);
        assertThat(tickets.isDone(ticket)).isTrue();
        assertThat(pulls.send(this::offer, EPOCH, 9000)).isZero();
    }

    @Test
    void shouldNotGoOnWithAnOlderOfTwoAnswers()
    {
        final long ticket = pull(10, 7, 8);
        pulls.send(this::offer, EPOCH, 10);
        pulls.send(this::offer, EPOCH, 1500);
        chunk(EPOCH, 1600, 0, false, 70f);
        final long younger = position + 5;
        position = younger;
        chunk(EPOCH, 1601, 0, false, 71f);
        position = younger - 3;
        chunk(EPOCH, 1602, 1, true, 80f);
        assertThat(tickets.isDone(ticket)).isFalse();
        assertThat(pulls.send(this::offer, EPOCH, 1603)).isEqualTo(1);
    }

    /** The server was silent between two chunks of an answer: nothing was attached again, so the rest still counts. */
    @Test
    void shouldNotMixRowsPulledEarlierIntoAnAnswerOfWhichAPartHasCome()
    {
        pull(10, 7);
        pulls.send(this::offer, EPOCH, 10);
        answer(EPOCH, 20, 70f);

        final long ticket = pull(30, 7, 8);
        pulls.send(this::offer, EPOCH, 30);
        chunk(EPOCH, 40, 0, false, 71f);
        assertThat(pulls.answerFromCache(400)).isZero();
        chunk(EPOCH, 500, 1, true, 80f);
        assertThat(tickets.isDone(ticket)).isTrue();
        assertThat(tickets.staleNs(ticket)).isZero();
        assertThat(out).containsExactly(71f, 80f);
    }

    @Test
    void shouldDecodeFloatsOfTwoBytesAndTakeAnAnswerThatHasThemAsTheyAre()
    {
        encoding = ValueEncoding.BFLOAT16;
        final long ticket = pull(10, 7, 8);
        pulls.send(this::offer, EPOCH, 10);
        final UnsafeBuffer values = new UnsafeBuffer(new byte[2 * Float.BYTES]);
        values.putFloat(0, 1.00390625f, ByteOrder.LITTLE_ENDIAN);
        values.putFloat(Float.BYTES, -3f, ByteOrder.LITTLE_ENDIAN);
        ValueEncoding.BFLOAT16.encodeInPlace(values, 0, 2);
        final DirectBuffer encoded = new UnsafeBuffer(values, 0, 2 * Short.BYTES);
        pulls.onRows(EPOCH, ++position, sentId, new Chunk(encoded, 0, 2, true, 0, ValueEncoding.BFLOAT16), 20);
        assertThat(tickets.isDone(ticket)).isTrue();
        assertThat(out).containsExactly(1f, -3f);

        final long ofOlderServer = pull(30, 7, 8);
        pulls.send(this::offer, EPOCH, 30);
        answer(EPOCH, 40, 1.00390625f, -3f);
        assertThat(tickets.isDone(ofOlderServer)).isTrue();
        assertThat(out).containsExactly(1.00390625f, -3f);
    }

    @Test
    void shouldNotTakeAChunkThatIsNotAsLongAsItsEncodingSays()
    {
        final long ticket = pull(10, 7, 8);
        pulls.send(this::offer, EPOCH, 10);
        final UnsafeBuffer values = new UnsafeBuffer(new byte[2 * Float.BYTES]);
        pulls.onRows(EPOCH, ++position, sentId, new Chunk(values, 0, 2, true, 0, ValueEncoding.FLOAT16), 20);
        assertThat(tickets.isDone(ticket)).isFalse();
    }

    private void chunk(
        final long epoch, final long nowNs, final int rowOffset, final boolean isLast, final float row)
    {
        final UnsafeBuffer values = new UnsafeBuffer(new byte[Float.BYTES]);
        values.putFloat(0, row, ByteOrder.LITTLE_ENDIAN);
        pulls.onRows(epoch, ++position, sentId, new PullRequests.RowsChunk()
        {
            public int rowOffset()
            {
                return rowOffset;
            }

            public int rowCount()
            {
                return 1;
            }

            public boolean isLast()
            {
                return isLast;
            }

            public long minClock()
            {
                return 0;
            }

            public long slotClock()
            {
                return 0;
            }

            public long heldNs()
            {
                return 0;
            }

            public DirectBuffer values()
            {
                return values;
            }

            public int valuesOffset()
            {
                return 0;
            }

            public int valuesLength()
            {
                return Float.BYTES;
            }
        }, nowNs);
    }

    private long pull(final long nowNs, final long... keys)
    {
        final long ticket = tickets.open(false, nowNs);
        final PullMessage request = pulls.take();
        request.of(SPEC, false, out, encoding);
        for (int i = 0; i < keys.length; i++)
        {
            request.add(keys[i], i);
        }
        request.encode(0, 0);
        pulls.submit(request, ticket);
        tickets.seal(ticket, nowNs);

        return ticket;
    }

    private boolean offer(final int partition, final DirectBuffer buffer, final int offset, final int length)
    {
        sentId = buffer.getLong(offset + 16, ByteOrder.LITTLE_ENDIAN);
        return true;
    }

    private void answer(final long epoch, final long nowNs, final float... rows)
    {
        final UnsafeBuffer values = new UnsafeBuffer(new byte[rows.length * Float.BYTES]);
        for (int i = 0; i < rows.length; i++)
        {
            values.putFloat(i * Float.BYTES, rows[i], ByteOrder.LITTLE_ENDIAN);
        }
        pulls.onRows(
            epoch, ++position, sentId, new Chunk(values, 0, rows.length, true, 0, ValueEncoding.RAW), nowNs);
    }

    private record Chunk(
        DirectBuffer values, int rowOffset, int rowCount, boolean isLast, long slotClock, ValueEncoding encoding)
        implements PullRequests.RowsChunk
    {
        public long minClock()
        {
            return 0;
        }

        public long heldNs()
        {
            return 0;
        }

        public int valuesOffset()
        {
            return 0;
        }

        public int valuesLength()
        {
            return values.capacity();
        }
    }
}
