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
package io.gradstream.server.partition;

/**
 * The sender and the number of a push part; a flyweight that the ingress fills for each message.
 */
public final class PushPartHeader
{
    int slot;
    long incarnation;
    long epoch;
    long sequence;
    long acknowledgedThrough;
    long clock;
    long adopted;

    public PushPartHeader set(
        final int slot,
        final long incarnation,
        final long epoch,
        final long sequence,
        final long acknowledgedThrough,
        final long clock)
    {
        this.slot = slot;
        this.incarnation = incarnation;
        this.epoch = epoch;
        this.sequence = sequence;
        this.acknowledgedThrough = acknowledgedThrough;
        this.clock = clock;
        adopted = 0;

        return this;
    }

    /** Of the end of a clock: last held part of the process before that it ends, 0 if none. */
    public PushPartHeader adopted(final long sequence)
    {
        adopted = Math.max(0, sequence);

        return this;
    }

    public int slot()
    {
        return slot;
    }

    public long incarnation()
    {
        return incarnation;
    }

    public long epoch()
    {
        return epoch;
    }

    public long sequence()
    {
        return sequence;
    }

    /**
     * The worker knows the outcome of all sequences up to here.
     */
    public long acknowledgedThrough()
    {
        return acknowledgedThrough;
    }

    public long clock()
    {
        return clock;
    }

    /** Of the end of a clock: last held part of the process before that it ends, 0 if none. */
    public long adopted()
    {
        return adopted;
    }
}
