// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.client;

import io.gradstream.codecs.coordinator.StatusDecoder;

import java.util.ArrayList;
import java.util.List;

/**
 * The facts that the coordinator knows of slots, and how far the newest work of the cluster is.
 *
 * @param workId         its id, 0 if there was none.
 * @param batchesTotal   of all passes.
 * @param batchesDone    by all slots, at every partition.
 * @param batchesDropped that slots have left undone and no other one does.
 * @param batchesLeftOut of which partitions may lack parts, since their process has died or was fenced. In the end
 *                       these three are all batches.
 * @param unitsReissued  units, and parts of them, that were given again.
 * @param slotsAdopted   how often the work of a slot was taken away from its process.
 * @param slots          for which a process was ever heard, in order.
 */
public record WorkStatus(
    long workId,
    long batchesTotal,
    long batchesDone,
    long batchesDropped,
    long batchesLeftOut,
    long unitsReissued,
    long slotsAdopted,
    List<Slot> slots)
{
    /**
     * One slot of workers.
     *
     * @param slot        its number.
     * @param incarnation newest process that was heard in it.
     * @param heardMs     milliseconds since that process was last heard.
     * @param openBatches that the slot has been given and has not done.
     * @param isHeld      true if the process has not left, and was heard of late.
     */
    public record Slot(int slot, long incarnation, long heardMs, int openBatches, boolean isHeld)
    {
    }

    /** Read from a message of which {@link CoordinatorStatus#of} has read the rest. */
    static WorkStatus of(final StatusDecoder decoder)
    {
        final List<Slot> slots = new ArrayList<>();
        for (final StatusDecoder.SlotsDecoder slot : decoder.slots())
        {
            slots.add(new Slot(
                slot.slot(), slot.incarnation(), slot.heardMs(), slot.openBatches(), 0 != slot.isHeld()));
        }

        return new WorkStatus(decoder.workId(), decoder.batchesTotal(), decoder.batchesDone(),
            decoder.batchesDropped(), decoder.batchesLeftOut(), decoder.unitsReissued(), decoder.slotsAdopted(), slots);
    }
}
