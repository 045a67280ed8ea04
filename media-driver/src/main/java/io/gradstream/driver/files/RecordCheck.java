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
