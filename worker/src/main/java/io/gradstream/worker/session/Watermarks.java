// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

/** The watermarks of a slot at one partition, as its current primary told them. They never go back under one epoch. */
public final class Watermarks
{
    private long applied;
    private long replicated;
    private long recorded;
    private long snapshotted;

    void startAt(final long sequence)
    {
        applied = sequence;
        replicated = sequence;
        recorded = sequence;
        snapshotted = sequence;
    }

    void advance(
        final long newApplied, final long newReplicated, final long newRecorded, final long newSnapshotted)
    {
        applied = Math.max(applied, newApplied);
        replicated = Math.max(replicated, newReplicated);
        recorded = Math.max(recorded, newRecorded);
        snapshotted = Math.max(snapshotted, newSnapshotted);
    }

    public long of(final AckLevel level)
    {
        return switch (level)
        {
            case APPLIED -> applied;
            case REPLICATED -> replicated;
            case RECORDED -> recorded;
            case SNAPSHOTTED -> snapshotted;
        };
    }
}
