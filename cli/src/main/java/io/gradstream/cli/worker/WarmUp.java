// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import java.util.concurrent.TimeUnit;

import io.gradstream.launcher.process.StatusLine;

/**
 * The first part of a worker's run, in which the JVMs of the cluster compile their code: 10 s, or half of the batches
 * if they are done sooner. Latency and speed are measured after it.
 */
public final class WarmUp
{
    /** Longest time that a warm-up takes. */
    static final long MAX_NS = TimeUnit.SECONDS.toNanos(10);
    /** Field with the length of the warm-up in seconds. */
    public static final String WARMUP_SECONDS = "warmupSeconds";
    /** Field with the seconds after the warm-up. */
    public static final String MEASURED_SECONDS = "measuredSeconds";
    /** Field with the examples that the worker has trained on after the warm-up. */
    public static final String MEASURED_EXAMPLES = "measuredExamples";

    private final long beganNs;
    private final long halfOfBatches;
    private long endedNs;
    private long examplesBefore;
    private boolean isOver;

    /**
     * A warm-up that begins now.
     *
     * @param done    batches before this process began.
     * @param planned batches, those included.
     */
    WarmUp(final long nowNs, final long done, final long planned)
    {
        beganNs = nowNs;
        endedNs = nowNs;
        halfOfBatches = done + (planned - done) / 2;
    }

    /**
     * Called after each batch.
     *
     * @param batches  that are done.
     * @param examples that this process has trained on.
     * @return true if the warm-up ends with this batch.
     */
    boolean onBatch(final long nowNs, final long batches, final long examples)
    {
        if (isOver || nowNs - beganNs < MAX_NS && batches < halfOfBatches)
        {
            return false;
        }
        isOver = true;
        endedNs = nowNs;
        examplesBefore = examples;
        return true;
    }

    /** Add to a result how long the warm-up was, and how fast the worker was after it. */
    StatusLine addTo(final StatusLine result, final long nowNs, final long examples)
    {
        return result.with(WARMUP_SECONDS, seconds(endedNs - beganNs))
            .with(MEASURED_SECONDS, seconds(nowNs - endedNs))
            .with(MEASURED_EXAMPLES, examples - examplesBefore);
    }

    private static double seconds(final long ns)
    {
        return ns / (double)TimeUnit.SECONDS.toNanos(1);
    }
}
