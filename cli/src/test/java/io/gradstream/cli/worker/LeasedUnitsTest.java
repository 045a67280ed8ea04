// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import io.gradstream.coordinator.client.WorkSpec;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which batches are the last ones, which may be held back. */
class LeasedUnitsTest
{
    private static final WorkSpec WORK = new WorkSpec(1, 10, 4, 3, true);
    private static final long SHARE = 15;

    @Test
    void shouldCountWhatIsLeftOfTheWholeWorkWhoeverDoesIt()
    {
        assertThat(units().left(new WorkSource.Stretch(0, 0, 4), 0)).isEqualTo(30);
        assertThat(units().left(new WorkSource.Stretch(1, 4, 8), 6)).isEqualTo(14);
        assertThat(units().left(new WorkSource.Stretch(2, 8, 10), 9)).isEqualTo(1);
    }

    @Test
    void shouldCountWhatIsLeftOfTheShareUnderABoundSinceOthersMayWaitForThisSlot()
    {
        assertThat(units().bounded(true).left(new WorkSource.Stretch(2, 8, 10), 9)).isEqualTo(SHARE - 1);
    }

    private static LeasedUnits units()
    {
        return new LeasedUnits(null, null, WORK, SHARE, false, true, false);
    }
}
