// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.worker.session.SessionFailure;

/** A failure that the caller of the client must know about. */
public class GradstreamException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /** With a message that says what happened and what to do. */
    public GradstreamException(final String message)
    {
        super(message);
    }

    /**
     * With a message and what caused it.
     *
     * @param message what happened and what to do.
     * @param cause   of it.
     */
    public GradstreamException(final String message, final Throwable cause)
    {
        super(message, cause);
    }

    static GradstreamException of(final SessionFailure failure)
    {
        return switch (failure.kind())
        {
            case PUSHES_LOST -> new PushesLostException(failure.detail());
            case FENCED -> new SlotFencedException(failure.detail());
            case REJECTED, JOB_DELETED -> new GradstreamException(failure.detail());
        };
    }
}
