// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.client;

import java.util.List;

/**
 * The answer of the coordinators to a report of work: what the slot has been given and has not done. The batch at
 * clock c of the slot is number c - {@code floorClock} of the pieces, laid end to end.
 *
 * @param slot             that reported.
 * @param incarnation      newest process of the slot that the coordinators have heard. A process with a lower one is
 *                         fenced, or will be; the pieces are not for it.
 * @param asked            work that the report was about. An answer may come late, when its process does another one.
 * @param work             under way in the cluster, or the last one. Unless it is the work that was asked for, or
 *                         {@code isOver}, another work is not over yet.
 * @param floorClock       clock of the slot at which the pieces begin; all batches before are known to be done.
 * @param isOver           true if the slot gets no more of the work that it asked for.
 * @param isReplaced       true if {@code work} began before the work that was asked for was over: nobody does the rest
 *                         of that one. {@code isOver} then, too.
 * @param hasLeft          true if this process has left the work, and the coordinators have taken that.
 * @param batchesDone      of the work, by all slots.
 * @param adopt            slot whose work is to be taken away from its process, or {@link #NO_SLOT}.
 * @param adoptIncarnation with which to connect in that slot.
 * @param pieces           in the order of the slot's clocks.
 */
public record WorkAnswer(
    int slot,
    long incarnation,
    WorkSpec asked,
    WorkSpec work,
    long floorClock,
    boolean isOver,
    boolean isReplaced,
    boolean hasLeft,
    long batchesDone,
    int adopt,
    long adoptIncarnation,
    List<WorkPiece> pieces)
{
    /** No slot is to be adopted. */
    public static final int NO_SLOT = -1;

    /** The id of the work that is under way in the cluster, or was last. */
    public long workId()
    {
        return work.workId();
    }

    /** The number of batches of that work. */
    public long batchesTotal()
    {
        return work.batches();
    }
}
