// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

import io.gradstream.function.UpdateFunction;

import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Each optimizer beside its paper's formula, written here once more, for one value and in double precision.
 */
class OptimizersTest
{
    private static final int STEPS = 500;
    private static final int DIM = 8;
    private static final float RATE = 0.05f;
    private static final float BETA_1 = 0.9f;
    private static final float BETA_2 = 0.999f;
    private static final float DECAY = 0.1f;
    /** Largest difference after any step; values are about 1, and each step is off by a few units in the last place. */
    private static final double TOLERANCE = 2e-5;

    private final Random random = new Random(7);

    /**
     * One step of one value.
     */
    private interface Formula
    {
        double step(double[] state, double w, double g, int t);
    }

    @Test
    void shouldFollowTheFormulaOfMomentum()
    {
        check("sgd/2 rate=0.05 momentum=0.9", (v, w, g, t) ->
        {
            v[0] = BETA_1 * v[0] + g;
            return w - RATE * v[0];
        });
        check("sgd/2 rate=0.05 momentum=0.9 decay=0.1", (v, w, g, t) ->
        {
            v[0] = BETA_1 * v[0] + g + DECAY * w;
            return w - RATE * v[0];
        });
        check("sgd/2 rate=0.05 decay=0.1", (v, w, g, t) -> w - RATE * (g + DECAY * w));
    }

    /** As Sutskever et al. write it: the gradient is that at w + momentum * v, which is what is stored here as w. */
    @Test
    void shouldFollowTheFormulaOfNesterov()
    {
        check("sgd/2 rate=0.05 momentum=0.9 nesterov", (v, w, g, t) ->
        {
            final double before = w - BETA_1 * v[0];
            v[0] = BETA_1 * v[0] - RATE * g;
            final double after = before + v[0];
            return after + BETA_1 * v[0];
        });
    }

    @Test
    void shouldFollowThePaperForAdagrad()
    {
        check("adagrad/1 rate=0.05 epsilon=0.1 initial=0.5", (n, w, g, t) ->
        {
            n[0] = (1 == t ? 0.5 : n[0]) + g * g;
            return w - RATE / (0.1f + Math.sqrt(n[0])) * g;
        });
        check("adagrad/1 rate=0.05", (n, w, g, t) ->
        {
            n[0] += g * g;
            return w - RATE / (1e-8 + Math.sqrt(n[0])) * g;
        });
    }

    @Test
    void shouldFollowThePaperForAdam()
    {
        check("adam/1 rate=0.05", (s, w, g, t) -> w - RATE * adam(s, g, t, 1e-8));
        check("adam/1 rate=0.05 beta1=0.9 beta2=0.999 epsilon=0.1", (s, w, g, t) -> w - RATE * adam(s, g, t, 0.1f));
        check("adam/1 rate=0.05 epsilon=0.1 decay=0.1",
            (s, w, g, t) -> w - RATE * adam(s, g + DECAY * w, t, 0.1f));
    }

    @Test
    void shouldFollowThePaperForAdamW()
    {
        final double lambda = (double)RATE * DECAY;
        check("adamw/1 rate=0.05 decay=0.1", (s, w, g, t) -> w - (RATE * adam(s, g, t, 1e-8) + lambda * w));
    }

    @Test
    void shouldFollowThePaperForFtrlOverManySteps()
    {
        check("ftrl/1 alpha=0.5 beta=1 l1=0.25 l2=2", (s, w, g, t) ->
        {
            final double sigma = (Math.sqrt(s[1] + g * g) - Math.sqrt(s[1])) / 0.5;
            s[0] += g - sigma * w;
            s[1] += g * g;
            return Math.abs(s[0]) <= 0.25 ? 0 :
                -(s[0] - Math.signum(s[0]) * 0.25) / ((1 + Math.sqrt(s[1])) / 0.5 + 2);
        });
    }

    @Test
    void shouldCountTheUpdatesOfEachRow()
    {
        final UpdateFunction adam = UpdateFunctions.BUILT_IN.parse("adam/1 rate=0.05");
        final float[] values = {1f, 1f};
        final float[] state = new float[2 * adam.statePerValue()];
        final float[] old = {1f};
        final float[] oldState = new float[adam.statePerValue()];
        for (int i = 0; i < 100; i++)
        {
            adam.updateFloats(old, oldState, new float[]{0.5f}, 1, 1f);
        }
        values[0] = old[0];
        for (int kind = 0; kind < adam.statePerValue(); kind++)
        {
            state[kind * 2] = oldState[kind];
        }
        adam.updateFloats(values, state, new float[]{1f, 1f}, 2, 1f);

        assertThat(values[1]).as("the first step is as long as the rate").isEqualTo(0.95f, within(1e-6f));
        assertThat(state[4]).isEqualTo(101f);
        assertThat(state[5]).isEqualTo(1f);
    }

    @Test
    void shouldStandStillWhereAFloatCountsNoFurther()
    {
        final UpdateFunction adam = UpdateFunctions.BUILT_IN.parse("adam/1 rate=0.5");
        final float[] values = {1f};
        final float[] state = {0f, 0f, 0x1p24f - 1};
        for (int i = 0; i < 3; i++)
        {
            adam.updateFloats(values, state, new float[]{1f}, 1, 1f);
            assertThat(state[2]).isEqualTo(0x1p24f);
        }
        assertThat(values[0]).isBetween(-20f, 0f);
    }

    private static double adam(final double[] state, final double g, final int t, final double epsilon)
    {
        state[0] = BETA_1 * state[0] + (1.0 - BETA_1) * g;
        state[1] = BETA_2 * state[1] + (1.0 - BETA_2) * g * g;
        final double m = state[0] / (1 - Math.pow(BETA_1, t));
        final double v = state[1] / (1 - Math.pow(BETA_2, t));

        return m / (Math.sqrt(v) + epsilon);
    }

    private void check(final String text, final Formula formula)
    {
        final UpdateFunction function = UpdateFunctions.BUILT_IN.parse(text);
        final float[] values = new float[DIM];
        final float[] state = new float[DIM * function.statePerValue()];
        final double[] expected = new double[DIM];
        final double[][] expectedState = new double[DIM][2];
        for (int i = 0; i < DIM; i++)
        {
            values[i] = random.nextFloat() - 0.5f;
            expected[i] = values[i];
        }
        for (int t = 1; t <= STEPS; t++)
        {
            final float[] gradient = new float[DIM];
            for (int i = 0; i < DIM; i++)
            {
                // of a bowl whose sides are unequally steep, with noise
                gradient[i] = (float)((i + 1) * 0.2 * (expected[i] - 1) + random.nextGaussian() * 0.5);
                expected[i] = formula.step(expectedState[i], expected[i], gradient[i], t);
            }
            function.updateFloats(values, state, gradient, DIM, 1f);
            for (int i = 0; i < DIM; i++)
            {
                assertThat((double)values[i]).as("%s step=%d index=%d", text, t, i)
                    .isEqualTo(expected[i], within(TOLERANCE));
            }
        }
    }
}
