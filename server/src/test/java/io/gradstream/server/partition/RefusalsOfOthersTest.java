// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.PartitionFunction;
import io.gradstream.server.table.InMemoryRowStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Workers that are gone have left all the refusals that a partition remembers.
 */
class RefusalsOfOthersTest
{
    @Test
    void shouldLeaveEachSlotAShareWhateverSlotsThatAreGoneHaveLeft()
    {
        final PartitionState state = new PartitionState(
            0, new PartitionFunction(1), (number, spec, rowLength) -> new InMemoryRowStore(rowLength, 1));
        for (int slot = 0; slot < 64; slot++)
        {
            for (long sequence = 1; sequence <= 16 * 1024; sequence++)
            {
                state.slotOrNew(slot).refuse(sequence, 5);
            }
        }
        state.slotOrNew(64);
        for (int sequence = 1; sequence <= Slot.LEAST_REFUSALS; sequence++)
        {
            assertThat(state.hasRoomForRefusal(64, 0)).as("sequence=%d", sequence).isTrue();
            state.slot(64).refuse(sequence, 5);
        }
        assertThat(state.hasRoomForRefusal(64, 0)).as("above its share").isFalse();
        assertThat(state.hasRoomForRefusal(64, Slot.LEAST_REFUSALS)).as("its worker knows all").isTrue();
    }
}
