// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.driver.DriverProfile;
import io.gradstream.training.ClickLog;
import io.gradstream.training.RatingLog;

import java.nio.file.Path;
import java.util.List;

/**
 * The settings of a training run, checked before anything opens.
 *
 * @param rounds        how often each shape is run.
 * @param batches       examples in a batch, each tried.
 * @param examples      to generate.
 * @param features      of them.
 * @param warmUpSeconds for which each trains before it counts.
 * @param windowSeconds for which it counts.
 * @param profile       how processes wait.
 * @param directory     must be null: each cluster has its own, which is removed.
 */
record TrainingSettings(
    int rounds,
    List<Integer> batches,
    int examples,
    int features,
    int warmUpSeconds,
    int windowSeconds,
    DriverProfile profile,
    Path directory)
{
    static final int PARTITIONS = 4;
    static final long SEED = 1;
    /** As skewed as few real ones are, with as many factors as are trained. */
    static final RatingLog.Spec RATINGS =
        new RatingLog.Spec(100_000, 20_000, 5_000, FactorBatch.RANK, 0.8, 0.1, SEED);

    private static final int MAX_ROUNDS = 100;
    private static final int MAX_BATCH = 1_000_000;
    private static final int MAX_EXAMPLES = 10_000_000;
    private static final int MAX_SECONDS = 3_600;

    TrainingSettings
    {
        check(rounds >= 1 && rounds <= MAX_ROUNDS, "rounds", rounds, "1.." + MAX_ROUNDS);
        check(!batches.isEmpty() && batches.stream().allMatch((batch) -> batch >= 1 && batch <= MAX_BATCH),
            "batch", batches, "1.." + MAX_BATCH + " each");
        check(examples >= 1 && examples <= MAX_EXAMPLES, "examples", examples, "1.." + MAX_EXAMPLES);
        check(features >= ClickLog.Spec.MIN_FEATURES && features <= ClickLog.Spec.MAX_FEATURES, "features", features,
            ClickLog.Spec.MIN_FEATURES + ".." + ClickLog.Spec.MAX_FEATURES);
        check(warmUpSeconds >= 0 && warmUpSeconds <= MAX_SECONDS, "warm-up", warmUpSeconds, "0.." + MAX_SECONDS);
        check(windowSeconds >= 1 && windowSeconds <= MAX_SECONDS, "window", windowSeconds, "1.." + MAX_SECONDS);
        check(null == directory, "dir", directory, "left out: each of the clusters needs a directory of its own");
    }

    private static void check(final boolean isValid, final String name, final Object value, final String allowed)
    {
        if (!isValid)
        {
            throw new IllegalArgumentException("invalid --" + name + "=" + value + ": must be " + allowed);
        }
    }
}
