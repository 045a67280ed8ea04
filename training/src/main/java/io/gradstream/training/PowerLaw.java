// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

/**
 * A power law over ranks 0 to n - 1: rank r has probability proportional to (r + 1) to the power of -exponent.
 * <p>
 * Drawn by inverting the cumulative distribution: a guide table gives the first rank of the interval that a uniform
 * number falls in, and a short walk finds the rank (Chen and Asau, 1974).
 */
final class PowerLaw
{
    private final double[] cumulative;
    private final int[] guide;

    PowerLaw(final int ranks, final double exponent)
    {
        cumulative = new double[ranks];
        double total = 0.0;
        for (int rank = 0; rank < ranks; rank++)
        {
            total += StrictMath.pow(rank + 1.0, -exponent);
            cumulative[rank] = total;
        }
        for (int rank = 0; rank < ranks; rank++)
        {
            cumulative[rank] /= total;
        }
        cumulative[ranks - 1] = 1.0;

        guide = new int[ranks];
        int rank = 0;
        for (int i = 0; i < ranks; i++)
        {
            while (cumulative[rank] <= (double)i / ranks)
            {
                rank++;
            }
            guide[i] = rank;
        }
    }

    int rank(final double uniform)
    {
        int rank = guide[(int)(uniform * guide.length)];
        while (cumulative[rank] <= uniform)
        {
            rank++;
        }

        // The product above may round up to the next interval, whose first rank can be one too far.
        while (rank > 0 && cumulative[rank - 1] > uniform)
        {
            rank--;
        }

        return rank;
    }
}
