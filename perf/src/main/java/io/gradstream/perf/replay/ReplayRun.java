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
package io.gradstream.perf.replay;

import io.gradstream.perf.measure.Summary;

import java.io.IOException;

/**
 * Writes a log once and reads it in turns by both ways, so that what else the machine does meets both alike.
 */
final class ReplayRun
{
    private static final double BYTES_PER_NS_TO_MB = 1_000;

    private final ReplaySettings settings;

    ReplayRun(final ReplaySettings settings)
    {
        this.settings = settings;
    }

    /**
     * Measure.
     *
     * @throws IOException           if there is no room or no directory.
     * @throws IllegalStateException if the log cannot be read, or its replay gives another state.
     */
    ReplayResult run() throws IOException
    {
        final double[] raw = new double[settings.rounds()];
        final double[] climb = new double[settings.rounds()];
        try (ReplayRig rig = ReplayRig.start(settings))
        {
            System.err.println("writing " + (settings.bytes() >> 20) + " MiB of records");
            final long beginNs = System.nanoTime();
            final long bytes = rig.write();
            final double written = megabytesPerSecond(bytes, System.nanoTime() - beginNs);
            // The first is for the compiler and the page cache.
            rig.replayRaw();
            rig.climb();
            for (int i = 0; i < settings.rounds(); i++)
            {
                raw[i] = megabytesPerSecond(bytes, rig.replayRaw());
                climb[i] = megabytesPerSecond(bytes, rig.climb());
                System.err.printf("[%d/%d] raw %.0f MB/s, replay, verify, apply %.0f MB/s%n",
                    i + 1, settings.rounds(), raw[i], climb[i]);
            }

            return new ReplayResult(
                bytes, written, Summary.of(raw), Summary.of(climb), ReplayResult.ratios(climb, raw));
        }
    }

    private static double megabytesPerSecond(final long bytes, final long durationNs)
    {
        return bytes * BYTES_PER_NS_TO_MB / durationNs;
    }
}
