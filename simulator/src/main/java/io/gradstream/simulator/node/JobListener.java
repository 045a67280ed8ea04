// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.server.partition.HostedPartition;

/**
 * Hears what the copies of jobs beside the first one do, and what is about to be said of them, and throws a violation
 * where a promise is broken. Partitions are numbered as their job numbers them.
 */
public interface JobListener
{
    /** A copy has appended a record that ends at a position of its log. */
    void onAppended(int jobId, int partition, long epoch, long end, long chainHash);

    /** A copy is about to delete of its log. */
    void onLogCut(int seat, int jobId, int partition);

    /** A copy has done its work. */
    void onWork(HostedPartition copy);

    /** A process is about to say something of a partition, under an epoch, that only its head may say. */
    void onAnswer(int seat, int jobId, int partition, long epoch);
}
