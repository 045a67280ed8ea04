// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.codecs.Consistency;
import io.gradstream.training.Stragglers;

import java.util.List;

/**
 * The settings of a {@link StalenessRun}.
 *
 * @param bounds     staleness bounds, {@link Consistency#UNBOUNDED} among them or not.
 * @param seeds      runs of each, each with data, batches and stragglers of its own.
 * @param workers    of each run.
 * @param stepNs     time that a batch takes at least.
 * @param stragglers FACTOR:PROBABILITY, as {@link Stragglers#parse} reads it.
 * @param targetLoss loss on the test data at which a run ends.
 */
record StalenessSettings(
    List<Integer> bounds, int seeds, int workers, long stepNs, String stragglers, double targetLoss)
{
    static final int MAX_SEEDS = 100;
    static final int MAX_WORKERS = 64;

    StalenessSettings
    {
        bounds = List.copyOf(bounds);
        check(!bounds.isEmpty(), "staleness", "at least one bound");
        check(seeds >= 1 && seeds <= MAX_SEEDS, "seeds", "1.." + MAX_SEEDS);
        check(workers >= 1 && workers <= MAX_WORKERS, "workers", "1.." + MAX_WORKERS);
        check(stepNs >= 0, "step-ms", "0 or more");
        check(targetLoss > 0, "target-loss", "above 0");
        Stragglers.parse(stragglers, 0);
    }

    private static void check(final boolean isSound, final String name, final String allowed)
    {
        if (!isSound)
        {
            throw new IllegalArgumentException("invalid --" + name + ": must be " + allowed);
        }
    }
}
