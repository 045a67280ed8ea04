// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

/** Training has diverged: a score or a gradient is infinite or not a number, so there is nothing to push. */
public final class DivergedException extends IllegalStateException
{
    private static final long serialVersionUID = 1L;

    /** With what is not finite. */
    public DivergedException(final String message)
    {
        super(message);
    }
}
