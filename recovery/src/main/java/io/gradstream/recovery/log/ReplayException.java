// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.log;

/** A recorded stream could not be read to its end. */
public final class ReplayException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /** With what is wrong and where. */
    public ReplayException(final String message)
    {
        super(message);
    }

    /** With what is wrong and where. */
    public ReplayException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
