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
 * Training has diverged: a score or a gradient is infinite or not a number, so there is nothing to push.
 */
public final class DivergedException extends IllegalStateException
{
    private static final long serialVersionUID = 1L;

    /** With what is not finite. */
    public DivergedException(final String message)
    {
        super(message);
    }
}
