// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.log;

import org.agrona.DirectBuffer;

/** Takes one record or snapshot frame at a time. */
@FunctionalInterface
public interface RecordHandler
{
    /**
     * A whole record or frame; the buffer is off heap and valid during the call only.
     *
     * @param position where it ends in its stream, frame padding included.
     */
    void onRecord(DirectBuffer buffer, int offset, int length, long position);
}
