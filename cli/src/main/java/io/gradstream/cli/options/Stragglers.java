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
package io.gradstream.cli.options;

import io.gradstream.codecs.PartitionFunction;

/**
 * Batches that take longer than others, at random but the same in each run with a seed.
 *
 * @param factor      as long as others they take.
 * @param probability of each batch of each worker.
 * @param seed        of the choice.
 */
public record Stragglers(double factor, double probability, long seed)
{
    static final double MAX_FACTOR = 1_000;

    private static final double UNIT = 0x1.0p-53;
    private static final int UNIT_SHIFT = 11;

    /** How many times as long a batch of a worker takes: 1 for most. */
    public double factor(final int slot, final long batch)
    {
        final long bits = PartitionFunction.mix(PartitionFunction.mix(seed * 31 + slot) + batch);

        return (bits >>> UNIT_SHIFT) * UNIT < probability ? factor : 1;
    }

    /** As the option says; none for null. */
    static Stragglers parse(final String text, final long seed)
    {
        if (null == text)
        {
            return new Stragglers(1, 0, seed);
        }
        final String[] parts = text.split(":", -1);
        try
        {
            final double factor = Double.parseDouble(parts[0]);
            final double probability = Double.parseDouble(parts[parts.length - 1]);
            if (2 == parts.length && factor >= 1 && factor <= MAX_FACTOR && probability >= 0 && probability <= 1)
            {
                return new Stragglers(factor, probability, seed);
            }
        }
        catch (final NumberFormatException ignore)
        {
            // told below
        }
        throw new UsageException("invalid --stragglers=" + text + ": must be FACTOR:PROBABILITY, such as 4:0.1, with" +
            " a factor of 1 to " + (int)MAX_FACTOR + " and a probability of 0 to 1");
    }
}
