// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train.progress;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keeps the longest time without an acknowledgement that a worker saw at each change of a partition's lead. */
public final class MovePauses
{
    private final Map<Change, Long> longestMs = new HashMap<>();

    /**
     * Another server leads a partition.
     *
     * @param partition its number.
     * @param epoch     of the new lead.
     */
    private record Change(int partition, long epoch)
    {
    }

    /** A worker's pushes to a partition are acknowledged by the lead of an epoch, after a pause. */
    public void onServiceBack(final int partition, final long epoch, final long pauseMs)
    {
        longestMs.merge(new Change(partition, epoch), pauseMs, Math::max);
    }

    /**
     * The pauses of some changes, those that a worker saw.
     *
     * @param leads by partition the epochs of the new leads.
     */
    public List<Long> of(final Map<Integer, List<Long>> leads)
    {
        final List<Long> pauses = new ArrayList<>();
        leads.forEach((partition, epochs) -> epochs.forEach((epoch) ->
        {
            final Long pauseMs = longestMs.get(new Change(partition, epoch));
            if (null != pauseMs)
            {
                pauses.add(pauseMs);
            }
        }));

        return pauses;
    }
}
