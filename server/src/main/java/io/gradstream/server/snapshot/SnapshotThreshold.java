// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.snapshot;

/**
 * After how many bytes of log a partition takes a snapshot.
 *
 * @param leastBytes  of log, with which a snapshot's fixed costs count.
 * @param leastRatio  for each byte of the state the log takes so many at least.
 * @param mostRatio   and so many, as long as that is no more than replayBytes.
 * @param replayBytes of log that are replayed in the time that a start may take; a large state may need more.
 */
public record SnapshotThreshold(long leastBytes, int leastRatio, int mostRatio, long replayBytes)
{
    /** Where a log is kept it takes at least so many bytes for each that snapshots take. */
    public static final int LEAST_RATIO = 4;
    /** And so many where the replay of that stays within its time. */
    public static final int MOST_RATIO = 16;

    /** The same for every state. */
    public static SnapshotThreshold fixed(final long logBytes)
    {
        return new SnapshotThreshold(logBytes, 0, 0, 0);
    }

    /**
     * In proportion to the state, since a snapshot writes about as many bytes as that has, and reads them back.
     *
     * @param leastBytes  see {@link #leastBytes()}.
     * @param replayBytes see {@link #replayBytes()}.
     */
    public static SnapshotThreshold proportional(final long leastBytes, final long replayBytes)
    {
        return new SnapshotThreshold(leastBytes, LEAST_RATIO, MOST_RATIO, replayBytes);
    }

    /**
     * For a state of now.
     *
     * @param stateBytes of all rows.
     * @return bytes of log.
     */
    public long logBytes(final long stateBytes)
    {
        // so much is appended at most until the snapshot is complete, and is replayed as well
        final long meanwhileBytes = leastRatio * stateBytes;

        return Math.max(leastBytes, Math.max(
            leastRatio * stateBytes, Math.min(mostRatio * stateBytes, replayBytes - meanwhileBytes)));
    }
}
