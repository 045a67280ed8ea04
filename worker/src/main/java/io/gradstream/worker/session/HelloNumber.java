// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

/**
 * Number of the hello by which a session is attached or wants to be. Answers name it, so that one which comes late
 * from an earlier connection is known as such. A hello that is sent again because no answer came keeps its number.
 */
final class HelloNumber
{
    private final WorkerIdentity identity;
    private long number;
    private boolean isOver = true;

    HelloNumber(final WorkerIdentity identity)
    {
        this.identity = identity;
    }

    long toSend()
    {
        return isOver ? number + 1 : number;
    }

    void onSent()
    {
        number = toSend();
        isOver = false;
    }

    /** Whatever answers the last hello does not count any more. */
    void end()
    {
        isOver = true;
    }

    boolean isAnsweredBy(final long messageIncarnation, final long helloId)
    {
        return !isOver && messageIncarnation == identity.incarnation() && helloId == number;
    }
}
