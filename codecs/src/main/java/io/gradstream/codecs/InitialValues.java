/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.codecs;

/**
 * The initial values of a table's rows. They come from the specification and the key alone, so that a row need not
 * exist to be pulled, and whoever knows the specification knows them: servers, and programs that use a model, in which
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
