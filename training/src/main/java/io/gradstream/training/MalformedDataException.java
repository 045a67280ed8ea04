// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

/** Training data that cannot be used. The message is one line for the user: file, line where known, what is wrong. */
public final class MalformedDataException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /** With the one line. */
    public MalformedDataException(final String message)
    {
        super(message);
    }

    /** With the one line, and its cause. */
    public MalformedDataException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
