// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.coordinator.client.WorkSpec;
import io.gradstream.coordinator.client.WorkStatus;
import io.gradstream.worker.aeron.ClusterChannel;
import io.gradstream.worker.aeron.DriverConnection;
import io.gradstream.worker.aeron.OwnAddress;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * Counts of the work that workers divided as they went, with {@code --units}; the names are those of the JSON.
 *
 * @param unitsTotal     of all passes.
 * @param unitsReissued  units, and parts of them, that the coordinators have given again.
 * @param unitsDoubled   by which the slots' clocks exceed the batches, rounded up; 0 if no batch was done twice.
 * @param batchesTotal   of all passes.
 * @param batchesDone    that the coordinators know to be done, at every partition.
 * @param batchesDropped that no slot does any more.
 * @param batchesLeftOut of which partitions may lack parts. In the end these three are all batches.
 * @param batchesCounted by the clocks of all slots, with those that a process has ended as it has found them.
 * @param slotsAdopted   how often the work of a slot was taken away from its process.
 */
record WorkCounts(
    long unitsTotal,
    long unitsReissued,
    long unitsDoubled,
    long batchesTotal,
    long batchesDone,
    long batchesDropped,
    long batchesLeftOut,
    long batchesCounted,
    long slotsAdopted)
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    /**
     * As the coordinators and the slots count.
     *
     * @param counted by the clocks of all slots.
     */
    static WorkCounts of(final WorkSpec work, final WorkStatus status, final long counted)
    {
        return new WorkCounts(work.units(), status.unitsReissued(),
            (Math.max(0, counted - work.batches()) + work.unitBatches() - 1) / work.unitBatches(), work.batches(),
            status.batchesDone(), status.batchesDropped(), status.batchesLeftOut(), counted, status.slotsAdopted());
    }

    /**
     * Ask the coordinators how far the work is.
     *
     * @param aeronDirectory of a running media driver.
     * @param coordinators   host:port by member id.
     * @throws IllegalStateException if they do not answer in time.
     */
    static WorkStatus ask(final String aeronDirectory, final List<String> coordinators)
    {
        try (DriverConnection driver = DriverConnection.open(aeronDirectory, (ex) -> {});
            CoordinatorLink link = ClusterChannel.link(
                driver, coordinators, OwnAddress.facing(coordinators), (ex) -> {}))
        {
            final IdleStrategy idle = new BackoffIdleStrategy();
            final long beganNs = System.nanoTime();
            long askedNs = beganNs - CoordinatorLink.RETRY_NS;
            while (null == link.pollWorkStatus())
            {
                final long nowNs = System.nanoTime();
                if (nowNs - beganNs > TIMEOUT_NS)
                {
                    throw new IllegalStateException("the coordinators do not say how much of the work is done: " +
                        link);
                }
                if (nowNs - askedNs >= CoordinatorLink.RETRY_NS && link.requestStatus())
                {
                    askedNs = nowNs;
                }
                idle.idle(driver.poll() + link.doWork(nowNs));
            }

            return link.pollWorkStatus();
        }
    }

    /** The counts for a person. */
    String text(final int unitBatches)
    {
        return unitsTotal + " units of at most " + unitBatches + " batches: " + batchesDone + " of " + batchesTotal +
            " batches done, " + unitsReissued + " units given again, " + unitsDoubled + " done twice" +
            (batchesDropped > 0 ? ", " + batchesDropped + " batches left undone" : "") +
            (batchesLeftOut > 0 ? ", " + batchesLeftOut + " left out, of which partitions may lack parts" : "");
    }
}
