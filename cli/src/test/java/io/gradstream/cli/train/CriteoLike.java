// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * Writes clicks as Criteo's logs have them: a label, 13 skewed numbers and 26 categories, some of them missing. About a
 * quarter of the labels are 1. Numbers follow a hidden inclination to click, and values of categories have weights, so
 * that there is something to learn. A row is a function of (seed, index).
 */
final class CriteoLike
{
    private static final int NUMBERS = 13;
    /** Different values of each column of categories, of the order of those of Criteo's data. */
    private static final int[] VALUES = {
        1460, 583, 1_000_000, 200_000, 305, 24, 12_517, 633, 3, 93_145, 5683, 800_000, 3194, 27, 14_992, 500_000, 10,
        5652, 2173, 4, 700_000, 18, 15, 286_181, 105, 142_572 };
    private static final double INTERCEPT = -1.9;
    private static final double INCLINATION = 1.6;
    private static final double WEIGHT = 0.22;
    private static final double MISSING = 0.12;

    private final long seed;

    /** A log that is not written yet. */
    CriteoLike(final long seed)
    {
        this.seed = seed;
    }

    /** Write rows {@code begin .. end - 1}. */
    void write(final Path file, final int begin, final int end) throws IOException
    {
        try (BufferedWriter out = Files.newBufferedWriter(file))
        {
            for (int row = begin; row < end; row++)
            {
                out.append(row(row)).append('\n');
            }
        }
    }

    /** A row without the end of its line. */
    String row(final int index)
    {
        final Random random = new Random(seed * 1_000_003 + index);
        random.nextLong();
        final double inclination = random.nextGaussian();
        double score = INTERCEPT + INCLINATION * inclination;
        final StringBuilder fields = new StringBuilder();
        for (int i = 0; i < NUMBERS; i++)
        {
            final double follows = 0 == i % 3 ? 0.7 : 0 == i % 2 ? -0.4 : 0.1;
            final double normal = follows * inclination + Math.sqrt(1 - follows * follows) * random.nextGaussian();
            final long number = (long)StrictMath.exp(0.5 * i + (0.8 + 0.1 * i) * normal) - 1;
            fields.append('\t').append(random.nextDouble() < MISSING ? "" : number);
        }
        for (int column = 0; column < VALUES.length; column++)
        {
            // of a power law: value v has a share like 1 / v
            final int value = (int)StrictMath.pow(VALUES[column], random.nextDouble());
            final long id = new Random(31L * column + 7919L * value + 104_729L * seed).nextLong();
            final boolean isMissing = 0 == column % 4 && random.nextDouble() < MISSING;
            score += isMissing ? 0 : WEIGHT * new Random(id).nextGaussian();
            fields.append('\t').append(isMissing ? "" : Integer.toHexString((int)id));
        }
        return (random.nextDouble() < 1 / (1 + StrictMath.exp(-score)) ? 1 : 0) + fields.toString();
    }
}
