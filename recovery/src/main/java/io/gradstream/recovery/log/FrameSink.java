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
package io.gradstream.recovery.log;

import org.agrona.MutableDirectBuffer;

/**
 * Takes the frames of a state one after the other, as far as it has room.
 */
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
