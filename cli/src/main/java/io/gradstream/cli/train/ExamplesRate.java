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
package io.gradstream.cli.train;

/**
 * How many examples a second are trained on: over the last interval that was long enough, and before the first one
 * since the beginning.
 */
final class ExamplesRate
{
    private static final double MS_PER_S = 1000.0;

    private final long minIntervalMs;
    private long beganMs;
    private long examplesBefore;
    private boolean isMeasured;
    private double perSecond;

    /**
     * Nothing is measured yet.
     *
     * @param minIntervalMs an interval that is shorter says nothing.
     */
    ExamplesRate(final long minIntervalMs)
    {
        this.minIntervalMs = minIntervalMs;
    }

    /** Training begins. */
    void onBegan(final long nowMs)
    {
        beganMs = nowMs;
    }

    /**
     * The rate now.
     *
     * @param examples so far.
     * @param nowMs    of a clock that does not go back.
     */
    double of(final long examples, final long nowMs)
    {
        final long elapsedMs = nowMs - beganMs;
        final boolean isLongEnough = elapsedMs >= minIntervalMs;
        if (isLongEnough || !isMeasured && elapsedMs > 0)
        {
            perSecond = (examples - examplesBefore) * MS_PER_S / elapsedMs;
        }
        if (isLongEnough)
        {
            isMeasured = true;
            beganMs = nowMs;
            examplesBefore = examples;
        }
        return perSecond;
    }
}
