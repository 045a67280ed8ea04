// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import io.gradstream.codecs.Consistency;
import io.gradstream.worker.GradstreamClient;

/** All batches of this slot's own part of the data, pass by pass, from where the slot stands. */
final class OwnShare implements WorkSource
{
    private final GradstreamClient client;
    private final int slot;
    private final int ofPass;
    private final int passes;
    private final long beginAt;
    private final boolean isBegunTwice;
    private long resumedBehind;
    private int pass;

    /**
     * A share of which nothing is done.
     *
     * @param ofPass       batches in each pass.
     * @param beginAt      batches that runs before this one have trained on; clocks count from there.
     * @param isBegunTwice true if a part of the next batch may have been pushed already. Each push of a job that is not
     *                     sequential counts by itself: if the batch were pushed again, the partitions that have their
     *                     part of it would have it twice.
     */
    OwnShare(
        final GradstreamClient client,
        final int slot,
        final int ofPass,
        final int passes,
        final long beginAt,
        final boolean isBegunTwice)
    {
        this.client = client;
        this.slot = slot;
        this.ofPass = ofPass;
        this.passes = passes;
        this.beginAt = beginAt;
        this.isBegunTwice = isBegunTwice;
    }

    /** Go on where the slot stands, and say so if an earlier process has begun. */
    @Override
    public long begin()
    {
        final long clocksDone = client.clocksDone();
        if (Consistency.FINISHED == clocksDone)
        {
            resumedBehind = clocksDone;
            System.err.println("slot " + slot + " has finished in this job: there is nothing left to train");
            return planned();
        }
        final long leftOut = isBegunTwice && clocksDone < planned() ? 1 : 0;
        if (leftOut > 0)
        {
            client.clock();
        }
        resumedBehind = beginAt + clocksDone + leftOut;
        if (clocksDone + leftOut > 0)
        {
            System.err.println("slot " + slot + " continues after " + clocksDone + " batches, which it has ended" +
                (leftOut > 0 ? "; the next one, of which the process before may have pushed a part, is left out" : ""));
        }

        return clocksDone + leftOut;
    }

    @Override
    public Stretch next()
    {
        final Stretch stretch = isOver() ? null :
            new Stretch(pass, (int)Math.min(ofPass, Math.max(0, resumedBehind - beginOf(pass))), ofPass);
        pass++;

        return stretch;
    }

    @Override
    public void end()
    {
        client.finish();
    }

    @Override
    public boolean hasBegun()
    {
        return true;
    }

    @Override
    public boolean isOver()
    {
        return pass >= passes;
    }

    @Override
    public int skip(final Stretch stretch, final int batch)
    {
        return (int)Math.min(stretch.end(),
            Math.max(batch, beginAt + client.skipToSlot() - beginOf(stretch.pass())));
    }

    @Override
    public long left(final Stretch stretch, final int batch, final long done)
    {
        return planned() - done;
    }

    @Override
    public long planned()
    {
        return Math.max(0, (long)ofPass * passes - beginAt);
    }

    private long beginOf(final int ofAll)
    {
        return (long)ofPass * ofAll;
    }
}
