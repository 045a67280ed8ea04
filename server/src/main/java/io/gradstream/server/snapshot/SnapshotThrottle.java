// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.snapshot;

/**
 * Limits the bytes of a snapshot that may be written, or read back, while records are appended: a share of the appended
 * bytes, and at least {@link #LEAST_BYTES_PER_SECOND}. While nothing is appended there is no limit.
 * <p>
 * So a snapshot ends, if the sink keeps pace. A state of long rows is written once and read back once. For each of the
 * two the log grows by about {@link #LOG_RATIO} times the state's bytes. Short rows take several times as much, because
 * of the key and the frame of each row that is written before it changes. Both together take no more log than lies
 * between two snapshots that were taken for the log's growth alone ({@link SnapshotThreshold#LEAST_RATIO}). Only the
 * first snapshot of a replica's life also reads the one before it.
 * <p>
 * Even if nothing was appended since the last duty cycle, workers may be pushing: there are many more duty cycles than
 * pushes.
 */
public final class SnapshotThrottle
{
    /** Bytes by which the log grows for each byte of a snapshot, while pushes flow. */
    public static final int LOG_RATIO = SnapshotThreshold.LEAST_RATIO / 2;
    /** Least bytes of a snapshot per second, so that a worker that pushes little does not wait longer. */
    public static final long LEAST_BYTES_PER_SECOND = 64L * 1024 * 1024;
    /** Pushes have ceased once nothing has been appended for this time; a worker's process may stand still for less. */
    public static final long IDLE_NS = 20_000_000;
    /** Stands for no limit. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final long NS_PER_SECOND = 1_000_000_000;

    private long position;
    private long appendedNs;
    private long askedNs;

    /**
     * Bytes that may be taken since the last call; to be called in each duty cycle. A log that was cut counts as one
     * that has not grown.
     *
     * @param appendedPosition end of the log.
     * @return a count, or {@link #UNLIMITED}.
     */
    public long newBytes(final long nowNs, final long appendedPosition)
    {
        final long appended = Math.max(0, appendedPosition - position);
        final long elapsedNs = Math.min(nowNs - askedNs, NS_PER_SECOND);
        if (appendedPosition != position)
        {
            appendedNs = nowNs;
        }
        position = appendedPosition;
        askedNs = nowNs;

        return nowNs - appendedNs >= IDLE_NS ? UNLIMITED :
            Math.max(appended / LOG_RATIO, LEAST_BYTES_PER_SECOND * elapsedNs / NS_PER_SECOND);
    }
}
