// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.codecs.LogRecords;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.log.ClockSummedDecoder;
import io.gradstream.codecs.log.ClockSummedEncoder;
import io.gradstream.codecs.log.MessageHeaderDecoder;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.log.LogAppender;
import io.gradstream.recovery.log.LogCursor;
import io.gradstream.recovery.log.ReplicatedState;
import io.gradstream.server.partition.Partition;
import io.gradstream.simulator.world.History;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.Workload;
import io.gradstream.simulator.world.World;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Set;

/**
 * A partition that makes mistakes with the sums of clocks and cycles: all copies the same, so that only the model shows
 * them.
 */
final class PlantedSums implements ReplicatedState
{
    private final World world;
    private final Partition partition;
    private final History history;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ClockSummedDecoder decoder = new ClockSummedDecoder();
    private final Sections sections = new Sections();
    private final Set<Long> refused = new HashSet<>();
    /** Epoch of the last sum. */
    private long summedEpoch;

    private PlantedSums(final World world, final Partition partition, final History history)
    {
        this.world = world;
        this.partition = partition;
        this.history = history;
    }

    /** The partition itself, or one that makes the planted mistake. */
    static ReplicatedState of(final World world, final Partition partition, final History history)
    {
        return world.isPlanted(PlantedFault.SUM_IN_ARRIVAL_ORDER) || world.isPlanted(PlantedFault.HALF_A_SUM_APPLIED) ||
            world.isPlanted(PlantedFault.CONTRIBUTION_COUNTED_TWICE) ||
            world.isPlanted(PlantedFault.CYCLE_COUNTED_TWICE) && world.config().isCycleSummed() ?
            new PlantedSums(world, partition, history) : partition;
    }

    @Override
    public void applyRecord(final DirectBuffer buffer, final int offset, final int length, final long position)
    {
        if (ClockSummedDecoder.TEMPLATE_ID != LogRecords.templateId(buffer, offset))
        {
            refused.clear();
            partition.applyRecord(buffer, offset, length, position);
            return;
        }

        final UnsafeBuffer record = new UnsafeBuffer(new byte[length]);
        record.putBytes(0, buffer, offset, length);
        final boolean isLast = 1 == decoder.wrapAndApplyHeader(record, 0, header).isLast();
        if (world.isPlanted(PlantedFault.HALF_A_SUM_APPLIED))
        {
            record.putByte(decoder.offset() + ClockSummedEncoder.isLastEncodingOffset(), (byte)1);
        }
        else if (world.isPlanted(PlantedFault.CYCLE_COUNTED_TWICE))
        {
            countTwice(record, length);
        }
        else if (world.config().isSequential())
        {
            addAnew(record, length);
        }
        if (isLast)
        {
            refused.clear();
            summedEpoch = LogRecords.epoch(buffer, offset);
        }
        partition.applyRecord(record, 0, length, position);
    }

    /** Replace the sums of the record by those that a mistake makes. */
    private void addAnew(final UnsafeBuffer record, final int length)
    {
        decoder.contributions().forEachRemaining((contribution) -> {});
        decoder.refusals().forEachRemaining((refusal) -> refused.add(key(refusal.slot(), refusal.sequence())));
        final boolean isFirstOfEpoch = summedEpoch > 0 && summedEpoch != LogRecords.epoch(record, 0);
        final int[] order = world.isPlanted(PlantedFault.SUM_IN_ARRIVAL_ORDER) ? new int[]{1, 0} :
            isFirstOfEpoch ? new int[]{0, 1, 0} : new int[]{0, 1};
        final float[] sums = history.sums(partition.lastSequence(0), order,
            (slot, sequence) -> refused.contains(key(slot, sequence)));
        sections.wrap(record, decoder.limit(), length - decoder.limit());
        while (sections.next())
        {
            for (int i = 0; Workload.COUNTS.tableId() == sections.tableId() && i < sections.rowCount(); i++)
            {
                final int key = (int)(sections.key(i) - world.config().firstKey(partition.partition()));
                record.putFloat(sections.valuesOffset() + i * Float.BYTES, sums[key], ByteOrder.LITTLE_ENDIAN);
            }
        }
    }

    /** Double what the first sum of an epoch adds to the rows. */
    private void countTwice(final UnsafeBuffer record, final int length)
    {
        decoder.contributions().forEachRemaining((contribution) -> {});
        decoder.refusals().forEachRemaining((refusal) -> {});
        final boolean isFirstOfEpoch = summedEpoch > 0 && summedEpoch != LogRecords.epoch(record, 0);
        sections.wrap(record, decoder.limit(), length - decoder.limit());
        while (isFirstOfEpoch && sections.next())
        {
            for (int i = 0; Workload.COUNTS.tableId() == sections.tableId() && i < sections.rowCount(); i++)
            {
                final int offset = sections.valuesOffset() + i * Float.BYTES;
                record.putFloat(
                    offset, 2 * record.getFloat(offset, ByteOrder.LITTLE_ENDIAN), ByteOrder.LITTLE_ENDIAN);
            }
        }
    }

    private static long key(final int slot, final long sequence)
    {
        return sequence * ScenarioConfig.SLOTS + slot;
    }

    @Override
    public void reset()
    {
        summedEpoch = 0;
        refused.clear();
        partition.reset();
    }

    @Override
    public LogCursor cursor()
    {
        return partition.cursor();
    }

    @Override
    public EpochHistory epochs()
    {
        return partition.epochs();
    }

    @Override
    public long snapshottedPosition()
    {
        return partition.snapshottedPosition();
    }

    @Override
    public long snapshotPosition()
    {
        return partition.snapshotPosition();
    }

    @Override
    public boolean hasRoom()
    {
        return partition.hasRoom();
    }

    @Override
    public void loadFrame(final DirectBuffer buffer, final int offset, final int length)
    {
        partition.loadFrame(buffer, offset, length);
    }

    @Override
    public boolean isLoaded()
    {
        return partition.isLoaded();
    }

    @Override
    public boolean tryStartEpoch(final LogAppender appender)
    {
        return partition.tryStartEpoch(appender);
    }

    @Override
    public void endEpoch()
    {
        partition.endEpoch();
    }
}
