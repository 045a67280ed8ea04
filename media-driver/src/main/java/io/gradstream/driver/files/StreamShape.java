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

import io.aeron.archive.codecs.RecordingDescriptorDecoder;

/**
 * The shape of a recorded stream, which each of its frames has to fit.
 *
 * @param mtuLength     longest frame.
 * @param termLength    bytes of a term.
 * @param initialTermId of the stream.
 * @param streamId      of the stream.
 */
public record StreamShape(int mtuLength, int termLength, int initialTermId, int streamId)
{
    static StreamShape of(final RecordingDescriptorDecoder recording)
    {
        return new StreamShape(
            recording.mtuLength(), recording.termBufferLength(), recording.initialTermId(), recording.streamId());
    }
}
