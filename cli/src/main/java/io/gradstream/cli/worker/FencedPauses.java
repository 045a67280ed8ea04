// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

/**
 * The pauses before a worker asks for another slot because it was fenced. If that happens again and again, as where
 * servers know a process that the coordinators do not, each pause is twice as long as the one before, up to a limit.
 * Pure.
 */
final class FencedPauses
{
    /** The first pause. */
    static final long FIRST_MS = 100;
    /** The longest pause. */
    static final long LIMIT_MS = 10_000;

    private boolean isFirst = true;
    private long pauseMs;
    private long untilMs;

    /**
     * The pause that begins now. It is the first one again if this process was not fenced for as long as the limit.
     *
     * @param nowMs time by a clock that does not go back.
     * @return milliseconds.
     */
    long next(final long nowMs)
    {
        final boolean isSeldom = isFirst || nowMs - untilMs >= LIMIT_MS;
        pauseMs = isSeldom ? FIRST_MS : Math.min(LIMIT_MS, 2 * pauseMs);
        isFirst = false;
        untilMs = nowMs + pauseMs;

        return pauseMs;
    }
}
