// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

/** Another process holds this worker's slot. */
public class SlotFencedException extends GradstreamException
{
    private static final long serialVersionUID = 1L;

    /** With a message that says what happened and what to do. */
    public SlotFencedException(final String message)
    {
        super(message);
    }
}
