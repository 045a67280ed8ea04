// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import java.util.List;

/**
 * The settings of the workers of a local cluster.
 *
 * @param workers     number of workers.
 * @param job         what they learn, as options of the command that runs one.
 * @param ack         when a push counts as done, as {@code --ack} names it.
 * @param holdBatches last batches that each worker holds back.
 * @param maxHeap     of each, as {@code -Xmx} takes it: 256m.
 */
public record WorkerPlan(int workers, List<String> job, String ack, int holdBatches, String maxHeap)
{
    /** Workers with the heap that every process has. */
    public WorkerPlan(final int workers, final List<String> job, final String ack, final int holdBatches)
    {
        this(workers, job, ack, holdBatches, LocalCluster.MAX_HEAP);
    }
}
