// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.client;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WorkSpecTest
{
    @Test
    void shouldCutEachPassIntoUnitsOfWhichTheLastIsShorter()
    {
        final WorkSpec spec = new WorkSpec(1, 10, 4, 3, true);
        assertThat(spec.unitsPerPass()).isEqualTo(3);
        assertThat(spec.units()).isEqualTo(9);
        assertThat(spec.batches()).isEqualTo(30);
        long batches = 0;
        for (long unit = 0; unit < spec.units(); unit++)
        {
            assertThat(spec.passOf(unit) * spec.batchesPerPass() + spec.firstBatchOf(unit)).isEqualTo(batches);
            batches += spec.lengthOf(unit);
        }
        assertThat(batches).isEqualTo(spec.batches());
        assertThat(spec.lengthOf(5)).isEqualTo(2);
        assertThat(new WorkSpec(1, 3, 4, 1, true).lengthOf(0)).as("a unit longer than a pass").isEqualTo(3);
    }

    @Test
    void shouldBeAsLargeAsItMay()
    {
        final WorkSpec one = new WorkSpec(Long.MAX_VALUE, WorkSpec.MAX_BATCHES, 1, 1, false);
        assertThat(one.lengthOf(one.units() - 1)).isEqualTo(1);
        final WorkSpec many = new WorkSpec(1, WorkSpec.MAX_BATCHES / 4, WorkSpec.MAX_UNIT_BATCHES, 4, false);
        assertThat(many.batches()).isEqualTo(WorkSpec.MAX_BATCHES);
        assertThat(many.passOf(many.units() - 1)).isEqualTo(3);
    }

    @Test
    void shouldSayWhatDiffers()
    {
        final WorkSpec spec = new WorkSpec(1, 10, 4, 3, true);
        assertThat(spec.difference(new WorkSpec(2, 10, 4, 3, true))).isEqualTo("the same units");
        assertThat(spec.difference(new WorkSpec(1, 10, 8, 3, true))).isEqualTo("units of 4 batches instead of 8");
        assertThat(spec.difference(new WorkSpec(1, 20, 4, 1, false)))
            .isEqualTo("10 batches a pass instead of 20, 3 passes instead of 1, what a slot leaves undone given to" +
                " others");
    }

    @Test
    void shouldRefuseWhatIsNoWork()
    {
        assertThatThrownBy(() -> new WorkSpec(0, 1, 1, 1, true)).hasMessageContaining("invalid workId=0");
        assertThatThrownBy(() -> new WorkSpec(1, 0, 1, 1, true)).hasMessageContaining("invalid batchesPerPass=0");
        assertThatThrownBy(() -> new WorkSpec(1, WorkSpec.MAX_BATCHES + 1, 1, 1, true))
            .hasMessageContaining("invalid batchesPerPass=" + (WorkSpec.MAX_BATCHES + 1));
        assertThatThrownBy(() -> new WorkSpec(1, 1, 0, 1, true)).hasMessageContaining("invalid unitBatches=0");
        assertThatThrownBy(() -> new WorkSpec(1, 1, WorkSpec.MAX_UNIT_BATCHES + 1, 1, true))
            .hasMessageContaining("unitBatches");
        assertThatThrownBy(() -> new WorkSpec(1, WorkSpec.MAX_BATCHES / 2, 1, 3, true))
            .hasMessageContaining("invalid passes=3: must be 1..2");
    }
}
