// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.SlotRole;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SlotTest
{
    private final Slot slot = new Slot(0);

    @Test
    void shouldNotCallSafeWhatTheNextMemberLacksWhenItsHeadTakesOffice()
    {
        slot.apply(1, 0, 1, 100);
        slot.apply(2, 0, 1, 200);
        slot.onEpochStart(250);

        slot.onPositions(100, 250, 0);
        assertThat(slot.replicated).isZero();
        assertThat(slot.recorded).isEqualTo(2);

        slot.onPositions(250, 250, 0);
        assertThat(slot.replicated).isEqualTo(2);
    }

    @Test
    void shouldTakePartsWhileWhatWasBeforeOfficeIsNotSafeYet()
    {
        for (int i = 1; i <= 2 * Slot.MAX_UNRECORDED; i++)
        {
            slot.apply(i, 0, 1, i);
        }
        slot.onEpochStart(1_000_000);
        assertThat(slot.hasRoomBehind(0)).isTrue();

        slot.apply(slot.last + 1, 0, 1, 1_000_100);
        slot.onPositions(1_000_050, 1_000_100, 0);
        assertThat(slot.replicated).isEqualTo(2L * Slot.MAX_UNRECORDED);
        assertThat(slot.recorded).isEqualTo(slot.last);
    }

    @Test
    void shouldNotTakeWhatTheHolderKnowsForWhatItsBackupKnows()
    {
        final Slot slot = new Slot(0);
        slot.take(4, SlotRole.backedUp(1), 64);
        slot.take(7, SlotRole.backup(1), 128);
        assertThat(slot.onOutcomesKnown(4, 10)).isTrue();
        assertThat(slot.knownThrough(7)).isZero();
        assertThat(slot.knownThrough(4)).isEqualTo(10);
    }

    @Test
    void shouldHaveGoneOnWhereItJumpsBehindItsEnd()
    {
        final Slot slot = new Slot(0);
        slot.apply(1, 0, 1, 64);
        slot.clock = Consistency.FINISHED;
        slot.jump(2, 5, 1, 128);
        assertThat(slot.hasGoneOn).isTrue();
    }
}
