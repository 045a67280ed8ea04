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
package io.gradstream.training;

/**
 * Checks that a value lies in a range, ends included.
 */
final class Range
{
    private Range()
    {
    }

    static void check(final String name, final int value, final int min, final int max)
    {
        if (value < min || value > max)
        {
            throw outside(name, Integer.toString(value), Integer.toString(min), Integer.toString(max));
        }
    }

    static void check(final String name, final double value, final double min, final double max)
    {
        if (!(value >= min && value <= max))
        {
            throw outside(name, Double.toString(value), Double.toString(min), Double.toString(max));
        }
    }

    private static IllegalArgumentException outside(
        final String name, final String value, final String min, final String max)
    {
        return new IllegalArgumentException("invalid " + name + "=" + value + ": must be " + min + ".." + max);
    }
}
