// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

/** The sender and the number of a push part; a flyweight that the ingress fills for each message. */
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

    /** The worker knows the outcome of all sequences up to here. */
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
