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
package io.gradstream.perf.jmh;

/**
 * Cheap keys without a pattern that a processor could guess: a 64-bit linear congruential generator (Knuth, MMIX).
 */
final class RandomKeys
{
    private static final long MULTIPLIER = 6364136223846793005L;
    private static final long INCREMENT = 1442695040888963407L;

    private long state = 1;

    /**
     * The next key, below a bound of at most 2^31 - 1.
     */
    int next(final int bound)
    {
        state = state * MULTIPLIER + INCREMENT;
        return (int)((state >>> 33) * bound >>> 31);
    }
}
