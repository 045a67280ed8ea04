// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import java.io.IOException;

/**
 * A file is no sound model, or what was handed over makes none. The message says what is wrong, where, and what to do.
 */
public class ModelFileException extends IOException
{
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message what is wrong, where, and what to do.
     */
    public ModelFileException(final String message)
    {
        super(message);
    }

    /**
     * With a message and what caused it.
     *
     * @param message what is wrong, where, and what to do.
     * @param cause   of it.
     */
    public ModelFileException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
