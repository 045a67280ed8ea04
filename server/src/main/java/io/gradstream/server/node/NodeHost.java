// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.ClusterMap;
import io.gradstream.recovery.chain.NodePort;
import io.gradstream.recovery.log.ReplicaStorage;
import io.gradstream.recovery.replica.RecoveryStateListener;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.share.ConnectionLimit;

import java.util.Map;

/**
 * The port to the process that a node runs in: it makes partitions in its directory, and shows operators how the node's
 * copies stand.
 */
public interface NodeHost extends RecoveryStateListener
{
    /**
     * Keep the directory for one cluster.
     *
     * @param clusterId of the coordinators, or {@link ClusterMap#NO_CLUSTER}.
     * @throws RuntimeException if the directory belongs to another cluster.
     */
    void onCluster(long clusterId);

    /**
     * A job has become known: check the settings that could not be checked before.
     *
     * @throws RuntimeException if a setting or the directory contradicts the job.
     */
    void onJob(ClusterMap.Job job);

    /**
     * Make a copy of a partition that has loaded nothing yet.
     *
     * @param partition number in the cluster, of a partition of the job.
     */
    HostedPartition newPartition(ClusterMap.Job job, int partition, NodePort neighbours);

    /**
     * Open what is kept on disk of a copy that is not hosted here now, to delete it; null if it is to stay.
     *
     * @param partition number in the job.
     */
    ReplicaStorage leftover(int jobId, int partition);

    /** Nothing is left on disk of a job that was deleted. */
    default void onDeleted(final int jobId)
    {
    }

    /**
     * A log or snapshot of a partition that is not kept here could not be deleted; it is tried again.
     *
     * @param partition number in the job.
     */
    void onNotDeleted(int jobId, int partition, RuntimeException problem);

    /**
     * The jobs beside the first one of which something may be on disk that is not to stay: by number how many
     * partitions they have or had.
     */
    default Map<Integer, Integer> jobsOnDisk()
    {
        return Map.of();
    }

    /** A copy that joins does not catch up: the limit of what it is sent is too low for what is pushed. */
    default void onOutpaced(final int partition)
    {
    }

    /** There was no room for a worker. Called at most once in each {@link Node#SHOW_INTERVAL_NS}. */
    default void onNoRoom(final ConnectionLimit.NoRoom noRoom)
    {
        // the worker is told, too
    }

    /** A copy is no longer hosted here. */
    void onDropped(HostedPartition copy);

    /**
     * Keep, for later processes of this node, the version of the map by which its places have changed last.
     *
     * @param mapVersion of this map, which is a new one.
     */
    default void onPlaces(final long mapVersion)
    {
        // coordinators that never forget a decision need no such check
    }

    /** Version of the newest map that any process of this node has kept by {@link #onPlaces}; 0 if there is none. */
    default long placesVersion()
    {
        return 0;
    }

    /** The coordinators have decided less than they told this node before: nothing is deleted by such a map. */
    default void onOlderMap(final long mapVersion)
    {
        // as in onPlaces
    }

    /**
     * True if the node reports to the coordinators before it knows the job, and may be given a place. False where the
     * node may lack something that the job needs, in which case {@link #onJob} throws.
     */
    default boolean isFitForAnyJob()
    {
        return true;
    }

    /** A copy's own log or snapshots cannot be used; it waits for another copy. */
    void onDamage(int partition, String damage);

    /** A worker waits until more of the log is recorded. Called in each duty cycle as long as a worker waits. */
    void onRecordingAwaited();

    /** The node's counters may be shown. Called each {@link Node#SHOW_INTERVAL_NS}, before {@link #onReplica} is. */
    void onCounters();

    /**
     * Show how a copy stands. Called each {@link Node#SHOW_INTERVAL_NS}.
     *
     * @param copy     kept here.
     * @param hasLease true if it is primary and no other replica can have taken its place.
     */
    void onReplica(HostedPartition copy, boolean hasLease);
}
