// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.snapshot;

/**
 * How many bytes of a snapshot may be written, or read back, beside what is appended meanwhile: a share of that, and
 * in any time so many at least; all there are while nothing is appended.
 * <p>
 * So a snapshot ends, if the sink keeps pace. A state of long rows is written once and read back once, while the log
 * grows by about {@link #LOG_RATIO} times its bytes for each (short rows take several times as much, by the key and the
 * frame of each that is written before it changes): both together take no more log than lies between two snapshots
 * that nobody asked for ({@link SnapshotThreshold#LEAST_RATIO}). Only the first snapshot of a replica's life also reads
 * the one before it.
 * <p>
 * That nothing was appended since the last duty cycle does not tell that nobody pushes: there are many more duty
 * cycles than pushes.
 */
public final class SnapshotPace
{
    /** For each byte of a snapshot the log takes so many, while pushes flow. */
    public static final int LOG_RATIO = SnapshotThreshold.LEAST_RATIO / 2;
    /** A snapshot takes so many bytes a second at least: who pushes little waits no longer than that. */
    public static final long LEAST_BYTES_PER_SECOND = 64L * 1024 * 1024;
    /** Pushes have ceased once nothing has been appended for so long; a worker's process may stand still for less. */
    public static final long IDLE_NS = 20_000_000;
    /** As many as there are. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private static final long NS_PER_SECOND = 1_000_000_000;

    private long position;
    private long appendedNs;
    private long askedNs;

    /**
     * Bytes that may be taken since this was last asked, as it is in each duty cycle. A log that was cut counts as
     * one that has not grown.
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
