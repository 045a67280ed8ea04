// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

/** The fate of a message at a partition. */
public enum Outcome
{
    /** It is in the log and in the state (for a part refused for its content: its refusal is). */
    APPENDED,
    /** It had been appended before; the watermarks say how far it has come. */
    DUPLICATE,
    /** It was refused, with {@link Partition#refusal()}, and consumed nothing. */
    REFUSED,
    /** There is no room now and nothing has happened: do not consume the message. */
    NOT_NOW;

    /** Of a message for which there was room in the log, or not. */
    static Outcome appendedIf(final boolean isAppended)
    {
        return isAppended ? APPENDED : NOT_NOW;
    }
}
