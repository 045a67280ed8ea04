// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.files;

import org.agrona.DirectBuffer;

/**
 * Tells whether a recorded message is whole by what the message says of itself: where a frame's header is in doubt,
 * that decides whether the frame was recorded.
 */
@FunctionalInterface
public interface RecordCheck
{
    /** For messages that do not say it. */
    RecordCheck NONE = (buffer, offset, available) -> 0;

    /**
     * Length of the message that begins here.
     *
     * @param buffer    that holds it, off heap.
     * @param available bytes from there on that may belong to it.
     * @return bytes of the message if it is whole, by a checksum of its own; 0 if it is not, or if that cannot be told.
     */
    int wholeLength(DirectBuffer buffer, int offset, int available);
}
