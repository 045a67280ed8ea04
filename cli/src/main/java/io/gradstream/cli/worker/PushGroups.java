// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

/**
 * The consecutive batches of a slot whose gradients are one push each. A push ends an iteration, so the slot's clock
 * counts pushes. Groups begin anew with each pass, whose last group may be shorter: which batches a push has follows
 * from its number alone, also for a process that takes the slot over.
 *
 * @param ofPass batches in each pass, 0 if the slot has none.
 * @param every  batches in a push, at least 1.
 */
record PushGroups(int ofPass, int every)
{
    /** Pushes in each pass. */
    int pushesOfPass()
    {
        return (int)((ofPass + (every - 1L)) / every);
    }

    /** Batches in the first so many pushes. */
    long batches(final long pushes)
    {
        return 0 == ofPass ? 0 : pushes / pushesOfPass() * ofPass +
            Math.min(ofPass, pushes % pushesOfPass() * every);
    }

    /** Pushes that end within the first so many batches. */
    long pushes(final long batches)
    {
        return 0 == ofPass ? 0 : batches / ofPass * pushesOfPass() + batches % ofPass / every;
    }

    /** True if a push ends with this batch of a pass. */
    boolean isEnd(final int batch)
    {
        return 0 == (batch + 1L) % every || batch + 1 == ofPass;
    }
}
