// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.client.PartitionAnswer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A description of the cluster: each partition as its primary answered, none at exactly the same moment as another.
 *
 * @param jobId      of the job.
 * @param job        as the coordinators know it; null for a client that was given a list of servers.
 * @param tables     by id, the system's own first.
 * @param partitions by number, all of them.
 * @param slots      by number, those of which a part was ever taken.
 */
public record ClusterDescription(
    int jobId,
    JobSpec job,
    List<TableDescription> tables,
    List<PartitionDescription> partitions,
    List<SlotDescription> slots)
{
    /** A copy that cannot change. */
    public ClusterDescription
    {
        tables = List.copyOf(tables);
        partitions = List.copyOf(partitions);
        slots = List.copyOf(slots);
    }

    /** Numbers of the partitions whose primary did not answer. */
    public List<Integer> undescribed()
    {
        return partitions.stream()
            .filter((partition) -> !partition.isDescribed()).map(PartitionDescription::partition).toList();
    }

    /** Put the answers of partitions together. */
    static ClusterDescription of(final int jobId, final JobSpec job, final List<PartitionAnswer> answers)
    {
        return new ClusterDescription(
            jobId, job, tables(answers), answers.stream().map(PartitionDescription::of).toList(), slots(answers));
    }

    private static List<TableDescription> tables(final List<PartitionAnswer> answers)
    {
        final Map<Integer, TableDescription> byId = new TreeMap<>();
        for (final PartitionAnswer answer : answers)
        {
            answer.tables().forEach((spec, rows) -> byId.merge(
                spec.tableId(), new TableDescription(spec, rows.present(), rows.notFinite(), 1),
                (known, more) -> new TableDescription(
                    known.spec(), known.rowsPresent() + more.rowsPresent(),
                    known.rowsNotFinite() + more.rowsNotFinite(), known.partitions() + 1)));
        }

        return List.copyOf(byId.values());
    }

    private static List<SlotDescription> slots(final List<PartitionAnswer> answers)
    {
        final Map<Integer, Long> incarnations = new TreeMap<>();
        for (final PartitionAnswer answer : answers)
        {
            answer.slots().forEach((slot, at) -> incarnations.merge(slot, at.incarnation(), Math::max));
        }
        final List<SlotDescription> slots = new ArrayList<>();
        incarnations.forEach((slot, incarnation) ->
        {
            final List<Long> lastSequences = new ArrayList<>(Collections.nCopies(answers.size(), 0L));
            long clock = Long.MAX_VALUE;
            long ended = Long.MAX_VALUE;
            for (int i = 0; i < answers.size(); i++)
            {
                if (answers.get(i).isComplete())
                {
                    final PartitionAnswer.SlotAt at = answers.get(i).slots().get(slot);
                    clock = Math.min(clock, null == at ? 0 : at.clock());
                    ended = Math.min(ended, null == at ? 0 : at.ended());
                    lastSequences.set(i, null == at ? 0 : at.lastSequence());
                }
            }
            slots.add(new SlotDescription(slot, incarnation, clock, ended, lastSequences));
        });

        return slots;
    }

    /**
     * A partition, as its primary sees it.
     *
     * @param partition its number.
     * @param epoch     of its primary, 0 if it did not answer.
     * @param position  end of the primary's log, bytes: the description is of the records applied up to here.
     * @param chain     nodes in sync, the primary first; empty if it did not answer.
     * @param joiner    node that catches up after them, or {@link Chain#NONE}.
     * @param wanted    nodes in sync that there should be.
     * @param heldNs    how long the oldest pull has waited there for slots that are behind; 0 if none waits.
     */
    public record PartitionDescription(
        int partition, long epoch, long position, List<Integer> chain, int joiner, int wanted, long heldNs)
    {
        /** A copy that cannot change. */
        public PartitionDescription
        {
            chain = List.copyOf(chain);
        }

        /** True if its primary answered; else nothing is known of the partition. */
        public boolean isDescribed()
        {
            return !chain.isEmpty();
        }

        static PartitionDescription of(final PartitionAnswer answer)
        {
            return new PartitionDescription(answer.partition(), answer.epoch(), answer.position(), answer.chain(),
                answer.joiner(), answer.wanted(), answer.heldNs());
        }
    }

    /**
     * A slot of which a part was ever taken.
     *
     * @param slot          its number.
     * @param incarnation   newest process of which a part was taken.
     * @param clock         iterations that it has finished at every partition that answered: the least of their
     *                      counts.
     * @param ended         the same with those that primaries hold until all slots end them, as they do in a job whose
     *                      staleness bound is 0.
     * @param lastSequences for each partition the last sequence that is applied, pushes and clocks alike; 0 where no
     *                      part was taken or the primary did not answer.
     */
    public record SlotDescription(int slot, long incarnation, long clock, long ended, List<Long> lastSequences)
    {
        /** A copy that cannot change. */
        public SlotDescription
        {
            lastSequences = List.copyOf(lastSequences);
        }

        /** Parts of the slot that are applied, pushes and clocks alike, over all partitions that answered. */
        public long parts()
        {
            return lastSequences.stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * A table that exists.
     *
     * @param spec          it was created with: fit for {@link GradstreamClient#openTable}. The rows of a sparse table
     *                      are 0 there; a negative id is a system table.
     * @param rowsPresent   rows that are kept because they were updated, summed over the partitions that answered. A
     *                      system table has a copy in each partition, which all count.
     * @param rowsNotFinite of these, rows that have overflowed: a value, or the update function's state, is infinite or
     *                      NaN.
     * @param partitions    that have it among those that answered: fewer than all while it is being created.
     */
    public record TableDescription(TableSpec spec, long rowsPresent, long rowsNotFinite, int partitions)
    {
    }
}
