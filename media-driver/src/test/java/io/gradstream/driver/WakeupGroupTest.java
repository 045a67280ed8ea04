// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import static org.assertj.core.api.Assertions.assertThat;

class WakeupGroupTest
{
    private static final long MAX_SLEEP_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int LOOKS = 500;
    private static final long LOOK_NS = 20_000;

    private long nowNs = Long.MAX_VALUE - LOOKS;
    private final WakeupGroup group = new WakeupGroup(() -> nowNs += LOOK_NS);
    private final RecordedSleep slept = new RecordedSleep();
    private boolean isHurried;
    private final IdleStrategy member = group.join(slept, MAX_SLEEP_NS, () -> isHurried);
    private final IdleStrategy other = group.join(MAX_SLEEP_NS);

    @BeforeEach
    void sleepForTheFirstTime()
    {
        idleUntilAsleep();
    }

    @Test
    void shouldWatchForAWhileBeforeItSleeps()
    {
        member.idle(1);
        slept.sleeps.clear();
        final int looks = (int)(ParkingIdleStrategy.WATCH_NS / LOOK_NS);
        for (int i = 0; i <= looks; i++)
        {
            assertThat(slept.sleeps).as("looks: %d", i).isEmpty();
            member.idle(0);
        }

        member.idle(0);
        assertThat(slept.sleeps).containsExactly(MAX_SLEEP_NS);
        assertThat(slept.naps).isEmpty();
    }

    @Test
    void shouldWatchForAsLongAsItsGroupSays()
    {
        group.watchFor(WakeupGroup.SHORT_WATCH_NS);
        member.idle(1);
        slept.sleeps.clear();
        for (int i = 0; i <= WakeupGroup.SHORT_WATCH_NS / LOOK_NS + 1; i++)
        {
            assertThat(slept.sleeps).as("looks: %d", i).isEmpty();
            member.idle(0);
        }

        member.idle(0);
        assertThat(slept.sleeps).containsExactly(MAX_SLEEP_NS);
    }

    @Test
    void shouldWatchAnewAfterWork()
    {
        member.idle(1);
        slept.sleeps.clear();
        for (int i = 0; i < LOOKS; i++)
        {
            member.idle(i % 10 == 0 ? 1 : 0);
        }
        assertThat(slept.sleeps).isEmpty();
    }

    @Test
    void shouldNapWhileSomebodyOutsideMayGiveItWork()
    {
        member.idle(1);
        slept.sleeps.clear();
        isHurried = true;
        idle(LOOKS);
        assertThat(slept.sleeps).isEmpty();
        assertThat(slept.naps.get(0)).isLessThan(ParkingIdleStrategy.WATCH_NS / 50);
        assertThat(slept.naps).isSorted().endsWith(WakeupGroup.MAX_DOZE_NS);

        isHurried = false;
        idle(LOOKS);
        assertThat(slept.sleeps).isNotEmpty();
    }

    @Test
    void shouldNapInPlaceOfWatchingIfItIsPatient()
    {
        final RecordedSleep patientSlept = new RecordedSleep();
        final IdleStrategy patient = group.joinPatiently(patientSlept, MAX_SLEEP_NS);
        patient.idle(1);
        patient.idle(0);
        patient.idle(0);
        assertThat(patientSlept.naps)
            .containsExactly(ParkingIdleStrategy.PATIENT_NAP_NS, ParkingIdleStrategy.PATIENT_NAP_NS);
        assertThat(patientSlept.sleeps).isEmpty();

        nowNs += ParkingIdleStrategy.WATCH_NS;
        patient.idle(0);
        patient.idle(0);
        assertThat(patientSlept.sleeps).containsExactly(MAX_SLEEP_NS);
    }

    @Test
    void shouldWatchThoughPatientWhileToldToHurry()
    {
        final RecordedSleep patientSlept = new RecordedSleep();
        final IdleStrategy patient = group.joinPatiently(patientSlept, MAX_SLEEP_NS);
        patient.idle(1);
        group.hurry();
        patient.idle(0);
        patient.idle(0);
        assertThat(patientSlept.naps).isEmpty();

        nowNs += WakeupGroup.HURRY_NS;
        patient.idle(1);
        patient.idle(0);
        assertThat(patientSlept.naps).hasSize(1);
    }

    @Test
    void shouldSleepOnWhileNobodyDoesWork()
    {
        slept.naps.clear();
        other.idle(0);
        member.idle(0);
        member.idle(0);

        assertThat(slept.sleeps).hasSize(3);
        assertThat(slept.naps).isEmpty();
        assertThat(slept.wakes).isZero();
    }

    @Test
    void shouldBeWokenOnceByWorkOfAnother()
    {
        other.idle(1);
        other.idle(1);
        assertThat(slept.wakes).isEqualTo(1);

        member.idle(1);
        other.idle(1);
        assertThat(slept.wakes).as("it is awake").isEqualTo(1);
    }

    @Test
    void shouldNotWakeItself()
    {
        member.idle(1);
        assertThat(slept.wakes).isZero();
    }

    @Test
    void shouldLookOnceMoreWhenItIsToldToWakeBeforeItSleeps()
    {
        member.idle(1);
        slept.sleeps.clear();
        for (int i = 0; i < ParkingIdleStrategy.WATCH_NS / LOOK_NS + 1; i++)
        {
            member.idle(0);
        }
        assertThat(slept.sleeps).as("the last look comes first").isEmpty();

        other.idle(1);
        member.idle(0);
        assertThat(slept.sleeps).as("work was announced since").isEmpty();
    }

    @Test
    void shouldBeLeftAloneForLongerEachTimeItIsWokenInVain()
    {
        slept.naps.clear();
        for (int i = 0; i < LOOKS; i++)
        {
            other.idle(1);
            member.idle(0);
        }

        assertThat(slept.naps).isSorted().startsWith(1_000L).endsWith(TimeUnit.MILLISECONDS.toNanos(1));
        slept.naps.clear();
        member.idle(1);
        idleUntilAsleep();
        other.idle(1);
        member.idle(0);
        assertThat(slept.naps).as("work makes it wake soon again").endsWith(1_000L);
    }

    @Test
    void shouldSleepAtOnceAfterWorkThatComesSeldom()
    {
        nowNs += ParkingIdleStrategy.ISOLATING_NS;
        slept.sleeps.clear();
        member.idle(1);
        idle(2);
        assertThat(slept.sleeps).hasSize(1);

        member.idle(1);
        idle(2);
        assertThat(slept.sleeps).as("work that comes again soon").hasSize(1);
    }

    @Test
    void shouldWakeTheGroupWhenOneHasWorkThatTheGroupNeverWakes()
    {
        final IdleStrategy announcer = group.announce(MAX_SLEEP_NS);
        announcer.idle(1);
        assertThat(slept.wakes).isEqualTo(1);
    }

    @Test
    void shouldWakeTheGroupWhenOneAwaitsAnAnswer()
    {
        final IdleStrategy awaiting = group.await();
        awaiting.idle();
        assertThat(slept.wakes).isEqualTo(1);

        member.idle(1);
        idleUntilAsleep();
        awaiting.idle(0);
        assertThat(slept.wakes).isEqualTo(2);
    }

    @Test
    void shouldWakeTheGroupWhenAMemberWaitsInALoopOfAeron()
    {
        other.idle();
        assertThat(slept.wakes).isEqualTo(1);
    }

    @Test
    void shouldNeverSleepLongOutsideOfAGroup()
    {
        final RecordedSleep alone = new RecordedSleep();
        final IdleStrategy loner = new WakeupGroup(() -> nowNs += LOOK_NS).join(alone, WakeupGroup.MAX_DOZE_NS);
        for (int i = 0; i < LOOKS; i++)
        {
            loner.idle(0);
        }

        assertThat(alone.sleeps).isEmpty();
        assertThat(alone.naps).hasSizeGreaterThan(LOOKS / 2);
    }

    @Test
    @Timeout(10)
    void shouldEndTheSleepOfAThread() throws InterruptedException
    {
        final AtomicBoolean isDone = new AtomicBoolean();
        final IdleStrategy sleeper = group.join(MAX_SLEEP_NS);
        final Thread thread = new Thread(() ->
        {
            while (!isDone.get())
            {
                sleeper.idle(0);
            }
        });
        thread.start();
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        while (Thread.State.TIMED_WAITING != thread.getState())
        {
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
        }

        isDone.set(true);
        other.idle(1);
        thread.join();
    }

    private void idle(final int looks)
    {
        for (int i = 0; i < looks; i++)
        {
            member.idle(0);
        }
    }

    private void idleUntilAsleep()
    {
        final int before = slept.sleeps.size();
        for (int i = 0; i < LOOKS && before == slept.sleeps.size(); i++)
        {
            member.idle(0);
        }
        assertThat(slept.sleeps).hasSize(before + 1);
    }

    private static final class RecordedSleep implements Sleep
    {
        final List<Long> naps = new ArrayList<>();
        final List<Long> sleeps = new ArrayList<>();
        int wakes;
        boolean isAsleep;

        @Override
        public void prepare()
        {
        }

        @Override
        public void nap(final long ns)
        {
            naps.add(ns);
        }

        @Override
        public void sleep(final long maxNs)
        {
            sleeps.add(maxNs);
        }

        @Override
        public void isAsleep(final boolean newIsAsleep)
        {
            isAsleep = newIsAsleep;
        }

        @Override
        public boolean isAsleep()
        {
            return isAsleep;
        }

        @Override
        public boolean rouse()
        {
            final boolean wasAsleep = isAsleep;
            isAsleep = false;
            return wasAsleep;
        }

        @Override
        public void wake()
        {
            wakes++;
        }
    }
}
