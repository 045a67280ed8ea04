// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.measure;

/** The user wants the run to end. What it started is stopped on the way out. */
public final class InterruptedRunException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    public InterruptedRunException()
    {
        super("interrupted");
    }

    /**
     * Go on, unless the user wants the run to end.
     *
     * @throws InterruptedRunException if this thread was interrupted.
     */
    public static void check()
    {
        if (Thread.interrupted())
        {
            throw new InterruptedRunException();
        }
    }
}
