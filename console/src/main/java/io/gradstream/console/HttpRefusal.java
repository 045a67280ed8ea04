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
package io.gradstream.console;

/**
 * A request is not answered as it asks.
 */
final class HttpRefusal extends Exception
{
    private static final long serialVersionUID = 1L;

    private final String status;

    /**
     * A refusal.
     *
     * @param status  code and reason, as in the first line of an answer.
     * @param message in one sentence.
     */
    HttpRefusal(final String status, final String message)
    {
        super(message, null, false, false);
        this.status = status;
    }

    String status()
    {
        return status;
    }
}
