// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.examples;

import java.util.Arrays;
import java.util.Random;

/**
 * Something small to learn for snippets of the documentation: the weights of a sum of few features of many, without
 * noise, so that they can be found exactly.
 */
final class LinearTask
{
    /** Features that there are. */
    static final int FEATURES = 64;
    /** Features of an example, which is a batch: with a divisor of 64 the weights could not be told apart. */
    static final int ACTIVE = 7;

    private final Random random;
    private final long[] keys = new long[ACTIVE];
    private final float[] gradient = new float[ACTIVE];
    private int left;

    /**
     * A task of one worker.
     *
     * @param seed    of its examples.
     * @param batches how many.
     */
    LinearTask(final long seed, final int batches)
    {
        random = new Random(seed);
        left = batches;
    }

    /** The weight to be learnt. */
    static float trueWeight(final long key)
    {
        return (key * 7 % 16 - 8) / 8f;
    }

    /** Go to the next batch, if there is one. */
    boolean next()
    {
        final int begin = random.nextInt(FEATURES);
        final int step = 1 + 2 * random.nextInt(FEATURES / 2);
        for (int i = 0; i < ACTIVE; i++)
        {
            keys[i] = (begin + (long)i * step) % FEATURES;
        }

        return left-- > 0;
    }

    /** Distinct keys of the batch. */
    long[] keys()
    {
        return keys;
    }

    /** Of half the squared error at weights of these keys. */
    float[] gradient(final float[] weights)
    {
        float error = 0f;
        for (int i = 0; i < ACTIVE; i++)
        {
            error += weights[i] - trueWeight(keys[i]);
        }
        Arrays.fill(gradient, error);

        return gradient;
    }
}
