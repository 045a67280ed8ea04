// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.log;

import org.agrona.MutableDirectBuffer;

/**
 * One replica's own log: records are claimed, written in place and committed; its Archive records them.
 * A claim is never aborted: its padding would belong to no record, and the copies would part.
 */
public interface Log extends AutoCloseable
{
    /** Longest record that fits one claim. */
    int maxRecordLength();

    /** Where the next record begins; padding at a term's end may come first. */
    long position();

    /**
     * Claim room for a record. On success it must be written to {@link #buffer()} from {@link #offset()} on, and then
     * {@link #commit() committed} before anything else is done with this log.
     *
     * @param length bytes of the record, at most {@link #maxRecordLength()}.
     * @return false if there is no room now; then nothing has happened.
     */
    boolean tryClaim(int length);

    /**
     * Fill the log with padding up to the beginning of a term, because another copy of it did.
     *
     * @param position where a term begins, at most one record's length ahead.
     * @return false if there is no room now; then nothing has happened.
     */
    boolean tryPadTo(long position);

    /** Where the claimed record will end once it is committed. */
    long claimEndPosition();

    /**
     * Buffer of the current claim. Its bytes may be read only until it is committed: after that they belong to the log,
     * which blanks them as soon as they are recorded.
     *
     * @return buffer off heap.
     */
    MutableDirectBuffer buffer();

    /** Where the claim begins in the buffer. */
    int offset();

    /** Make the claimed record part of the log. */
    void commit();

    /**
     * Up to where the Archive has recorded this log. Does not grow when the recording has died.
     *
     * @return position, at most {@link #position()}.
     */
    long recordedPosition();

    /**
     * True if the log is still open and its recording alive. If not, the replica must stop: what is appended would not
     * be kept.
     */
    boolean isAlive();

    @Override
    void close();
}
