// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.check;

import io.gradstream.codecs.Consistency;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.simulator.world.Histories;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.Violation;

import java.util.HashMap;
import java.util.Map;

/**
 * Keeps what heads have answered to pulls: the rows and slots of the reference at each place of the log that was read.
 */
public final class PullChecks
{
    /** A place of a partition's log. */
    private record Place(int partition, long epoch, long position)
    {
    }

    /**
     * A partition at one place of its log.
     *
     * @param sums     by key what the row holds.
     * @param imported by key what the row holds that is imported.
     * @param lasts    by slot the last sequence that is applied.
     * @param clocks   by slot the iterations that it has ended with that.
     * @param logged   how far slots may run apart, as its log says.
     */
    public record Contents(float[] sums, float[][] imported, long[] lasts, long[] clocks, Consistency logged)
    {
    }

    private final Histories histories;
    private final Map<Place, Contents> answers = new HashMap<>();

    PullChecks(final Histories histories)
    {
        this.histories = histories;
    }

    /** A head answers a pull from what it holds now. */
    void onRows(final HostedPartition copy, final long epoch, final long position)
    {
        final int partition = copy.number();
        Violation.check(epoch == copy.partition().epoch() && position == copy.partition().cursor().position(),
            Violation.Kind.STALE_READ, "rows of another place than the head's: partition, position, head's",
            partition, position, copy.partition().cursor().position());
        answers.computeIfAbsent(new Place(partition, epoch, position), (place) ->
        {
            final long[] lasts = new long[ScenarioConfig.SLOTS];
            final long[] clocks = new long[lasts.length];
            for (int slot = 0; slot < lasts.length; slot++)
            {
                lasts[slot] = copy.partition().lastSequence(slot);
                clocks[slot] = histories.history(partition).clock(slot, lasts[slot]);
            }

            return new Contents(
                histories.history(partition).fold(copy.partition()),
                histories.history(partition).imported(copy.partition()), lasts, clocks,
                copy.partition().consistency());
        });
    }

    /** Returns what a partition held where a worker says that it was read. */
    public Contents at(final int partition, final long epoch, final long position)
    {
        final Contents contents = answers.get(new Place(partition, epoch, position));
        Violation.check(null != contents, Violation.Kind.STALE_READ, "rows that no head has read: partition, position",
            partition, position);

        return contents;
    }
}
