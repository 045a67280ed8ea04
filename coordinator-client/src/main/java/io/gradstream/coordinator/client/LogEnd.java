// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.client;

import io.gradstream.codecs.Chain;

/**
 * The end of a replica's own log, as the replica reports it when it waits for a role.
 *
 * @param epoch          of the last record, 0 if there is none, {@link Chain#DAMAGED} if the log is damaged.
 * @param position       of the end.
 * @param isLossAccepted true if the user takes what the copies hold for all there is, even if more was acknowledged.
 */
public record LogEnd(long epoch, long position, boolean isLossAccepted)
{
    /** Of a replica that does not wait for a role. */
    public static final LogEnd NONE = new LogEnd(0, 0);

    /** Of a log that must not have lost anything. */
    public LogEnd(final long epoch, final long position)
    {
        this(epoch, position, false);
    }

    /** True if the log holds what was in it, so that its node may head the chain. */
    public boolean isSound()
    {
        return Chain.DAMAGED != epoch;
    }

    /** True if this log has more than another: the later epoch decides, then the length. */
    public boolean isAheadOf(final LogEnd other)
    {
        return epoch != other.epoch ? epoch > other.epoch : position > other.position;
    }
}
