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

/**
 * Reads a recorded stream, a log or a snapshot, from a position to its end.
 */
public interface Replay extends AutoCloseable
{
    /**
     * Hand on what has arrived.
     *
     * @param handler for each record.
     * @param limit   most records to hand on.
     * @return records handed on.
     * @throws ReplayException if the stream is broken (checksum, missing segment) or makes no progress.
     */
    int poll(RecordHandler handler, int limit);

    /** Has everything been handed on? */
    boolean isDone();

    /** Where the stream ends: that position has been recorded. */
    long endPosition();

    @Override
    void close();
}
