// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.util.Arrays;
import java.util.List;

import io.gradstream.launcher.kills.ResizeOrder.Change;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ResizeQueueTest
{
    private static final int COPIES = 2;
    private static final long SINCE_MS = 3_000;
    private static final KillTime NOW = new KillTime(0, 0);

    private final ResizeOrder drain = ResizeOrder.parseDrain("3s");
    private final ResizeOrder late = ResizeOrder.parseDrain("90%");
    private final ResizeOrder add = ResizeOrder.parseAdd("3s");
    private final ResizeOrder drawn = new ResizeOrder(Change.DRAIN_AND_RETURN, 2, NOW);

    @Test
    void shouldBeginWhatIsDueInOrder()
    {
        final ResizeQueue queue = queue(late, add, drain);

        assertThat(queue.next(with(3), SINCE_MS - 1)).isNull();
        assertThat(queue.next(with(3), SINCE_MS)).isEqualTo(add);
        assertThat(queue.next(with(3), SINCE_MS)).isEqualTo(drain);
        assertThat(queue.next(with(3), SINCE_MS)).isNull();
        assertThat(queue.isEmpty()).as("one is not due").isFalse();
    }

    @Test
    void shouldLetADrainWaitForAServerThatIsToBeAdded()
    {
        final ResizeQueue queue = queue(drain, ResizeOrder.parseAdd("5s"));

        assertThat(queue.next(with(COPIES), SINCE_MS)).isNull();
        assertThat(queue.nextImpossible(with(COPIES), SINCE_MS)).isNull();
        assertThat(queue.next(with(COPIES), 5_000)).isEqualTo(ResizeOrder.parseAdd("5s"));
        assertThat(queue.next(with(COPIES + 1), 5_000)).isEqualTo(drain);
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void shouldDropADrainThatCanNeverBegin()
    {
        final ResizeQueue queue = queue(drain, late, ResizeOrder.parseAddWorker("9s"));

        assertThat(queue.nextImpossible(with(COPIES + 1), SINCE_MS)).as("it can").isNull();
        assertThat(queue.next(with(COPIES), SINCE_MS)).isNull();
        assertThat(queue.nextImpossible(with(COPIES), SINCE_MS)).isEqualTo(drain);
        assertThat(queue.nextImpossible(with(COPIES), SINCE_MS)).as("the other one is not due").isNull();
        queue.addNoWorkers();
        assertThat(queue.isEmpty()).isFalse();
        assertThat(queue.nextImpossible(atEndWith(COPIES), SINCE_MS)).isEqualTo(late);
        assertThat(queue.isEmpty()).isTrue();
    }

    /** A drain that the user asked for, and that is due at once, too, would take the server that this one needs. */
    @Test
    void shouldBeginADrawnDrainBeforeAllOthers()
    {
        final ResizeQueue queue = queue(drain);
        assertThat(queue.canDrain(with(COPIES))).isFalse();
        assertThat(queue.canDrain(with(COPIES + 1))).isTrue();
        queue.addFirst(drawn);

        assertThat(queue.next(with(COPIES + 1), SINCE_MS)).isEqualTo(drawn);
        assertThat(queue.next(with(COPIES + 1), SINCE_MS)).isEqualTo(drain);
    }

    private static ResizeQueue queue(final ResizeOrder... orders)
    {
        return new ResizeQueue(Arrays.asList(orders), COPIES);
    }

    private static Moment with(final int servers)
    {
        return moment(servers, false);
    }

    private static Moment atEndWith(final int servers)
    {
        return moment(servers, true);
    }

    private static Moment moment(final int servers, final boolean isAllHeld)
    {
        return new Moment(
            0, 0.5, isAllHeld, List.of(), List.of(0, 1, 2).subList(0, servers), 1, true, true, true, 0, 0);
    }
}
