// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.coordinator;

import io.gradstream.codecs.coordinator.CreateJobDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.SnapshotStateDecoder;
import io.gradstream.coordinator.client.ReplicaReport;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.World;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/** The planted faults of the coordinator about jobs; without one it changes nothing. */
final class PlantedJobFaults
{
    private final World world;
    /** By partition: the version with which the chain of the job that has it has begun. */
    private final long[] begun = new long[ScenarioConfig.MAX_PARTITIONS];

    PlantedJobFaults(final World world)
    {
        this.world = world;
    }

    /** A partition of a job has its first places. */
    void onBegun(final int partition, final long version)
    {
        begun[partition] = version;
    }

    /** True if a member takes each timer with a state in which a mistake was made. */
    boolean isStateChanged()
    {
        return world.isPlanted(PlantedFault.PARTITION_BEGINS_ANEW);
    }

    /** True if a member takes this message with such a state: the map before it stays as it was. */
    boolean isStateChangedFor(final UnsafeBuffer message)
    {
        return world.isPlanted(PlantedFault.JOB_NUMBER_USED_AGAIN) &&
            CreateJobDecoder.TEMPLATE_ID == new MessageHeaderDecoder().wrap(message, 0).templateId();
    }

    /** True if a member may make a mistake in its state. */
    boolean isMistaken()
    {
        return isStateChanged() || world.isPlanted(PlantedFault.JOB_NUMBER_USED_AGAIN);
    }

    /** Returns what a member that makes such a mistake knows in place of a message of its snapshot. */
    UnsafeBuffer changedState(final UnsafeBuffer message)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder().wrap(message, 0);
        if (SnapshotStateDecoder.TEMPLATE_ID != header.templateId())
        {
            return message;
        }
        final UnsafeBuffer copy = CoordinatorEntry.copy(message, 0, message.capacity());
        if (world.isPlanted(PlantedFault.JOB_NUMBER_USED_AGAIN))
        {
            int last = ScenarioConfig.JOB_ID;
            for (final SnapshotStateDecoder.JobsDecoder job :
                new SnapshotStateDecoder().wrapAndApplyHeader(message, 0, header).jobs())
            {
                last = Math.max(last, job.jobId());
                job.name();
            }
            copy.putInt(MessageHeaderDecoder.ENCODED_LENGTH + SnapshotStateDecoder.lastJobIdEncodingOffset(), last,
                ByteOrder.LITTLE_ENDIAN);
        }
        else
        {
            copy.putLong(MessageHeaderDecoder.ENCODED_LENGTH + SnapshotStateDecoder.retiredEpochEncodingOffset(), 0,
                ByteOrder.LITTLE_ENDIAN);
            copy.putLong(MessageHeaderDecoder.ENCODED_LENGTH + SnapshotStateDecoder.retiredVersionEncodingOffset(), 0,
                ByteOrder.LITTLE_ENDIAN);
        }

        return copy;
    }

    /** Returns what is said of a copy, as if it were about the job that has the partition now. */
    ReplicaReport ofJobOfNow(final ReplicaReport replica)
    {
        final int partition = replica.partition();
        return partition >= begun.length || replica.chainVersion() >= begun[partition] ? replica : new ReplicaReport(
            partition, replica.status(), begun[partition], replica.logEnd(), replica.joiner(), replica.suspicions(),
            replica.positions());
    }
}
