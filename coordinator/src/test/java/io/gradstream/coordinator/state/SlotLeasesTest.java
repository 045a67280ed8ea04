// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.List;

import io.gradstream.codecs.Consistency;
import io.gradstream.coordinator.client.SlotAnswer;
import io.gradstream.coordinator.client.WorkReport;
import io.gradstream.coordinator.client.WorkSpec;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SlotLeasesTest
{
    private static final long NOW_MS = 1_000_000;

    private final CoordinatorState state = TestNodes.fixed(List.of(List.of(0)));
    private final SlotLeases slots = state.slots();

    @Test
    void shouldGiveTheLowestSlotThatIsFree()
    {
        slots.onHeard(1, 5, NOW_MS);

        assertThat(slots.take(11, NOW_MS)).isEqualTo(new SlotAnswer(11, 0, NOW_MS, Consistency.MAX_SLOTS));
        assertThat(slots.take(12, NOW_MS).slot()).isEqualTo(2);
        assertThat(slots.leave(0, NOW_MS, false)).isTrue();
        assertThat(slots.take(13, NOW_MS)).as("two processes in one millisecond")
            .isEqualTo(new SlotAnswer(13, 0, NOW_MS + 1, Consistency.MAX_SLOTS));
    }

    @Test
    void shouldGiveTheSameSlotWhenARequestIsSentAgain()
    {
        final SlotAnswer first = slots.take(11, NOW_MS);
        assertThat(slots.take(11, NOW_MS + 200)).isEqualTo(first);
        assertThat(slots.take(11, NOW_MS + 2 * SlotLeases.LEASE_MS)).as("nobody has taken it").isEqualTo(first);

        slots.onHeard(0, first.incarnation() + 1, NOW_MS + 300);
        assertThat(slots.take(11, NOW_MS + 400).slot()).as("another process has it").isEqualTo(1);
    }

    @Test
    void shouldGiveASlotAwayOnceItsProcessIsSilentForTooLong()
    {
        bound(1);
        final SlotAnswer first = slots.take(11, NOW_MS);
        slots.onHeard(0, first.incarnation(), NOW_MS + 1_000);
        assertThat(slots.take(12, NOW_MS + SlotLeases.LEASE_MS + 999))
            .isEqualTo(new SlotAnswer(12, SlotAnswer.NONE_FREE, 0, 1));

        final SlotAnswer second = slots.take(12, NOW_MS + SlotLeases.LEASE_MS + 1_000);
        assertThat(second.slot()).isZero();
        assertThat(second.incarnation()).isGreaterThan(first.incarnation());
        assertThat(slots.onHeard(0, first.incarnation(), NOW_MS + 20_000)).as("it was only slow").isFalse();
        assertThat(slots.incarnation(0)).isEqualTo(second.incarnation());
    }

    @Test
    void shouldNameAnIncarnationAboveAllOfTheSlot()
    {
        slots.onHeard(0, 5 * NOW_MS, NOW_MS);
        slots.leave(0, 5 * NOW_MS, false);
        assertThat(slots.take(11, NOW_MS).incarnation()).as("a clock that is ahead").isEqualTo(5 * NOW_MS + 1);

        slots.leave(0, 5 * NOW_MS + 1, false);
        final long named = slots.name(0, NOW_MS);
        assertThat(slots.take(12, NOW_MS).incarnation()).as("for an adopter that is on its way").isGreaterThan(named);
    }

    @Test
    void shouldNotGiveASlotThatHasNoIncarnationLeft()
    {
        slots.onHeard(0, Long.MAX_VALUE, NOW_MS);
        slots.leave(0, Long.MAX_VALUE, false);

        assertThat(slots.take(11, NOW_MS).slot()).isEqualTo(1);
    }

    @Test
    void shouldNotGiveASlotThatHasFinished()
    {
        bound(2);
        slots.leave(0, slots.take(11, NOW_MS).incarnation(), true);
        assertThat(slots.take(12, NOW_MS).slot()).isEqualTo(1);
        assertThat(slots.take(13, NOW_MS).slot()).isEqualTo(SlotAnswer.NONE_FREE);

        slots.onHeard(0, 2 * NOW_MS, NOW_MS);
        slots.leave(0, 2 * NOW_MS, false);
        assertThat(slots.take(13, NOW_MS).slot()).as("it has finished all the same").isEqualTo(SlotAnswer.NONE_FREE);
    }

    @Test
    void shouldGiveFirstTheSlotWhoseProcessDiedWithWork()
    {
        final WorkSpec spec = new WorkSpec(1, 100, 10, 1, true);
        slots.onHeard(0, 5, NOW_MS);
        slots.onHeard(1, 5, NOW_MS);
        state.work().onReport(new WorkReport(1, 5, spec, 0, 0, 10, false), NOW_MS);

        assertThat(slots.take(11, NOW_MS + SlotLeases.LEASE_MS).slot()).isEqualTo(1);
        assertThat(slots.take(12, NOW_MS + SlotLeases.LEASE_MS).slot()).isZero();
    }

    @Test
    void shouldHearTheNewestProcessUntilItHasLeft()
    {
        assertThat(slots.onHeard(3, 7, NOW_MS)).isTrue();
        assertThat(slots.onHeard(3, 6, NOW_MS)).as("an earlier one").isFalse();
        assertThat(slots.leave(3, 6, true)).isFalse();
        assertThat(slots.isHeld(3, NOW_MS)).isTrue();

        assertThat(slots.leave(3, 7, false)).isTrue();
        assertThat(slots.isHeld(3, NOW_MS)).isFalse();
        assertThat(slots.onHeard(3, 7, NOW_MS)).as("what was on its way when it left").isFalse();
        assertThat(slots.leave(3, 7, false)).isFalse();
        assertThat(slots.onHeard(3, 8, NOW_MS)).isTrue();
    }

    @Test
    void shouldHearNobodyWhoCannotBe()
    {
        assertThat(slots.onHeard(-1, 7, NOW_MS)).isFalse();
        assertThat(slots.onHeard(Consistency.MAX_SLOTS, 7, NOW_MS)).isFalse();
        assertThat(slots.onHeard(0, 0, NOW_MS)).isFalse();
        assertThat(new CoordinatorState().slots().onHeard(0, 7, NOW_MS)).as("without a job").isFalse();
        assertThat(slots.onHeard(Consistency.MAX_SLOTS - 1, 7, NOW_MS)).isTrue();
        assertThat(slots.known()).containsExactly(Consistency.MAX_SLOTS - 1);
    }

    @Test
    void shouldGiveAsManySlotsAsThereMayBe()
    {
        for (int slot = 0; slot < Consistency.MAX_SLOTS; slot++)
        {
            assertThat(slots.take(100 + slot, NOW_MS).slot()).isEqualTo(slot);
        }
        assertThat(slots.take(1, NOW_MS).slot()).isEqualTo(SlotAnswer.NONE_FREE);
    }

    @Test
    void shouldGiveEachProcessItsWholeTimeUnderANewLeader()
    {
        bound(1);
        slots.take(11, NOW_MS);
        state.onNewLeader(NOW_MS + SlotLeases.LEASE_MS);
        assertThat(slots.take(12, NOW_MS + 2 * SlotLeases.LEASE_MS - 1).slot()).isEqualTo(SlotAnswer.NONE_FREE);

        state.onNewLeader(NOW_MS - 5_000);
        assertThat(slots.take(12, NOW_MS + 4_999).slot()).as("a clock that is behind").isEqualTo(SlotAnswer.NONE_FREE);
        assertThat(slots.take(12, NOW_MS + 5_000).slot()).isZero();
    }

    private void bound(final int count)
    {
        state.jobs.first().spec = state.job().with(new Consistency(count, 2));
    }
}
