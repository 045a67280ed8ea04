// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train.progress;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Compares the examples a second while faults or moves went on with those before the first of them. Before it, the
 * second half of the time since the beginning counts, at most ten seconds, as JVMs warm up in the first half.
 */
public final class Goodput
{
    /** Longest time before the first fault that counts. */
    static final long MAX_BEFORE_MS = 10_000;
    /** Shortest time from the beginning to the first fault: JVMs are too slow before. */
    static final long MIN_BEFORE_MS = 5_000;
    /** Shortest time of faults that says anything. */
    static final long MIN_DISTURBED_MS = 500;

    private static final long SAMPLE_INTERVAL_MS = 100;

    private final Deque<Sample> samples = new ArrayDeque<>();
    private long beganMs;
    private boolean isDisturbed;
    private boolean isCounted;
    private Sample last;
    private double before = Double.NaN;
    private boolean hasBefore;
    private long disturbedMs;
    private long disturbedExamples;

    /**
     * The progress at a time.
     *
     * @param timeMs   of a clock that does not go back.
     * @param examples that all workers have trained on.
     */
    private record Sample(long timeMs, long examples)
    {
    }

    /**
     * Training goes on.
     *
     * @param nowMs          of a clock that does not go back.
     * @param examples       that all workers have trained on.
     * @param isDisturbedNow true while a fault or a move is under way.
     * @param isCountedNow   false while a worker has nothing to do, which is nobody's fault.
     */
    public void onProgress(
        final long nowMs, final long examples, final boolean isDisturbedNow, final boolean isCountedNow)
    {
        final Sample now = new Sample(nowMs, examples);
        if (null == last)
        {
            beganMs = nowMs;
            samples.add(now);
        }
        else if (isDisturbed && isCounted)
        {
            disturbedMs += nowMs - last.timeMs;
            disturbedExamples += examples - last.examples;
        }
        if (!hasBefore && isDisturbedNow)
        {
            hasBefore = true;
            before = rateUntil(now);
            samples.clear();
        }
        if (!hasBefore && nowMs - samples.getLast().timeMs >= SAMPLE_INTERVAL_MS)
        {
            samples.add(now);
            while (nowMs - samples.getFirst().timeMs > MAX_BEFORE_MS)
            {
                samples.remove();
            }
        }
        last = now;
        isDisturbed = isDisturbedNow;
        isCounted = isCountedNow;
    }

    /** The share of the examples a second that was kept; NaN if nothing happened, or too soon or too shortly. */
    public double share()
    {
        return disturbedMs < MIN_DISTURBED_MS ? Double.NaN : disturbedExamples * 1e3 / disturbedMs / before;
    }

    private double rateUntil(final Sample now)
    {
        final long fromMs = now.timeMs - (now.timeMs - beganMs) / 2;
        final Sample first = samples.stream().filter((sample) -> sample.timeMs >= fromMs).findFirst().orElse(now);
        final long durationMs = now.timeMs - first.timeMs;

        return now.timeMs - beganMs < MIN_BEFORE_MS || now.examples == first.examples ? Double.NaN :
            (now.examples - first.examples) * 1e3 / durationMs;
    }
}
