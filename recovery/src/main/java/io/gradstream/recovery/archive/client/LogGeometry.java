// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive.client;

import io.aeron.ChannelUriStringBuilder;
import io.aeron.CommonContext;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.gradstream.codecs.Check;

/**
 * Shape of a job's logs and snapshots: equal in all replicas and for ever, since positions depend on it.
 *
 * @param mtuLength     longest frame, so that a record of {@code mtuLength - 32} bytes is written in place.
 * @param termLength    bytes of a term.
 * @param initialTermId of each log.
 */
public record LogGeometry(int mtuLength, int termLength, int initialTermId)
{
    /** Frames of 64 KiB in terms of 1 MiB. */
    public static final LogGeometry DEFAULT = new LogGeometry(65504, 1024 * 1024, 7);
    /** Most partitions a job has, so that no two streams collide. */
    public static final int MAX_PARTITIONS = 4096;

    private static final int LOG_STREAM_BASE = 1000;
    private static final int SNAPSHOT_STREAM_BASE = 20_000;
    private static final int REPLAY_STREAM_BASE = 30_000;

    /** Check the lengths. */
    public LogGeometry
    {
        Check.that(mtuLength >= 1024 && mtuLength <= 65504 && 0 == (mtuLength & FrameDescriptor.FRAME_ALIGNMENT - 1),
            "mtuLength", mtuLength, "a multiple of 32 in 1024..65504");
        LogBufferDescriptor.checkTermLength(termLength);
    }

    public static int logStreamId(final int partition)
    {
        return LOG_STREAM_BASE + partition;
    }

    public static int snapshotStreamId(final int partition)
    {
        return SNAPSHOT_STREAM_BASE + partition;
    }

    public static int replayStreamId(final int partition)
    {
        return REPLAY_STREAM_BASE + partition;
    }

    public static String logAlias(final int jobId, final int partition)
    {
        return "gradstream-log-" + jobId + "-" + partition;
    }

    public static String snapshotAlias(final int jobId, final int partition)
    {
        return "gradstream-snapshot-" + jobId + "-" + partition;
    }

    /**
     * Channel of a stream that begins at a position. It names no session: an old one may still be known to the driver.
     *
     * @param position where it begins, a multiple of 32.
     */
    public String channel(final String alias, final long position)
    {
        return new ChannelUriStringBuilder()
            .media(CommonContext.IPC_MEDIA)
            .mtu(mtuLength)
            .initialPosition(position, initialTermId, termLength)
            .alias(alias)
            .build();
    }
}
