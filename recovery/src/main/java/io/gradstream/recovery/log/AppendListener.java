// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.log;

import org.agrona.DirectBuffer;

/** Is told of each record after it was applied and before it is committed to the log, while its bytes may be read. */
@FunctionalInterface
public interface AppendListener
{
    /**
     * A record is about to be committed.
     *
     * @param previousPosition where the record before it ends.
     * @param endPosition      where it ends.
     */
    void onAppended(long previousPosition, long endPosition, DirectBuffer buffer, int offset, int length);
}
