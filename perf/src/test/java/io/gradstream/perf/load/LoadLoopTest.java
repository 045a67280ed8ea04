// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.perf.measure.InterruptedRunException;
import io.gradstream.perf.measure.Sample;
import io.gradstream.perf.measure.Transceiver;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

/**
 * The loop over a simulated system: each reading of the clock takes one step, each transfer a fixed time.
 */
class LoadLoopTest
{
    private static final long STEP_NS = 10;
    private static final long TRANSFER_NS = 1_000;
    private static final long SECOND_NS = 1_000_000_000L;

    private final SimulatedSystem system = new SimulatedSystem();
    private final LoadLoop loop = new LoadLoop(system, NoOpIdleStrategy.INSTANCE, system::nanoTime);

    @Test
    void shouldKeepOneOutstandingWhenDepthIsOne()
    {
        final Sample window = loop.flatOut(1, 100 * TRANSFER_NS, Long.MAX_VALUE);

        assertThat(system.mostOutstanding).isEqualTo(1);
        assertThat(window.p50Ns()).isCloseTo(TRANSFER_NS, within(5.0 * STEP_NS));
        assertThat(window.transfers()).isBetween(90L, 100L);
    }

    @Test
    void shouldHavePercentilesOfAllWindowsSinceItForgot()
    {
        system.stall(0, 50 * TRANSFER_NS);
        loop.flatOut(1, 100 * TRANSFER_NS, Long.MAX_VALUE);
        assertThat(loop.percentileNs(100)).isGreaterThan(40 * TRANSFER_NS);

        loop.forget();
        loop.flatOut(1, 100 * TRANSFER_NS, Long.MAX_VALUE);
        final long highest = loop.percentileNs(100);
        loop.flatOut(1, 100 * TRANSFER_NS, Long.MAX_VALUE);

        assertThat(highest).isBetween(TRANSFER_NS, 2 * TRANSFER_NS);
        assertThat(loop.percentileNs(50)).isBetween(TRANSFER_NS, 2 * TRANSFER_NS);
    }

    @Test
    void shouldKeepEightOutstandingWhenDepthIsEight()
    {
        final Sample window = loop.flatOut(8, 100 * TRANSFER_NS, Long.MAX_VALUE);

        assertThat(system.mostOutstanding).isEqualTo(8);
        assertThat(window.transfers()).isGreaterThan(600);
    }

    @Test
    void shouldEndEarlyWhenTheLimitOfTransfersIsReached()
    {
        final Sample window = loop.flatOut(8, SECOND_NS, 20);

        assertThat(window.transfers()).isEqualTo(20);
        assertThat(window.elapsedNs()).isLessThan(10 * TRANSFER_NS);
    }

    @Test
    void shouldStartAtEvenIntervalsWhenRateIsFixed()
    {
        final Sample window = loop.atRate(100_000, 1_000_000, Long.MAX_VALUE);

        assertThat(window.transfers()).isEqualTo(100);
        assertThat(window.p99Ns()).isCloseTo(TRANSFER_NS, within(5.0 * STEP_NS));
    }

    @Test
    void shouldCountTheWaitOfDelayedTransfersWhenTheSystemStalls()
    {
        system.stall(100_000, 600_000);

        final Sample window = loop.atRate(100_000, 1_000_000, Long.MAX_VALUE);

        // Half of the transfers were due in the stall; from the due time on, the worst of them waited all of it.
        assertThat(window.p99Ns()).isGreaterThan(450_000);
        assertThat(window.transfers()).isEqualTo(100);
    }

    @Test
    void shouldCountFromWhereATransferOfWhichOnlyAPartWasTakenBegan()
    {
        system.partsAtOnce = 1;
        system.stall(5 * STEP_NS, 40_000);

        final Sample window = loop.flatOut(1, 100_000, Long.MAX_VALUE);

        assertThat(window.p99Ns()).isGreaterThan(35_000);
        assertThat(system.parts).isZero();
    }

    @Test
    void shouldEndATransferThatHasBegunBeforeTheNextWindowBegins()
    {
        system.partsAtOnce = 1;
        system.stall(90_000, 200_000);

        loop.flatOut(1, 100_000, Long.MAX_VALUE);

        assertThat(system.parts).as("of the next transfer").isZero();
        assertThat(system.ended).isEqualTo(system.started);
        assertThat(system.nowNs).isGreaterThan(200_000);
    }

    @Test
    void shouldFailWhenATransferIsNeverTakenAsAWhole()
    {
        system.stepNs = SECOND_NS / 10;
        system.partsAtOnce = 1;
        system.stall(2 * system.stepNs, Long.MAX_VALUE);

        assertThatThrownBy(() -> loop.flatOut(1, SECOND_NS, Long.MAX_VALUE))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("outstanding=1");
    }

    @Test
    void shouldFailWhenTransfersNeverEnd()
    {
        system.stepNs = SECOND_NS / 10;
        system.stall(0, Long.MAX_VALUE);
        system.isStallingStarts = false;

        assertThatThrownBy(() -> loop.flatOut(1, SECOND_NS, Long.MAX_VALUE))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("outstanding=1");
    }

    @Test
    void shouldEndWhenTheThreadIsInterrupted()
    {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> loop.flatOut(1, SECOND_NS, Long.MAX_VALUE))
            .isInstanceOf(InterruptedRunException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    /** A transfer is sent in parts, one in each try or all at once. */
    private static final class SimulatedSystem implements Transceiver
    {
        private static final int PARTS = 16;

        private final long[] endsNs = new long[1 << 20];
        private long stepNs = STEP_NS;
        private long nowNs;
        private long stallBeginNs = Long.MAX_VALUE;
        private long stallEndNs = Long.MAX_VALUE;
        private boolean isStallingStarts = true;
        private int started;
        private int ended;
        private int mostOutstanding;
        private int partsAtOnce = PARTS;
        private int parts;

        long nanoTime()
        {
            nowNs += stepNs;
            return nowNs;
        }

        void stall(final long beginNs, final long endNs)
        {
            stallBeginNs = beginNs;
            stallEndNs = endNs;
        }

        private boolean isStalled()
        {
            return nowNs >= stallBeginNs && nowNs < stallEndNs;
        }

        @Override
        public boolean tryStart()
        {
            if (isStallingStarts && isStalled())
            {
                return false;
            }
            parts += partsAtOnce;
            if (parts < PARTS)
            {
                return false;
            }
            parts = 0;
            endsNs[started++] = nowNs + TRANSFER_NS;
            mostOutstanding = Math.max(mostOutstanding, started - ended);
            return true;
        }

        @Override
        public int poll()
        {
            while (!isStalled() && ended < started && endsNs[ended] <= nowNs)
            {
                ended++;
            }
            return 1;
        }

        @Override
        public long completed()
        {
            return ended;
        }

        @Override
        public long transferBytes()
        {
            return 4_096;
        }
    }
}
