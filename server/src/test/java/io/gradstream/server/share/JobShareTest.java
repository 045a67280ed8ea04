// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.share;

import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** What may be taken of a job's pushes: in a duty cycle, and in a second. */
class JobShareTest
{
    private static final int RATE = 1024 * 1024;
    private static final int PUSH = 4096;
    /** The clock may begin below 0. */
    private static final long START_NS = Long.MIN_VALUE / 2;

    private final JobShare share = new JobShare();
    private long nowNs = START_NS;

    @Test
    void shouldTakeAllOfAJobThatIsAloneAndHasNoLimit()
    {
        share.limit(0, true, nowNs);
        share.startCycle(nowNs);
        assertThat(take(1_000)).isEqualTo(1_000);
    }

    @Test
    void shouldTakeSoManyBytesInADutyCycleWhereThereIsAnotherJob()
    {
        share.limit(0, false, nowNs);
        for (int cycle = 0; cycle < 3; cycle++)
        {
            share.startCycle(nowNs);
            assertThat(take(1_000)).isEqualTo(JobShare.MAX_CYCLE_BYTES / PUSH);
        }
        share.limit(0, true, nowNs);
        assertThat(take(1_000)).as("alone again").isEqualTo(1_000);
    }

    @Test
    void shouldTakeByTheRateHoweverShortTheCyclesAre()
    {
        for (final long cycleNs : new long[]{100, 3_333, 1_000_000, 9_999_999, 50_000_000})
        {
            share.limit(0, true, nowNs);
            share.limit(RATE, true, nowNs);
            take(1_000);
            long bytes = 0;
            final long endNs = nowNs + TimeUnit.MILLISECONDS.toNanos(200);
            while (nowNs < endNs)
            {
                nowNs += cycleNs;
                share.startCycle(nowNs);
                bytes += (long)take(1_000) * PUSH;
            }
            assertThat(bytes).as("cycles of %d ns", cycleNs).isBetween(RATE / 5L - PUSH, RATE / 5L + RATE / 100 + PUSH);
        }
    }

    @Test
    void shouldNotSaveUpMoreThanATenthOfASecondBrings()
    {
        share.limit(RATE, true, nowNs);
        nowNs += TimeUnit.HOURS.toNanos(1);
        share.startCycle(nowNs);
        assertThat(take(1_000)).isEqualTo(RATE / 10 / PUSH + 1);
    }

    @Test
    void shouldPayForALongPushBeforeTheNext()
    {
        share.limit(RATE, true, nowNs);
        share.onTaken(RATE);
        nowNs += TimeUnit.MILLISECONDS.toNanos(890);
        share.startCycle(nowNs);
        assertThat(share.mayTake()).isFalse();
        nowNs += TimeUnit.MILLISECONDS.toNanos(20);
        share.startCycle(nowNs);
        assertThat(share.mayTake()).isTrue();
    }

    @Test
    void shouldKeepItsCreditWhenTheMapComesAgain()
    {
        share.limit(RATE, true, nowNs);
        take(1_000);
        share.limit(RATE, true, nowNs);
        assertThat(share.mayTake()).isFalse();
        share.limit(0, true, nowNs);
        assertThat(share.mayTake()).as("the limit is gone").isTrue();
    }

    private int take(final int most)
    {
        int taken = 0;
        while (taken < most && share.mayTake())
        {
            share.onTaken(PUSH);
            taken++;
        }

        return taken;
    }
}
