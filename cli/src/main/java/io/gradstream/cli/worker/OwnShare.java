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
    private final PushGroups groups;
    private final int passes;
    private final long beginAt;
    private final boolean isBegunTwice;
    private long resumedBehind;
    private int pass;

    /**
     * A share of which nothing is done.
     *
     * @param groups       batches of a push.
     * @param beginAt      pushes of runs before this one; clocks count from there.
     * @param isBegunTwice true if a part of the next push may have been sent already. Each push of a job that is not
     *                     sequential counts by itself: if it were sent again, the partitions that have their part of
     *                     it would have it twice.
     */
    OwnShare(
        final GradstreamClient client,
        final int slot,
        final PushGroups groups,
        final int passes,
        final long beginAt,
        final boolean isBegunTwice)
    {
        this.client = client;
        this.slot = slot;
        this.groups = groups;
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
        final long leftOut = isBegunTwice && clocksDone < pushesOfAll() - beginAt ? 1 : 0;
        if (leftOut > 0)
        {
            client.clock();
        }
        resumedBehind = beginAt + clocksDone + leftOut;
        if (clocksDone + leftOut > 0)
        {
            System.err.println("slot " + slot + " continues after " + batches(clocksDone) +
                " batches, which it has ended" + (leftOut > 0 ? "; the next " + (1 == groups.every() ? "one" :
                batches(clocksDone + leftOut) - batches(clocksDone)) +
                ", of which the process before may have pushed a part, " + (1 == groups.every() ? "is" : "are") +
                " left out" : ""));
        }

        return batches(clocksDone + leftOut);
    }

    @Override
    public Stretch next()
    {
        final Stretch stretch = isOver() ? null :
            new Stretch(pass, inPass(resumedBehind, pass), groups.ofPass());
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
        return Math.max(batch, inPass(beginAt + Math.min(client.skipToSlot(), pushesOfAll()), stretch.pass()));
    }

    @Override
    public long left(final Stretch stretch, final int batch)
    {
        return pushesOfAll() - groups.pushes((long)groups.ofPass() * stretch.pass() + batch);
    }

    @Override
    public long planned()
    {
        return Math.max(0, groups.batches(pushesOfAll()) - groups.batches(beginAt));
    }

    private long pushesOfAll()
    {
        return (long)groups.pushesOfPass() * passes;
    }

    /** Batches of this run in so many of its pushes. */
    private long batches(final long pushes)
    {
        return groups.batches(beginAt + pushes) - groups.batches(beginAt);
    }

    /** Batches of a pass in so many pushes of all passes. */
    private int inPass(final long pushes, final int ofAll)
    {
        final long batches = groups.batches(Math.min(pushes, pushesOfAll()));
        return (int)Math.min(groups.ofPass(), Math.max(0, batches - (long)groups.ofPass() * ofAll));
    }
}
