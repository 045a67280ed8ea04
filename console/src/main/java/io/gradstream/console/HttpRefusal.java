// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
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
