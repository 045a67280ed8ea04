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
package io.gradstream.perf.train;

/**
 * How fast one run trained once it was warm.
 *
 * @param examplesPerSecond of all workers together.
 * @param cpuSeconds        that all processes took for a million examples.
 */
record Pace(double examplesPerSecond, double cpuSeconds)
{
    private static final double MILLION = 1e6;

    static Pace of(final double examples, final long elapsedNs, final long cpuNs)
    {
        return new Pace(examples * 1e9 / Math.max(1, elapsedNs), cpuNs / 1e9 * MILLION / examples);
    }
}
