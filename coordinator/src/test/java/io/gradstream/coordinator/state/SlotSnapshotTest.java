// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.ArrayList;
import java.util.List;

import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.coordinator.client.WorkAnswer;
import io.gradstream.coordinator.client.WorkReport;
import io.gradstream.coordinator.client.WorkSpec;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SlotSnapshotTest
{
    private static final long NOW_MS = 1_000_000;

    private final CoordinatorState state = TestNodes.fixed(List.of(List.of(0)));
    private final WorkSpec spec = new WorkSpec(3, 1 << 20, 2, 1, true);

    @Test
    void shouldGoOnWithSlotsAndTheirWork()
    {
        report(0, 5, 7, 7, 9, false, NOW_MS);
        report(0, 5, 12, 11, 9, false, NOW_MS + 700);
        report(1, 6, 0, 0, 4, false, NOW_MS + 800);
        report(1, 6, 1, 1, 4, true, NOW_MS + 900);
        state.slots().leave(1, 6, false);
        state.slots().take(42, NOW_MS + 1_000);
        state.slots().leave(0, 5, true);
        state.slots().name(3, NOW_MS + 2_000);
        state.work().batchesDropped = 1;
        state.work().batchesLeftOut = 4;
        state.work().slotsAdopted = 2;
        final SlotWork work = state.work().slots.get(1);
        work.adopter = 2;
        work.adoptMs = NOW_MS;
        work.adoptIncarnation = NOW_MS + 9;

        final CoordinatorState read = restored();
        assertThat(read.work()).usingRecursiveComparison().ignoringFields("state").isEqualTo(state.work());
        assertThat(read.slots()).usingRecursiveComparison().ignoringFields("state").isEqualTo(state.slots());
        assertThat(read.slots().take(42, NOW_MS + 3_000)).isEqualTo(state.slots().take(42, NOW_MS + 3_000));
        assertThat(read.work().durations.usualMs(9)).isPositive().isEqualTo(state.work().durations.usualMs(9));
        assertThat(read.work().endedMs).isEqualTo(NOW_MS + 700);
    }

    @Test
    void shouldKeepAllPiecesThatAreToBeGivenAgain()
    {
        for (int slot = 0; slot < 200; slot++)
        {
            report(slot, 1, 0, 0, Integer.MAX_VALUE, false, NOW_MS);
        }
        for (int slot = 0; slot < 200; slot++)
        {
            report(slot, 1, 0, 0, 0, true, NOW_MS);
        }
        assertThat(state.work().again).hasSizeGreaterThan(3 * SlotSnapshot.MAX_PIECES);
        final List<Integer> lengths = new ArrayList<>();
        SlotSnapshot.encode(state, new ExpandableArrayBuffer(),
            new MessageHeaderEncoder(),
            (buffer, offset, length) -> lengths.add(length));
        assertThat(lengths).allMatch((length) -> length <= 128 * 1024 - 64);

        assertThat(new ArrayList<>(restored().work().again)).isEqualTo(new ArrayList<>(state.work().again));
    }

    private WorkAnswer report(
        final int slot,
        final long incarnation,
        final long clock,
        final long ackedClock,
        final int wanted,
        final boolean isLeaving,
        final long nowMs)
    {
        return state.work().onReport(
            new WorkReport(slot, incarnation, spec, clock, ackedClock, wanted, isLeaving), nowMs);
    }

    private CoordinatorState restored()
    {
        final CoordinatorSnapshot snapshot = new CoordinatorSnapshot();
        CoordinatorSnapshot.write(state, snapshot::onMessage);

        return snapshot.state();
    }
}
