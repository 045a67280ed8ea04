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
