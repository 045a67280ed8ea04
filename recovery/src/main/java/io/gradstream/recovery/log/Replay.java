// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.log;

/** Reads a recorded stream, a log or a snapshot, from a position to its end. */
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

    /** True if everything has been handed on. */
    boolean isDone();

    /** Where the stream ends: that position has been recorded. */
    long endPosition();

    @Override
    void close();
}
