// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.gradstream.recovery.archive.client.PartitionStreams;
import io.gradstream.recovery.archive.client.RangeFinder.ReplayRange;
import io.gradstream.recovery.archive.client.RangeReader;

/** Reads a snapshot's recording back from beginning to end, a few frames with each step. */
final class SnapshotVerification extends RangeReader
{
    private final SnapshotCheck check;

    SnapshotVerification(final PartitionStreams streams, final ReplayRange range)
    {
        this(streams, range, new SnapshotCheck());
    }

    private SnapshotVerification(final PartitionStreams streams, final ReplayRange range, final SnapshotCheck check)
    {
        super(streams, range, check, Long.MAX_VALUE);
        this.check = check;
    }

    /** True if the last frame was the end of a whole snapshot; to be asked once the reading is done. */
    boolean isWhole()
    {
        return check.isEnded();
    }

    /** The log position that the snapshot stands for. */
    long position()
    {
        return check.position();
    }
}
