// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

/** A partition came back without pushes that it had acknowledged and this worker keeps no more. */
public class PushesLostException extends GradstreamException
{
    private static final long serialVersionUID = 1L;

    /** With a message that says what happened and what to do. */
    public PushesLostException(final String message)
    {
        super(message);
    }
}
