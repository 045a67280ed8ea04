// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A file is no sound model, or what was handed over makes none. The message says what is wrong, where, and what to do.
 */
public class ModelFileException extends IOException
{
    static final String WHAT_TO_DO = "; export the model again, or take another copy of the file";

    private static final long serialVersionUID = 1L;

    /** With a message: what is wrong, where, and what to do. */
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

    static ModelFileException damaged(final Path file, final String detail, final Throwable cause)
    {
        return new ModelFileException(file + " is damaged " + detail + WHAT_TO_DO, cause);
    }
}
