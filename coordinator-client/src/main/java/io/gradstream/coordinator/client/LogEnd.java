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
package io.gradstream.coordinator.client;

import io.gradstream.codecs.Chain;

/**
 * Where a replica's own log ends, as the replica reports it when it waits for a role.
 *
 * @param epoch          of the last record, 0 if there is none, {@link Chain#DAMAGED} if the log is damaged.
 * @param position       of the end.
 * @param isLossAccepted does the user take what the copies hold for all there is, even if more was acknowledged?
 */
public record LogEnd(long epoch, long position, boolean isLossAccepted)
{
    /** Of a replica that does not wait for a role. */
    public static final LogEnd NONE = new LogEnd(0, 0);

    /**
     * Of a log that must not have lost anything.
     */
    public LogEnd(final long epoch, final long position)
    {
        this(epoch, position, false);
    }

    /**
     * Whether the log holds what was in it, so that its node may head the chain.
     */
    public boolean isSound()
    {
        return Chain.DAMAGED != epoch;
    }

    /**
     * Whether this log has more than another: the later epoch decides, then the length.
     */
    public boolean isAheadOf(final LogEnd other)
    {
        return epoch != other.epoch ? epoch > other.epoch : position > other.position;
    }
}
