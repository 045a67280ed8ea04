// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import io.gradstream.launcher.Audit.Sums;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AuditTest
{
    private static final long HASH = 0x9E3779B97F4A7C15L;

    private final Audit audit = new Audit();

    @Test
    void shouldFindNothingWhenSumsAreEqual()
    {
        audit.add("slot 0 at partition 0", upTo(100), upTo(100));
        audit.add("slot 0 at partition 0", Sums.ZERO, Sums.ZERO);

        assertCounts(100, 100, 0, 0);
        assertThat(audit.differences()).isEmpty();
    }

    @Test
    void shouldCountOneLost()
    {
        audit.add("slot 0 at partition 0", upTo(100), changed(100, -1, 37));

        assertCounts(100, 99, 1, 0);
        assertThat(audit.differences()).hasSize(1);
    }

    @Test
    void shouldCountOneDoubled()
    {
        audit.add("slot 0 at partition 0", upTo(100), changed(100, 1, 37));

        assertCounts(100, 101, 0, 1);
    }

    @Test
    void shouldSeeOneLostAndAnotherDoubledWhenCountsAreEqual()
    {
        final Sums lost = changed(100, -1, 37);
        audit.add("slot 0 at partition 0", upTo(100),
            new Sums(100, lost.sum() + 38, lost.squares() + 38 * 38, lost.content()));

        assertCounts(100, 100, 1, 1);
    }

    @Test
    void shouldSeeTwoLostAndOneDoubledBehindACountOfOne()
    {
        final Sums lost = changed(100, -1, 10);
        audit.add("slot 0 at partition 0", upTo(100),
            new Sums(99, lost.sum() - 20 + 5, lost.squares() - 400 + 25, lost.content()));

        assertCounts(100, 99, 2, 1);
    }

    @Test
    void shouldSeeADifferenceInSquaresAlone()
    {
        final Sums sent = upTo(100);
        audit.add("slot 0 at partition 0", sent,
            new Sums(sent.count(), sent.sum(), sent.squares() + 2, sent.content()));

        assertCounts(100, 100, 1, 1);
    }

    @Test
    void shouldCountAllLostWhenNothingWasApplied()
    {
        audit.add("slot 0 at partition 0", upTo(5), Sums.ZERO);

        assertCounts(5, 0, 5, 0);
    }

    @Test
    void shouldSeeAnotherPushUnderTheSameSequence()
    {
        final Sums sent = upTo(100);
        audit.add("slot 0 at partition 0", sent,
            new Sums(sent.count(), sent.sum(), sent.squares(), sent.content() + 1));

        assertCounts(100, 100, 0, 0);
        assertThat(audit.altered()).isEqualTo(1);
        assertThat(audit.differences()).hasSize(1);
    }

    private void assertCounts(final long sent, final long applied, final long lost, final long doubled)
    {
        assertThat(new long[]{audit.sent(), audit.applied(), audit.lost(), audit.doubled()})
            .containsExactly(sent, applied, lost, doubled);
    }

    private static Sums upTo(final long count)
    {
        return Sums.upTo(count, count * HASH);
    }

    private static Sums changed(final long count, final int by, final long sequence)
    {
        final Sums sums = upTo(count);
        return new Sums(count + by, sums.sum() + by * sequence, sums.squares() + by * sequence * sequence,
            sums.content() + by * HASH);
    }

    @Test
    void shouldCompareASlotThatAnotherProcessHasTakenOver()
    {
        // sequences 1, 3 and 5 of the process before, 7 and 8 of this one
        final Audit.Sums own = new Audit.Sums(2, 15, 49 + 64, 9);
        final Audit.Sums applied = new Audit.Sums(5, 15 + 9, 49 + 64 + 35, 100);
        final Audit sound = new Audit();
        sound.addTakenOver("slot 0", own, 3, 6, applied);
        assertThat(sound.differences()).isEmpty();
        assertThat(List.of(sound.sent(), sound.applied(), sound.lost(), sound.doubled()))
            .containsExactly(5L, 5L, 0L, 0L);

        final Audit lost = new Audit();
        lost.addTakenOver("slot 0", own, 4, 6, applied);
        assertThat(List.of(lost.sent(), lost.lost(), lost.doubled())).containsExactly(6L, 1L, 0L);

        final Audit doubled = new Audit();
        doubled.addTakenOver("slot 0", own, 2, 6, applied);
        assertThat(List.of(doubled.sent(), doubled.lost(), doubled.doubled())).containsExactly(4L, 0L, 1L);
    }

    @Test
    void shouldNotTakeImpossibleSumsForThoseOfTheProcessBefore()
    {
        final Audit.Sums own = new Audit.Sums(1, 7, 49, 0);
        final Audit audit = new Audit();

        audit.addTakenOver("more than its sequences", own, -1, 2, new Audit.Sums(4, 7 + 6, 49 + 14, 0));
        audit.addTakenOver("one of its own in place of one before", own, 1, 6, new Audit.Sums(2, 8, 60, 0));

        assertThat(audit.differences()).hasSize(2);
        assertThat(audit.unknown()).isEqualTo(1);
        assertThat(audit.lost()).isEqualTo(2);
        assertThat(audit.doubled()).isEqualTo(2);
    }
}
