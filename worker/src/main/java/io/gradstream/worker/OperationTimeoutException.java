// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

/** An operation did not finish within its time. What was spooled stays pushed and goes on. */
public class OperationTimeoutException extends GradstreamException
{
    private static final long serialVersionUID = 1L;

    /** With a message that says what happened and what to do. */
    public OperationTimeoutException(final String message)
    {
        super(message);
    }
}
