// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import io.aeron.CncFileDescriptor;
import io.aeron.cluster.ConsensusModule;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.status.AtomicCounter;

import java.nio.MappedByteBuffer;
import java.nio.file.Path;

/**
 * Keeps its own mapping of a member's counters. The Aeron client of the consensus module may close itself, for example
 * after a long pause, and unmap its counters while another thread reads them. This mapping lives as long as anybody
 * refers to it.
 */
final class MemberCounters
{
    private final AtomicBuffer values;
    private final AtomicCounter role;
    private final AtomicCounter electionState;
    private final AtomicCounter controlToggle;
    private final AtomicCounter snapshots;
    private final AtomicCounter errors;

    /**
     * Of a member that was launched.
     *
     * @param aeronDirectory of its driver.
     * @param ctx            of its consensus module.
     */
    MemberCounters(final Path aeronDirectory, final ConsensusModule.Context ctx)
    {
        final MappedByteBuffer cnc = IoUtil.mapExistingFile(
            aeronDirectory.resolve(CncFileDescriptor.CNC_FILE).toFile(), "CnC file");
        final DirectBuffer metaData = CncFileDescriptor.createMetaDataBuffer(cnc);
        values = CncFileDescriptor.createCountersValuesBuffer(cnc, metaData);
        role = counter(ctx.clusterNodeRoleCounter().id());
        electionState = counter(ctx.electionStateCounter().id());
        controlToggle = counter(ctx.controlToggleCounter().id());
        snapshots = counter(ctx.snapshotCounter().id());
        errors = counter(ctx.errorCounter().id());
    }

    /** Tells whether the member leads, follows, or stands for election. */
    AtomicCounter role()
    {
        return role;
    }

    AtomicCounter electionState()
    {
        return electionState;
    }

    /** The requests to the member. */
    AtomicCounter controlToggle()
    {
        return controlToggle;
    }

    /** Snapshots it has taken. */
    AtomicCounter snapshots()
    {
        return snapshots;
    }

    /** Errors of its consensus module. */
    AtomicCounter errors()
    {
        return errors;
    }

    private AtomicCounter counter(final int id)
    {
        return new AtomicCounter(values, id);
    }
}
