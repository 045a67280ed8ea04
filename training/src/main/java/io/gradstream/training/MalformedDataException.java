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
package io.gradstream.training;

/**
 * Training data that cannot be used. The message is one line for the user: file, line where known, what is wrong.
 */
public final class MalformedDataException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /** With the one line. */
    public MalformedDataException(final String message)
    {
        super(message);
    }

    /** With the one line, and what was thrown below. */
    public MalformedDataException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
