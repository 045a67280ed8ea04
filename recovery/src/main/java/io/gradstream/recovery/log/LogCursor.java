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

import io.gradstream.codecs.LogRecords;

/**
 * Where a replica stands in its log: the last record's end, number, epoch and chain hash. The epoch never goes back.
 */
public final class LogCursor
{
    private long position;
    private long previousPosition;
    private long index;
    private long epoch;
    private long chainHash = LogRecords.EMPTY_CHAIN_HASH;

    /**
     * Stand before the first record of an empty log.
     */
    public void reset()
    {
        set(0, 0, 0, LogRecords.EMPTY_CHAIN_HASH);
    }

    /**
     * Stand after a given record.
     *
     * @param position  where it ends.
     * @param index     its number.
     * @param epoch     it was written under.
     * @param chainHash its chain hash.
     */
    public void set(final long position, final long index, final long epoch, final long chainHash)
    {
        this.previousPosition = position;
        this.position = position;
        this.index = index;
        this.epoch = epoch;
        this.chainHash = chainHash;
    }

    /**
     * Step over the next record.
     *
     * @param position  where it ends.
     * @param epoch     it was written under.
     * @param chainHash its chain hash.
     */
    public void advance(final long position, final long epoch, final long chainHash)
    {
        if (position <= this.position || epoch < this.epoch)
        {
            throw new IllegalStateException("log went back: position=" + position + " after=" + this.position +
                " epoch=" + epoch + " after=" + this.epoch);
        }
        final long endOfLast = this.position;
        set(position, index + 1, epoch, chainHash);
        previousPosition = endOfLast;
    }

    /**
     * End of the record before the last one: where the last one's claim began, before any padding.
     *
     * @return position.
     */
    public long previousPosition()
    {
        return previousPosition;
    }

    /**
     * End of the last record.
     *
     * @return position.
     */
    public long position()
    {
        return position;
    }

    /**
     * Number of the last record, 0 for an empty log.
     *
     * @return index.
     */
    public long index()
    {
        return index;
    }

    /**
     * Epoch of the last record, 0 for an empty log.
     *
     * @return epoch.
     */
    public long epoch()
    {
        return epoch;
    }

    /**
     * Chain hash of the last record.
     *
     * @return hash.
     */
    public long chainHash()
    {
        return chainHash;
    }
}
