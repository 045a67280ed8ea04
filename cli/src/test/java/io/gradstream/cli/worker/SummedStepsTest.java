// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import java.util.Random;

import io.gradstream.function.UpdateFunction;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.worker.GradientSum;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What servers make of a sum, against what they make of its batches one after the other. */
class SummedStepsTest
{
    private static final int KEYS = 50;
    private static final int DIM = 3;
    private static final int BATCHES = 8;

    @Test
    void shouldStepBySgdAsFarAsTheBatchesTogether()
    {
        // whole numbers and a rate of 1/4: no step is rounded
        final UpdateFunction sgd = UpdateFunctions.BUILT_IN.parse("sgd/1 rate=0.25");
        final GradientSum sum = new GradientSum(DIM, KEYS);
        final float[] oneByOne = new float[KEYS * DIM];
        final float[] atOnce = new float[KEYS * DIM];
        final Random random = new Random(1);
        for (int batch = 0; batch < BATCHES; batch++)
        {
            final long[] keys = random.longs(20, 0, KEYS).distinct().toArray();
            final float[] gradients = new float[keys.length * DIM];
            for (int i = 0; i < gradients.length; i++)
            {
                gradients[i] = random.nextInt(200) - 100;
            }
            update(sgd, oneByOne, keys, keys.length, gradients);
            sum.add(keys, 0, keys.length, gradients);
        }
        update(sgd, atOnce, sum.keys(), sum.rows(), sum.gradients());

        assertThat(atOnce).isEqualTo(oneByOne);
        assertThat(atOnce).isNotEqualTo(new float[KEYS * DIM]);
    }

    private static void update(
        final UpdateFunction function, final float[] rows, final long[] keys, final int count, final float[] gradients)
    {
        final float[] row = new float[DIM];
        final float[] gradient = new float[DIM];
        for (int i = 0; i < count; i++)
        {
            System.arraycopy(rows, (int)keys[i] * DIM, row, 0, DIM);
            System.arraycopy(gradients, i * DIM, gradient, 0, DIM);
            function.updateFloats(row, new float[0], gradient, DIM, 1);
            System.arraycopy(row, 0, rows, (int)keys[i] * DIM, DIM);
        }
    }
}
