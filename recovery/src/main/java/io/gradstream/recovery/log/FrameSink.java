// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.log;

import org.agrona.MutableDirectBuffer;

/** Takes the frames of a state one after the other, as far as it has room. */
public interface FrameSink
{
    /** Longest frame. */
    int maxFrameLength();

    /**
     * Claim room for a frame, to be written at {@link #offset()} and {@link #commit() committed}.
     *
     * @return false if there is no room now, or the sink is not open yet.
     */
    boolean tryClaim(int length);

    /** Buffer of the current claim. */
    MutableDirectBuffer buffer();

    /** Where the claim begins. */
    int offset();

    /** Hand the claimed frame on. */
    void commit();
}
