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
package io.gradstream.recovery.archive.client;

/**
 * Finds the part of a recording that a replay reads, as soon as that part can be read.
 */
public interface RangeFinder
{
    /**
     * Asks the Archive once more.
     *
     * @return what to read, or null: ask again.
     * @throws io.gradstream.recovery.log.ReplayException if the recording does not hold it.
     */
    ReplayRange find(ArchiveClient client);

    /**
     * A part of a recording.
     *
     * @param recordingId  of the recording.
     * @param fromPosition where a frame begins, or the end.
     * @param toPosition   where a frame ends.
     */
    record ReplayRange(long recordingId, long fromPosition, long toPosition)
    {
        public long length()
        {
            return toPosition - fromPosition;
        }
    }
}
