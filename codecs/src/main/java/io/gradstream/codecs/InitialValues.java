// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

/**
 * The initial values of a table's rows. They come from the specification and the key alone, so that a row need not
 * exist to be pulled. Whoever knows the specification knows them: servers, and programs that use a model, from which
 * rows that were never updated are missing.
 */
public final class InitialValues
{
    private static final double TWO_PI = 2 * StrictMath.PI;
    private static final double UNIT = 0x1.0p-53;
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;
    private static final int UNUSED_BITS = 11;

    private InitialValues()
    {
    }

    /**
     * Write the values with which a row begins.
     *
     * @param spec   of a table of floats.
     * @param key    of the row.
     * @param values receives dim values.
     * @param offset of the first of them.
     */
    public static void fill(final TableSpec spec, final long key, final float[] values, final int offset)
    {
        for (int i = 0; i < spec.dim(); i++)
        {
            values[offset + i] = switch (spec.initialiser())
            {
                case TableSpec.UNIFORM -> (float)(spec.initialiserScale() * (2 * unit(spec, key, 2 * i) - 1));
                case TableSpec.NORMAL -> (float)(spec.initialiserScale() * normal(spec, key, i));
                default -> 0f;
            };
        }
    }

    /** Box and Muller, 1958. */
    private static double normal(final TableSpec spec, final long key, final int i)
    {
        final double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - unit(spec, key, 2 * i)));
        return radius * StrictMath.cos(TWO_PI * unit(spec, key, 2 * i + 1));
    }

    /** From 0 to below 1. */
    private static double unit(final TableSpec spec, final long key, final int draw)
    {
        final long bits = PartitionFunction.mix(
            PartitionFunction.mix(spec.initialiserSeed() + GOLDEN_RATIO * (key + 1)) + draw);
        return (bits >>> UNUSED_BITS) * UNIT;
    }
}
