// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

class InitialValuesTest
{
    private static final int ROWS = 10_000;
    private static final TableSpec ZEROS = TableSpec.sparse(0, "rows", 3, "sgd/1 rate=0.1");

    @Test
    void shouldGiveWhatAnotherProgramComputed()
    {
        // by Python 3, from the formulas of SplitMix64 and of Box and Muller
        assertThat(row(ZEROS.withUniformValues(42, 0.25f), 7))
            .containsExactly(0.032706063240766525f, -0.09436718374490738f, 0.22810304164886475f);
        assertThat(row(ZEROS.withUniformValues(42, 0.25f), -3))
            .containsExactly(0.021598385646939278f, 0.0010102824307978153f, 0.1806141883134842f);
        assertThat(row(ZEROS.withNormalValues(42, 0.5f), 7))
            .containsExactly(-0.6203814148902893f, 0.28692561388015747f, 0.10907381772994995f);
        assertThat(row(ZEROS, 7)).containsOnly(0f);
    }

    @Test
    void shouldHaveTheScaleOfTheSpecification()
    {
        double uniformSquares = 0;
        double normalSquares = 0;
        for (int key = 0; key < ROWS; key++)
        {
            final float[] uniform = row(ZEROS.withUniformValues(1, 0.25f), key);
            final float[] normal = row(ZEROS.withNormalValues(1, 0.5f), key);
            for (int i = 0; i < ZEROS.dim(); i++)
            {
                assertThat(uniform[i]).isBetween(-0.25f, 0.25f);
                uniformSquares += (double)uniform[i] * uniform[i];
                normalSquares += (double)normal[i] * normal[i];
            }
        }
        final double count = (double)ROWS * ZEROS.dim();
        assertThat(Math.sqrt(uniformSquares / count)).isCloseTo(0.25 / Math.sqrt(3), offset(0.002));
        assertThat(Math.sqrt(normalSquares / count)).isCloseTo(0.5, offset(0.01));
    }

    @Test
    void shouldWriteOneRowAmongOthers()
    {
        final float[] values = new float[9];
        InitialValues.fill(ZEROS.withNormalValues(42, 0.5f), 7, values, 3);
        assertThat(values[2]).isZero();
        assertThat(values[3]).isEqualTo(-0.6203814148902893f);
        assertThat(values[6]).isZero();
    }

    private static float[] row(final TableSpec spec, final long key)
    {
        final float[] values = new float[spec.dim()];
        InitialValues.fill(spec, key, values, 0);
        return values;
    }
}
