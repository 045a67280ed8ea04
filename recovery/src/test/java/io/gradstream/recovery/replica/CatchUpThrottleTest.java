// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CatchUpThrottleTest
{
    private static final long LAG = Downstream.JOIN_LAG;
    private static final long FAR = 100 * LAG;

    private final CatchUpThrottle pace = new CatchUpThrottle();

    @Test
    void shouldNotHoldTheHeadDuringAShortFirstReading()
    {
        pace.onReading(CatchUpThrottle.LONG_READING, 0);
        pace.update(2 * FAR, 1, 1);

        assertThat(pace.isHolding()).isFalse();
    }

    @Test
    void shouldHoldTheHeadDuringALongFirstReading()
    {
        final long end = CatchUpThrottle.LONG_READING + 1;
        pace.onReading(end, 0);
        pace.update(end + LAG, 0, 1);
        assertThat(pace.isHolding()).isFalse();

        pace.update(end + LAG + 1, 0, 2);
        assertThat(pace.isHolding()).isTrue();
    }

    @Test
    void shouldHoldTheHeadThatAppendsMoreThanHalfOfWhatTheJoinerApplies()
    {
        readTwice();
        pace.update(FAR + LAG, 0, 1);
        assertThat(pace.isHolding()).isFalse();

        pace.update(FAR + LAG + 1, 0, 2);
        assertThat(pace.isHolding()).isTrue();

        pace.update(FAR + LAG + 1, 2, 3);
        assertThat(pace.isHolding()).isFalse();
    }

    @Test
    void shouldHoldNoLongerWhenTheJoinerAppliesNothing()
    {
        readTwice();
        pace.update(2 * FAR, 1, 1);
        pace.update(2 * FAR, 1, CatchUpThrottle.HOLD_LIMIT_NS);
        assertThat(pace.isHolding()).isTrue();

        pace.update(2 * FAR, 1, 1 + CatchUpThrottle.HOLD_LIMIT_NS);
        assertThat(pace.isHolding()).isFalse();

        pace.update(4 * FAR, 2, 2 + CatchUpThrottle.HOLD_LIMIT_NS);
        assertThat(pace.isHolding()).isTrue();
    }

    @Test
    void shouldHoldTheHeadOnlyShortlyForWhatItAppendedWhileTheJoinerStoodStill()
    {
        readTwice();
        pace.update(2 * FAR, 2, 1);
        pace.update(4 * FAR, 2, 1 + CatchUpThrottle.HOLD_LIMIT_NS);

        pace.update(4 * FAR, 2 * LAG, 2 + CatchUpThrottle.HOLD_LIMIT_NS);
        assertThat(pace.isHolding()).isTrue();

        pace.update(4 * FAR, 2 + 2 * LAG, 3 + CatchUpThrottle.HOLD_LIMIT_NS);
        assertThat(pace.isHolding()).isFalse();

        pace.update(4 * FAR + 1, 2 + 2 * LAG, 4 + CatchUpThrottle.HOLD_LIMIT_NS);
        assertThat(pace.isHolding()).isTrue();
    }

    /** For what was appended before the joiner stood still, the head has to make up in any case. */
    @Test
    void shouldNotGiveTheHeadCreditForEachStandstill()
    {
        readTwice();
        long end = FAR;
        long nowNs = 1;
        for (int step = 1; step <= 100; step++)
        {
            pace.update(end, step, nowNs);
            while (!pace.isHolding() && end < 2 * FAR)
            {
                end += LAG / 4;
                pace.update(end, step, ++nowNs);
            }
            nowNs += CatchUpThrottle.HOLD_LIMIT_NS;
            pace.update(end, step, nowNs);
        }

        assertThat(end).isLessThan(FAR + 2 * LAG);
    }

    @Test
    void shouldNotHoldTheHeadForAJoinerThatIsCloseButNotAdmitted()
    {
        readTwice();
        pace.update(4 * FAR, 4 * FAR - LAG, 1);
        assertThat(pace.isHolding()).isFalse();

        pace.update(4 * FAR, 4 * FAR - LAG - 1, 2);
        assertThat(pace.isHolding()).isTrue();
    }

    @Test
    void shouldBeginAnewWhenTheJoinerAttachesAgain()
    {
        pace.onReading(CatchUpThrottle.LONG_READING + 1, 0);
        pace.onReading(FAR, 0);
        pace.update(2 * FAR, 1, 1);

        pace.restart();

        assertThat(pace.isHolding()).isFalse();
        pace.update(3 * FAR, 1, 1);
        assertThat(pace.isHolding()).as("nobody is linked").isFalse();
        pace.onReading(CatchUpThrottle.LONG_READING, 0);
        pace.update(2 * FAR, 2, 2);
        assertThat(pace.isHolding()).isFalse();
    }

    private void readTwice()
    {
        pace.onReading(0, 0);
        pace.onReading(FAR, 0);
    }
}
