// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.JobSpec;
import io.gradstream.recovery.chain.NodePort;
import io.gradstream.recovery.replica.RungListener;
import io.gradstream.server.partition.HostedPartition;

/**
 * The port to the process that a node runs in: it makes partitions in its directory, and tells people how the node's
 * copies stand.
 */
public interface NodeHost extends RungListener
{
    /**
     * Keep the directory for one cluster.
     *
     * @param clusterId of the coordinators, or {@link io.gradstream.codecs.ClusterMap#NO_CLUSTER}.
     * @throws RuntimeException if the directory belongs to another cluster.
     */
    void onCluster(long clusterId);

    /**
     * The job has become known: check what could not be checked before.
     *
     * @throws RuntimeException if a setting or the directory contradicts the job.
     */
    void onJob(JobSpec job);

    /**
     * Make a copy of a partition that stands at the foot of the ladder.
     */
    HostedPartition newPartition(JobSpec job, int partition, NodePort neighbours);

    /**
     * Do coordinators hear of the node before it knows the job, and may give it a place? Not where it may lack what the
     * job needs, of which {@link #onJob} throws.
     *
     * @return true if so.
     */
    default boolean isFitForAnyJob()
    {
        return true;
    }

    /**
     * Nanoseconds after which a primary takes a snapshot even if nobody waits for one, 0 for never.
     */
    long snapshotIntervalNs(JobSpec job);

    /**
     * A copy's own log or snapshots cannot be used; it waits for another copy.
     */
    void onDamage(int partition, String damage);

    /**
     * A worker waits until more of the log is on record. Told in each duty cycle as long as one does.
     */
    void onRecordingAwaited();

    /**
     * What the node counts may be shown, told each {@link Node#SHOW_INTERVAL_NS} before its copies are.
     */
    void onCounters();

    /**
     * How a copy stands, told each {@link Node#SHOW_INTERVAL_NS}.
     *
     * @param copy     kept here.
     * @param hasLease is it primary, and can nobody have taken its place?
     */
    void onReplica(HostedPartition copy, boolean hasLease);
}
