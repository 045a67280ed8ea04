// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import io.gradstream.console.ClusterState;
import io.gradstream.console.ClusterState.Slot;
import io.gradstream.console.ClusterState.Stragglers;
import io.gradstream.console.ClusterState.Table;
import io.gradstream.worker.ClusterDescription;
import io.gradstream.worker.ClusterDescription.PartitionDescription;
import io.gradstream.worker.ClusterDescription.SlotDescription;

/** Adds to the state of a cluster what primaries answered of their tables and slots. */
final class ContentReader
{
    private static final long NS_PER_MS = 1_000_000;

    private ContentReader()
    {
    }

    /**
     * The same state with tables and slots, and with the stragglers of a job that is bounded.
     *
     * @param consistency  bound of the job.
     * @param description  that primaries answered.
     * @param isWithTables true if tables and slots are wanted, not only the stragglers.
     */
    static ClusterState add(
        final ClusterState state,
        final Consistency consistency,
        final ClusterDescription description,
        final boolean isWithTables)
    {
        final boolean isAnswered = description.undescribed().size() < description.partitions().size();

        return state.with(consistency.isBounded() && isAnswered ? stragglers(consistency, description) : null,
            isWithTables ? description.tables().stream().map(ContentReader::table).toList() : null,
            isWithTables ? description.slots().stream().map(ContentReader::slot).toList() : null,
            description.undescribed());
    }

    private static Stragglers stragglers(final Consistency consistency, final ClusterDescription description)
    {
        final Map<Integer, Long> seen = description.slots().stream()
            .collect(Collectors.toMap(SlotDescription::slot, SlotDescription::ended));
        final List<Integer> last = new ArrayList<>();
        long slowest = Consistency.FINISHED;
        long fastest = ClusterState.UNKNOWN;
        for (int slot = 0; slot < consistency.slots(); slot++)
        {
            // a slot that was never seen makes others wait from the beginning on; a finished one no longer does
            final long ended = seen.getOrDefault(slot, 0L);
            if (Consistency.FINISHED != ended)
            {
                if (ended < slowest)
                {
                    last.clear();
                    slowest = ended;
                }
                if (ended == slowest)
                {
                    last.add(slot);
                }
                fastest = Math.max(fastest, ended);
            }
        }
        if (last.isEmpty())
        {
            return new Stragglers(List.of(), 0, 0, null, null);
        }
        final long waitNs = description.partitions().stream().mapToLong(PartitionDescription::heldNs).max().orElse(0);
        if (0 == waitNs && consistency.allows(fastest, slowest))
        {
            return new Stragglers(List.of(), 0, 0, slowest, fastest);
        }

        return new Stragglers(List.copyOf(last), (int)last.stream().filter((slot) -> !seen.containsKey(slot)).count(),
            (waitNs + NS_PER_MS - 1) / NS_PER_MS, slowest, fastest);
    }

    private static Table table(final ClusterDescription.TableDescription table)
    {
        final TableSpec spec = table.spec();

        return new Table(spec.tableId(), spec.name(), spec.isSystem(), spec.elementType().name(), spec.dim(),
            spec.rows(), table.rowsPresent(), table.rowsNotFinite(), table.partitions(), spec.function());
    }

    private static Slot slot(final SlotDescription slot)
    {
        return new Slot(
            slot.slot(), slot.incarnation(), slot.clock(), slot.ended(), slot.parts(), slot.lastSequences());
    }
}
