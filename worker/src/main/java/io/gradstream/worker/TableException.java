// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.Refusal;

/** A table cannot be created or opened: a partition refused it, or has none such. */
public class TableException extends GradstreamException
{
    private static final long serialVersionUID = 1L;

    private final Refusal refusal;

    /**
     * With the refusal.
     *
     * @param message which table and why.
     * @param refusal why.
     */
    public TableException(final String message, final Refusal refusal)
    {
        super(message);
        this.refusal = refusal;
    }

    /** Why it was refused: {@link Refusal#NO_SUCH_TABLE} if it was to be opened and is not there. */
    public Refusal refusal()
    {
        return refusal;
    }
}
