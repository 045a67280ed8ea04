// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

import io.gradstream.function.UpdateFunction;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The bits that update functions give: on every machine, for ever, and however many values they are given at once.
 */
class UpdateBitsTest
{
    private static final int STEPS = 300;
    private static final int DIM = 16;
    private static final int VALUES = 67;

    private final Random random = new Random(11);

    /** What a released function gave it gives for ever, or logs replay to other rows; a new version gets a new name. */
    @ParameterizedTest
    @CsvSource({
        "sgd/1 rate=0.1, 0x1.2611fap-2, -0x1.98de44p0, -768020437",
        "sgd/1 rate=0.1 clip=0.5, 0x1.d7c022p-2, -0x1.6aadep-2, 1270585987",
        "ftrl/1 alpha=0.1 beta=1 l1=0.01 l2=0.1, -0x1.cf4f9p-8, -0x1.bd436ap-3, 1935736651",
        "sgd/1 rate=0.1 clip-norm=0.5, 0x1.54b5dep-6, -0x1.1219ccp-4, 1848553188",
        "sgd/2 rate=0.1 momentum=0.9, -0x1.e4b1b4p-1, -0x1.b10afcp3, -1608366284",
        "sgd/2 rate=0.1 momentum=0.9 nesterov, -0x1.213084p-1, -0x1.b8d8ep3, 871072110",
        "sgd/2 rate=0.1 momentum=0.9 decay=0.01, 0x1.532cdp1, -0x1.4829cap2, -842878585",
        "adagrad/1 rate=0.1, -0x1.373cf2p-5, -0x1.294826p-2, -1221687561",
        "adagrad/1 rate=0.1 epsilon=0.001 initial=0.1, -0x1.18cfe4p-5, -0x1.26d55ap-2, -1724236150",
        "adam/1 rate=0.1, -0x1.04018cp-2, -0x1.865be8p0, 972376734",
        "adam/1 rate=0.1 beta1=0.8 beta2=0.99 epsilon=0.001 decay=0.01, -0x1.bb378p-10, -0x1.384f18p0, 1219418909",
        "adamw/1 rate=0.1 decay=0.01, -0x1.36df1cp-3, -0x1.3ef512p0, 1067908035"})
    void shouldGiveTheSameBitsForEver(final String text, final float first, final float last, final int hash)
    {
        final UpdateFunction function = UpdateFunctions.BUILT_IN.parse(text);
        final float[] values = new float[DIM];
        final float[] state = new float[DIM * function.statePerValue()];
        for (int i = 0; i < STEPS; i++)
        {
            function.updateFloats(values, state, gradient(DIM), DIM, 1f);
        }

        final String bits = Float.toHexString(values[0]) + ", " + Float.toHexString(values[DIM - 1]) + ", " +
            (31 * Arrays.hashCode(values) + Arrays.hashCode(state));
        assertThat(bits).isEqualTo(Float.toHexString(first) + ", " + Float.toHexString(last) + ", " + hash);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "add/1", "assign/1", "sgd/1 rate=0.1 clip=0.5", "sgd/2 rate=0.1 momentum=0.9",
        "sgd/2 rate=0.1 momentum=0.9 nesterov decay=0.01", "sgd/2 rate=0.1 decay=0.01", "adagrad/1 rate=0.1",
        "adam/1 rate=0.1", "adam/1 rate=0.1 decay=0.01 clip=0.5", "adamw/1 rate=0.1 decay=0.01",
        "ftrl/1 alpha=0.1 beta=1 l1=0.01 l2=0.1"})
    void shouldGiveEachValueTheSameBitsInWhateverCompany(final String text)
    {
        final UpdateFunction function = UpdateFunctions.BUILT_IN.parse(text);
        final int kinds = function.statePerValue();
        final float[][] alone = new float[VALUES][1];
        final float[][] aloneStates = new float[VALUES][kinds];
        final float[] values = new float[VALUES];
        final float[][] states = new float[kinds][VALUES];
        final List<Integer> order = new ArrayList<>(IntStream.range(0, VALUES).boxed().toList());
        for (int i = 0; i < STEPS; i++)
        {
            // some values, in any order: rows of one value, of several, and pieces of rows
            Collections.shuffle(order, random);
            final int[] picked = order.stream().limit(1 + random.nextInt(VALUES)).mapToInt((at) -> at).toArray();
            final float[] gradient = gradient(picked.length);
            for (int j = 0; j < picked.length; j++)
            {
                function.updateFloats(alone[picked[j]], aloneStates[picked[j]], new float[]{gradient[j]}, 1, 1f);
            }
            updatePicked(function, values, states, picked, gradient);
        }

        assertThat(function.isPerValue()).isTrue();
        for (int i = 0; i < VALUES; i++)
        {
            assertThat(values[i]).isEqualTo(alone[i][0]);
            for (int kind = 0; kind < kinds; kind++)
            {
                assertThat(states[kind][i]).isEqualTo(aloneStates[i][kind]);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sgd/2 rate=0.1", "sgd/2 rate=0.1 momentum=0", "sgd/2 rate=0.1 momentum=0 decay=0"})
    void shouldBePlainDescentWithoutMomentum(final String text)
    {
        final UpdateFunction plain = UpdateFunctions.BUILT_IN.parse("sgd/1 rate=0.1");
        final UpdateFunction function = UpdateFunctions.BUILT_IN.parse(text);
        final float[] expected = {-0f, 0f, 1f, -1f, Float.MIN_VALUE, 0f, Float.NEGATIVE_INFINITY, 0f};
        final float[] values = expected.clone();
        for (int i = 0; i < STEPS; i++)
        {
            final float[] gradient = 0 == i ? new float[]{0f, -0f, -0f, 0f, 0f, 0f, 0f, 0f} : gradient(8);
            plain.updateFloats(expected, new float[0], gradient.clone(), 8, 1f);
            function.updateFloats(values, new float[0], gradient, 8, 1f);
            assertThat(Arrays.equals(values, expected)).as("step=%d", i).isTrue();
        }
        assertThat(function.statePerValue()).isZero();
    }

    private static void updatePicked(
        final UpdateFunction function,
        final float[] values,
        final float[][] states,
        final int[] picked,
        final float[] gradient)
    {
        final int count = picked.length;
        final float[] someValues = new float[count];
        final float[] someStates = new float[count * states.length];
        for (int j = 0; j < count; j++)
        {
            someValues[j] = values[picked[j]];
            for (int kind = 0; kind < states.length; kind++)
            {
                someStates[kind * count + j] = states[kind][picked[j]];
            }
        }
        function.updateFloats(someValues, someStates, gradient, count, 1f);
        for (int j = 0; j < count; j++)
        {
            values[picked[j]] = someValues[j];
            for (int kind = 0; kind < states.length; kind++)
            {
                states[kind][picked[j]] = someStates[kind * count + j];
            }
        }
    }

    private float[] gradient(final int count)
    {
        final float[] gradient = new float[count];
        for (int i = 0; i < count; i++)
        {
            gradient[i] = (4 * random.nextFloat() - 2) * (1 + i % 5);
        }

        return gradient;
    }
}
