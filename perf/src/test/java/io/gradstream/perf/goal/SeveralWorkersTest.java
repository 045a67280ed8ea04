// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.gradstream.perf.measure.Transceiver;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class SeveralWorkersTest
{
    private final Worker first = new Worker();
    private final Worker second = new Worker();
    private final SeveralWorkers both = new SeveralWorkers(List.of(first, second));

    @Test
    void shouldGiveEachItsTurnWhenTransfersStart()
    {
        assertThat(both.tryStart()).isTrue();
        assertThat(both.tryStart()).isTrue();
        assertThat(both.tryStart()).isTrue();

        assertThat(first.started).isEqualTo(2);
        assertThat(second.started).isEqualTo(1);
    }

    @Test
    void shouldWaitForTheOneThatHasNoRoomWhenItIsItsTurn()
    {
        first.hasRoom = false;

        assertThat(both.tryStart()).isFalse();
        assertThat(both.tryStart()).isFalse();
        assertThat(second.started).isZero();

        first.hasRoom = true;
        assertThat(both.tryStart()).isTrue();
        assertThat(first.started).isEqualTo(1);
    }

    @Test
    void shouldPollAndCountAllWhenPolled()
    {
        both.tryStart();
        both.tryStart();

        assertThat(both.poll()).isEqualTo(2);
        assertThat(both.completed()).isEqualTo(2);
        assertThat(both.transferBytes()).isEqualTo(Worker.BYTES);
    }

    private static final class Worker implements Transceiver
    {
        private static final int BYTES = 8;

        private boolean hasRoom = true;
        private int started;
        private int completed;

        @Override
        public boolean tryStart()
        {
            started += hasRoom ? 1 : 0;
            return hasRoom;
        }

        @Override
        public int poll()
        {
            final int workCount = started - completed;
            completed = started;
            return workCount;
        }

        @Override
        public long completed()
        {
            return completed;
        }

        @Override
        public long transferBytes()
        {
            return BYTES;
        }
    }
}
