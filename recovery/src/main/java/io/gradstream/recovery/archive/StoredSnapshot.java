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
package io.gradstream.recovery.archive;

/**
 * A snapshot that is on disk whole.
 *
 * @param recordingId of its recording.
 * @param endPosition of its recording; it begins at 0.
 * @param position    of the log that it stands for.
 * @param isVerified  has it been read back in this life of the process?
 */
record StoredSnapshot(long recordingId, long endPosition, long position, boolean isVerified)
{
    /** Names of the files of a snapshot's recording. */
    static String files(final long recordingId)
    {
        return recordingId + "-*.rec";
    }

    StoredSnapshot verified()
    {
        return new StoredSnapshot(recordingId, endPosition, position, true);
    }
}
