/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.launcher;

import java.util.List;

/**
 * What the workers of a local cluster do.
 *
 * @param workers     how many there are.
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
