// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import io.gradstream.codecs.Chain;
import io.gradstream.recovery.log.EpochHistory;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long joins take within a limit, and what a limit does not slow down.
 */
class MoveBandwidthTest
{
    private static final int RECORDS_PER_SECOND = 1000;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** What may be sent at once after a pause, and a duty cycle. */
    private static final long TOLERANCE_NS = MoveBandwidth.CREDIT_NS + TICK_NS;

    private long nowNs = -7;
    private final MoveBandwidth limit =
        new MoveBandwidth((long)RECORDS_PER_SECOND * FakeState.LENGTH, () -> this.nowNs);

    @Test
    void shouldSendAJoinerNoMoreThanTheLimitAllows()
    {
        final Copy copy = new Copy(limit, 5 * RECORDS_PER_SECOND, false);

        assertThat(run(copy::isLive, copy)).isBetween(5 * SECOND_NS - TOLERANCE_NS, 5 * SECOND_NS + TOLERANCE_NS);
        assertThat(copy.ports.forwarded).hasSize(5 * RECORDS_PER_SECOND).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void shouldSendOneCopyAfterTheOtherWithinOneLimit()
    {
        final Copy first = new Copy(limit, 2 * RECORDS_PER_SECOND, false);
        final Copy second = new Copy(limit, 3 * RECORDS_PER_SECOND, false);

        assertThat(run(first::isLive, first, second))
            .isBetween(2 * SECOND_NS - TOLERANCE_NS, 2 * SECOND_NS + TOLERANCE_NS);
        assertThat(second.ports.forwarded).hasSizeLessThan(RECORDS_PER_SECOND / 10);
        assertThat(second.downstream.isJoinerServed(nowNs)).as("it waits for its turn").isTrue();
        assertThat(second.downstream.isJoinerServed(nowNs + Downstream.SERVED_NS)).isFalse();
        assertThat(first.downstream.isJoinerServed(nowNs)).as("it says itself how it gets on").isFalse();
        assertThat(run(second::isLive, first, second))
            .isBetween(3 * SECOND_NS - TOLERANCE_NS, 3 * SECOND_NS + TOLERANCE_NS);
    }

    @Test
    void shouldNotLetACopyThatTakesNothingKeepTheLimitFromOthers()
    {
        final Copy first = new Copy(limit, 2 * RECORDS_PER_SECOND, false);
        final Copy second = new Copy(limit, RECORDS_PER_SECOND, false);
        run(() -> first.ports.forwarded.size() > RECORDS_PER_SECOND, first, second);
        first.ports.isBlocked = true;

        assertThat(run(second::isLive, first, second)).isBetween(
            SECOND_NS + MoveBandwidth.PATIENCE_NS - TOLERANCE_NS, SECOND_NS + MoveBandwidth.PATIENCE_NS + TOLERANCE_NS);
        first.ports.isBlocked = false;
        run(first::isLive, first, second);
        assertThat(first.ports.forwarded).hasSize(2 * RECORDS_PER_SECOND).isSorted();
    }

    @Test
    void shouldLetACopyGoOnThatItsNodeCouldNotReadForInAPause()
    {
        final Copy first = new Copy(limit, 2 * RECORDS_PER_SECOND, false);
        final Copy second = new Copy(limit, RECORDS_PER_SECOND, false);
        run(() -> first.ports.forwarded.size() > RECORDS_PER_SECOND, first, second);
        nowNs += 2 * MoveBandwidth.PATIENCE_NS;
        run(first::isLive, second, first);

        assertThat(second.ports.forwarded).hasSizeLessThan(RECORDS_PER_SECOND / 10);
    }

    @Test
    void shouldNotInterruptASnapshotBeforeItsFollowerWouldAskForItAgain()
    {
        final Copy first = new Copy(limit, 1, false);
        final Copy second = new Copy(limit, RECORDS_PER_SECOND, false);
        first.storage.snapshotCount = 1;
        first.storage.snapshotFrames = RECORDS_PER_SECOND;
        first.downstream.onAttach(new ChainLink(1, 0, 101), new EpochHistory(), Upstream.WANTS_SNAPSHOT, nowNs);
        run(() -> first.ports.count("frame") > RECORDS_PER_SECOND / 2, first, second);
        assertThat(first.downstream.isJoinerServed(nowNs)).as("frames are sent").isTrue();
        first.ports.isBlocked = true;

        assertThat(run(() -> !second.ports.forwarded.isEmpty(), first, second))
            .isBetween(Upstream.SNAPSHOT_RETRY_NS - TOLERANCE_NS, Upstream.SNAPSHOT_RETRY_NS + TOLERANCE_NS);
    }

    @Test
    void shouldGiveOthersTheirTurnWhenACopyNeverCatchesUp()
    {
        final Copy endless = new Copy(limit, RECORDS_PER_SECOND / 10, false);
        final Copy second = new Copy(limit, RECORDS_PER_SECOND, false);
        final Copy third = new Copy(limit, RECORDS_PER_SECOND, false);
        run(() -> !endless.ports.forwarded.isEmpty(), endless);
        final long beginNs = nowNs;
        while (Math.min(second.ports.forwarded.size(), third.ports.forwarded.size()) < RECORDS_PER_SECOND)
        {
            assertThat(nowNs - beginNs).isLessThan(3 * SECOND_NS);
            nowNs += TICK_NS;
            for (final Copy copy : List.of(endless, second, third))
            {
                copy.downstream.doWork(nowNs);
            }
            endless.append();
            endless.append();
        }
        assertThat(endless.isLive()).isFalse();
        final int sent = endless.ports.forwarded.size();
        run(() -> endless.ports.forwarded.size() > sent, endless, second, third);
    }

    @Test
    void shouldSendACopyThatIsInSyncAllThatItLacksAtOnce()
    {
        final Copy copy = new Copy(limit, 5 * RECORDS_PER_SECOND, true);

        assertThat(run(copy::isLive, copy)).isLessThan(SECOND_NS / 10);
    }

    @Test
    void shouldKeepTheLogOfACopyForAsLongAsTheLimitMakesItWait()
    {
        final Copy copy = new Copy(limit, 40 * RECORDS_PER_SECOND, false);
        run(() -> copy.ports.forwarded.size() >= 35 * RECORDS_PER_SECOND, copy);
        assertThat(nowNs).isGreaterThan(LackedLog.KEEP_NS);

        assertThat(copy.storage.lackedFrom()).isZero();
    }

    @Test
    void shouldHoldBackNoHeadForACopyThatIsSentLittleButTellThatItComesNoCloser()
    {
        final Copy limited = new Copy(limit, RECORDS_PER_SECOND, false);
        final Copy free = new Copy(MoveBandwidth.UNLIMITED, RECORDS_PER_SECOND, false);
        for (final Copy copy : List.of(limited, free))
        {
            copy.downstream.doWork(nowNs);
        }
        final int enough = (int)(4 * Downstream.JOIN_LAG / FakeState.STEP);

        assertThat(appendWhileReading(free, enough)).as("held back").isFalse();
        assertThat(appendWhileReading(limited, enough)).isTrue();
        assertThat(limited.downstream.isOutpaced()).isTrue();
        assertThat(free.downstream.isOutpaced()).isFalse();
    }

    /** Twice as many records are appended as are sent. False if the head takes no more before there are enough. */
    private boolean appendWhileReading(final Copy copy, final int enough)
    {
        int appended = 0;
        while (appended < enough && copy.downstream.hasRoom())
        {
            nowNs += TICK_NS;
            final int before = copy.ports.forwarded.size();
            copy.downstream.doWork(nowNs);
            final int sent = copy.ports.forwarded.size() - before;
            for (int i = 0; i < 2 * sent; i++, appended++)
            {
                copy.append();
            }
            copy.downstream.onProgress(Copy.LINK, copy.sentPosition() - FakeState.STEP, 0, 0, 0, nowNs);
        }

        return appended >= enough;
    }

    /** Until a condition holds; returns how long that took. */
    private long run(final BooleanSupplier condition, final Copy... copies)
    {
        final long beginNs = nowNs;
        while (!condition.getAsBoolean())
        {
            assertThat(nowNs - beginNs).isLessThan(100 * SECOND_NS);
            nowNs += TICK_NS;
            for (final Copy copy : copies)
            {
                copy.downstream.doWork(nowNs);
            }
        }

        return nowNs - beginNs;
    }

    private static final class Copy
    {
        static final ChainLink LINK = new ChainLink(1, 0, 100);

        final FakeState state = new FakeState();
        final FakePorts ports = new FakePorts();
        final FakeStorage storage = new FakeStorage();
        final Downstream downstream;

        Copy(final MoveBandwidth limit, final int records, final boolean isInSync)
        {
            ports.moveBandwidth = limit;
            ports.queueLength = 1024;
            downstream = new Downstream(0, 0, ports, storage, state);
            downstream.isOpen(true);
            downstream.onChain(new Chain(1, 0, List.of(), Chain.NONE, 3), isInSync ?
                new Chain(1, 1, List.of(0, 1), Chain.NONE, 3) : new Chain(1, 1, List.of(0), 1, 3));
            state.epochs.add(1, 0);
            for (int i = 0; i < records; i++)
            {
                storage.records.add(state.append(1));
            }
            final EpochHistory history = new EpochHistory();
            history.add(1, 0);
            downstream.onAttach(LINK, history, 0, 0);
        }

        void append()
        {
            final long before = state.cursor.position();
            storage.records.add(state.append(1));
            downstream.onAppended(
                before, state.cursor.position(), storage.records.get(storage.records.size() - 1), 0, FakeState.LENGTH);
        }

        long sentPosition()
        {
            return ports.forwarded.isEmpty() ? 0 : ports.forwarded.get(ports.forwarded.size() - 1);
        }

        boolean isLive()
        {
            return LinkState.LIVE == downstream.state();
        }
    }
}
