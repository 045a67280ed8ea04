// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.codecs.LogRecords;
import io.gradstream.codecs.log.ClockSummedDecoder;
import io.gradstream.codecs.log.MessageHeaderDecoder;
import io.gradstream.codecs.log.RateFactorSetEncoder;
import io.gradstream.codecs.log.RowsUpdatedDecoder;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.log.LogAppender;
import io.gradstream.recovery.log.LogCursor;
import io.gradstream.recovery.log.ReplicatedState;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.server.partition.Partition;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.Workload;
import io.gradstream.simulator.world.World;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A partition that does not take from the log what the rate of a table counts by. It counts the updates that it has
 * seen since it began: a head in its first life is right by that.
 */
final class PlantedScheduleFaults implements ReplicatedState
{
    private final Partition partition;
    private final ReplicatedState next;
    private boolean isHead;
    private long updates;

    private PlantedScheduleFaults(final Partition partition, final ReplicatedState next)
    {
        this.partition = partition;
        this.next = next;
    }

    /** The partition itself, or one that makes the planted mistake. */
    static ReplicatedState of(final World world, final Partition partition, final ReplicatedState next)
    {
        return world.isPlanted(PlantedFault.STANDBY_COMPUTES_ITS_OWN_FACTOR) && world.config().isRateScheduled() ?
            new PlantedScheduleFaults(partition, next) : next;
    }

    @Override
    public void applyRecord(final DirectBuffer buffer, final int offset, final int length, final long position)
    {
        final int templateId = LogRecords.templateId(buffer, offset);
        updates += RowsUpdatedDecoder.TEMPLATE_ID == templateId || ClockSummedDecoder.TEMPLATE_ID == templateId ? 1 : 0;
        if (isHead || RateFactorSetEncoder.TEMPLATE_ID != templateId)
        {
            next.applyRecord(buffer, offset, length, position);
            return;
        }
        final UnsafeBuffer record = new UnsafeBuffer(new byte[length]);
        record.putBytes(0, buffer, offset, length);
        new RateFactorSetEncoder().wrap(record, MessageHeaderDecoder.ENCODED_LENGTH)
            .factor(UpdateFunctions.schedule(Workload.RATED.function()).factor(updates));
        next.applyRecord(record, 0, length, position);
    }

    @Override
    public void reset()
    {
        isHead = false;
        updates = 0;
        next.reset();
    }

    @Override
    public boolean tryStartEpoch(final LogAppender appender)
    {
        isHead = next.tryStartEpoch(appender);
        return isHead;
    }

    @Override
    public void endEpoch()
    {
        isHead = false;
        next.endEpoch();
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
        next.loadFrame(buffer, offset, length);
    }

    @Override
    public boolean isLoaded()
    {
        return partition.isLoaded();
    }
}
