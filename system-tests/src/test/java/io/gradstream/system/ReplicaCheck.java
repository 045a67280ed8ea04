// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.gradstream.codecs.ClusterMap;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.server.recording.PartitionRebuild;

/**
 * Rebuilds each partition, of the first job and of a second one, from the recordings of every stopped server that keeps
 * it, up to where the shortest of them ends, and compares: equal position, equal chain hash, equal state.
 */
final class ReplicaCheck
{
    private static final int FIRST_JOB = ClusterMap.Job.FIRST_ID;

    private ReplicaCheck()
    {
    }

    /**
     * Compare.
     *
     * @param cluster stopped.
     * @return what differs, one line each.
     */
    static List<String> run(final FaultCluster cluster)
    {
        final List<String> differences = new ArrayList<>();
        for (int partition = 0; partition < cluster.partitions(); partition++)
        {
            long end = Long.MAX_VALUE;
            final List<Integer> keepers = cluster.keepersOf(partition);
            for (final int node : keepers)
            {
                end = Math.min(end, endOf(cluster.directory(node), partition));
            }
            final List<String> states = new ArrayList<>();
            for (final int node : keepers)
            {
                states.add(stateAt(cluster.directory(node), partition, end));
            }
            if (1 != states.stream().distinct().count())
            {
                differences.add("partition " + partition + ": " + states);
            }
            System.out.println("partition " + partition + " on servers " + keepers + ": " + states.get(0));
        }

        return differences;
    }

    private static long endOf(final Path directory, final int partition)
    {
        try (PartitionRebuild rebuild = rebuild(directory, partition, PartitionRebuild.END))
        {
            return rebuild.cursor().position();
        }
    }

    private static String stateAt(final Path directory, final int partition, final long position)
    {
        try (PartitionRebuild rebuild = rebuild(directory, partition, position))
        {
            return "position=" + rebuild.cursor().position() + " index=" + rebuild.cursor().index() +
                " epoch=" + rebuild.cursor().epoch() + " chainHash=" + Long.toHexString(rebuild.cursor().chainHash()) +
                " stateHash=" + Long.toHexString(rebuild.partition().stateHash());
        }
    }

    private static PartitionRebuild rebuild(final Path directory, final int partition, final long to)
    {
        final RecordingDirectory recordings = RecordingDirectory.open(RecordingDirectory.find(directory));
        final boolean isOfFirst = partition < FaultCluster.PARTITIONS;
        final int jobId = recordings.jobIds().stream()
            .filter((job) -> FIRST_JOB == job == isOfFirst).findFirst().orElseThrow();

        return PartitionRebuild.run(
            recordings, jobId, isOfFirst ? partition : partition - FaultCluster.PARTITIONS, to);
    }
}
