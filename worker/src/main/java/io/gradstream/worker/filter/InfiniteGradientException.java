// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.filter;

/** Refuses a push whose gradients are in range, but not what a filter makes of them: a sum, or a multiple. */
public final class InfiniteGradientException extends IllegalArgumentException
{
    private static final long serialVersionUID = 1L;

    /** The message names table, key and filter. */
    public InfiniteGradientException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
