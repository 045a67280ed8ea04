// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.Chain;
import io.gradstream.coordinator.client.CoordinatorPort;
import io.gradstream.coordinator.client.LogEnd;
import io.gradstream.coordinator.client.NodeReport;
import io.gradstream.coordinator.client.ReplicaPositions;
import io.gradstream.coordinator.client.ReplicaReport;
import io.gradstream.coordinator.client.ReplicaReport.Status;
import io.gradstream.coordinator.client.Suspicion;
import io.gradstream.recovery.chain.ChainMonitor;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.partition.HostedPartition;

import java.util.ArrayList;
import java.util.List;

/**
 * Sends the coordinators reports of all that this node is: on change, on each new session with them, and at an
 * interval, so that a report that was lost is made good by the next one. How far a replica has come is in each report,
 * but is no change.
 */
final class NodeReporter
{
    /** Reports are at least this part of the interval apart, so that changes that follow each other share one. */
    static final int MOST_PER_INTERVAL = 100;

    private final NodeIdentity identity;
    private final long intervalNs;
    private final CoordinatorPort coordinator;
    private final HostedPartitions partitions;
    private final ChainMonitor monitor;
    private List<ReplicaReport> reported = List.of();
    private long reportedChanges;
    private long reportedConnection;
    private long number;
    private boolean hasTried;
    private long triedNs;
    private boolean hasTimed;
    private long timedNs;

    NodeReporter(
        final NodeIdentity identity,
        final long intervalNs,
        final CoordinatorPort coordinator,
        final HostedPartitions partitions,
        final ChainMonitor monitor)
    {
        this.identity = identity;
        this.intervalNs = intervalNs;
        this.coordinator = coordinator;
        this.partitions = partitions;
        this.monitor = monitor;
    }

    /** Report if that is due. Nothing may be heard of neighbours between the monitor's duty cycle and this one. */
    int doWork(final long nowNs)
    {
        final long connection = coordinator.connection();
        final boolean isTimed = !hasTimed || nowNs - timedNs >= intervalNs;
        if (0 == connection || hasTried && nowNs - triedNs < intervalNs / MOST_PER_INTERVAL ||
            !isTimed && connection == reportedConnection && !hasChanged())
        {
            return 0;
        }
        hasTried = true;
        triedNs = nowNs;
        final List<ReplicaReport> replicas = new ArrayList<>();
        for (int i = 0, size = partitions.all().size(); i < size; i++)
        {
            replicas.add(replica(partitions.all().get(i), nowNs));
        }
        final NodeReport report = new NodeReport(identity.nodeId(), identity.incarnation(), ++number,
            hasTimed && coordinator.isAnswered(timedNs), identity.endpoint(), replicas);
        if (!coordinator.report(report))
        {
            return 0;
        }
        reported = report.replicas();
        reportedChanges = monitor.changes();
        reportedConnection = connection;
        monitor.onReported(nowNs);
        for (int i = 0, size = reported.size(); i < size; i++)
        {
            if (Chain.NONE != reported.get(i).joiner())
            {
                partitions.all().get(i).replica().downstream().onAdmissionAsked();
            }
        }
        timedNs = isTimed ? nowNs : timedNs;
        hasTimed = true;

        return 1;
    }

    private boolean hasChanged()
    {
        boolean isChanged = reportedChanges != monitor.changes() || reported.size() != partitions.all().size();
        for (int i = 0, size = partitions.all().size(); !isChanged && i < size; i++)
        {
            final Replica replica = partitions.all().get(i).replica();
            final ReplicaReport before = reported.get(i);
            final Status status = status(replica);
            final int joiner = replica.admittedJoiner();
            final boolean isSaying = Status.NONE != status || Chain.NONE != joiner;
            isChanged = replica.partition() != before.partition() || status != before.status() ||
                joiner != before.joiner() ||
                isSaying && replica.chain().version() != before.chainVersion();
        }

        return isChanged;
    }

    private Status status(final Replica replica)
    {
        if (monitor.claims(replica.partition()))
        {
            return monitor.takesOver(replica.partition()) ? Status.TAKES_OVER : Status.CLAIMS;
        }

        return switch (replica.state())
        {
            case AWAIT_ROLE -> Status.RECOVERED;
            case LEAVE_CHAIN -> Status.LEAVES;
            default -> replica.mayConfirm() ? Status.LEADS : Status.NONE;
        };
    }

    private ReplicaReport replica(final HostedPartition copy, final long nowNs)
    {
        final Replica replica = copy.replica();
        final Status status = status(replica);
        final long position = copy.partition().cursor().position();
        final LogEnd logEnd = Status.RECOVERED != status ? LogEnd.NONE :
            new LogEnd(replica.logEpoch(), position, replica.isLossAccepted());
        final List<Suspicion> suspicions = new ArrayList<>();
        monitor.forEachSuspicion(copy.number(), (node, isAnswered) -> suspicions.add(new Suspicion(node, isAnswered)));
        final boolean hasRole =
            replica.isPrimary() || replica.isSealed() || 0 != replica.upstream().attachment();

        return new ReplicaReport(
            copy.number(), status, replica.chain().version(), logEnd, replica.admittedJoiner(), suspicions,
            new ReplicaPositions(
                position, hasRole ? replica.replicatedPosition() : 0, hasRole ? replica.recordedPosition() : 0,
                replica.downstream().isJoinerServed(nowNs)));
    }
}
