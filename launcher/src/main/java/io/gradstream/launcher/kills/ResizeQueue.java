// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.util.ArrayList;
import java.util.List;

import io.gradstream.launcher.kills.ResizeOrder.Change;

/**
 * The changes of servers and workers that have not begun, and which of them may begin while nothing else changes. Pure.
 */
final class ResizeQueue
{
    private final int copies;
    private final List<ResizeOrder> pending;

    /**
     * A queue of changes that a user asks for.
     *
     * @param orders in the order in which those begin that are due together.
     * @param copies wanted of each partition, so that fewer servers must not be left.
     */
    ResizeQueue(final List<ResizeOrder> orders, final int copies)
    {
        this.copies = copies;
        pending = new ArrayList<>(orders);
    }

    /** Add a change that was drawn. It begins before all others, which might take the server that it needs. */
    void addFirst(final ResizeOrder order)
    {
        pending.add(0, order);
    }

    boolean isEmpty()
    {
        return pending.isEmpty();
    }

    /** Drop the orders of workers that were not started yet. */
    void addNoWorkers()
    {
        pending.removeIf((order) -> Change.ADD_WORKER == order.change());
    }

    /** True if a server can be done without. */
    boolean canDrain(final Moment moment)
    {
        return moment.servers().size() > copies;
    }

    /**
     * The change that begins now, which is no longer in the queue then.
     *
     * @param sinceBeganMs since training began.
     * @return null if there is none.
     */
    ResizeOrder next(final Moment moment, final long sinceBeganMs)
    {
        final ResizeOrder next = pending.stream()
            .filter((order) -> isDue(order, moment, sinceBeganMs) && (!isDrain(order) || canDrain(moment)))
            .findFirst().orElse(null);
        pending.remove(next);

        return next;
    }

    /**
     * A drain that is due and can never begin, since no server can be done without and none is to be added. It is no
     * longer in the queue then: whoever waited for it would wait for ever.
     *
     * @param sinceBeganMs since training began.
     * @return null if there is none.
     */
    ResizeOrder nextImpossible(final Moment moment, final long sinceBeganMs)
    {
        if (canDrain(moment) || pending.stream().anyMatch((order) -> Change.ADD == order.change()))
        {
            return null;
        }
        final ResizeOrder next = pending.stream()
            .filter((order) -> isDue(order, moment, sinceBeganMs) && isDrain(order)).findFirst().orElse(null);
        pending.remove(next);

        return next;
    }

    private static boolean isDue(final ResizeOrder order, final Moment moment, final long sinceBeganMs)
    {
        return order.when().isDue(sinceBeganMs, moment.shareDone(), moment.isAllHeld());
    }

    private static boolean isDrain(final ResizeOrder order)
    {
        return switch (order.change())
        {
            case ADD, ADD_WORKER -> false;
            case DRAIN, DRAIN_AND_RETURN -> true;
        };
    }
}
