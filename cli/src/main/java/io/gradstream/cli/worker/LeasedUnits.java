// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import io.gradstream.codecs.Consistency;
import io.gradstream.coordinator.client.WorkSpec;
import io.gradstream.launcher.process.StatusLine;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Units;
import io.gradstream.worker.work.WorkUnit;

/** The units of all batches that the coordinators give to this slot. */
final class LeasedUnits implements WorkSource
{
    /** Field with the batches of the work that all slots together have done. */
    static final String WORK_DONE = "workDone";
    /** Field with the batches of the work. */
    static final String WORK_TOTAL = "workTotal";

    private final GradstreamClient client;
    private final Units units;
    private final WorkSpec work;
    private final long share;
    private final boolean isAgain;
    private final boolean isAdopting;
    private final boolean isLeaving;
    private boolean isBounded;
    /** Batches of this slot before the stretch under way. */
    private long doneBefore;
    private int given;

    /**
     * Units of which none is given yet; null in place of them if the slot has finished.
     *
     * @param share      of the batches that would be this slot's if all slots were as fast.
     * @param isAgain    true if batches that earlier processes of the slot have done are of this work.
     * @param isAdopting false where workers are held back on purpose, and are not slow.
     * @param isLeaving  true if the slot is left to the next process in the end. A slot that finishes is used up.
     */
    LeasedUnits(
        final GradstreamClient client,
        final Units units,
        final WorkSpec work,
        final long share,
        final boolean isAgain,
        final boolean isAdopting,
        final boolean isLeaving)
    {
        this.client = client;
        this.units = units;
        this.work = work;
        this.share = share;
        this.isAgain = isAgain;
        this.isAdopting = isAdopting;
        this.isLeaving = isLeaving;
    }

    /** Set whether a staleness bound keeps slots from being far ahead of another one. */
    LeasedUnits bounded(final boolean isBoundedNow)
    {
        isBounded = isBoundedNow;
        return this;
    }

    @Override
    public long begin()
    {
        if (null == units)
        {
            System.err.println("slot " + client.slot() + " has finished in this job: there is nothing left to train");
        }

        doneBefore = !isAgain ? 0 : Consistency.FINISHED == client.clocksDone() ? share : client.clocksDone();

        return doneBefore;
    }

    @Override
    public Stretch next()
    {
        // a work that is over because another one has replaced it is an error, which this throws
        final WorkUnit unit = null == units ? null : units.tryNext();
        if (null != unit)
        {
            doneBefore += given;
            given = unit.batches();
            return new Stretch(unit.pass(), (int)unit.firstBatch(), (int)unit.firstBatch() + unit.batches());
        }
        if (isAdopting && null != units)
        {
            units.adopt();
        }

        return null;
    }

    @Override
    public void end()
    {
        if (isLeaving)
        {
            units.leave();
        }
        else
        {
            client.finish();
        }
    }

    @Override
    public boolean hasBegun()
    {
        return null == units || units.batchesDone() > 0;
    }

    @Override
    public boolean isOver()
    {
        return null == units || units.isOver();
    }

    @Override
    public int skip(final Stretch stretch, final int batch)
    {
        return batch;
    }

    /**
     * The slot that is given the last batches of the work holds them back; the others have none meanwhile. Under a
     * staleness bound the others might wait for that slot with batches of their own: each slot holds back those of its
     * share.
     */
    @Override
    public long left(final Stretch stretch, final int batch)
    {
        return isBounded ? share - doneBefore - (batch - stretch.first()) :
            work.batches() - stretch.pass() * work.batchesPerPass() - batch;
    }

    @Override
    public long planned()
    {
        return share;
    }

    @Override
    public StatusLine describe(final StatusLine line)
    {
        return null == units ? line :
            line.with(WORK_DONE, units.batchesDone()).with(WORK_TOTAL, units.batchesTotal());
    }
}
