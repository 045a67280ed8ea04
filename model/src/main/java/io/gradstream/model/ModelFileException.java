/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
