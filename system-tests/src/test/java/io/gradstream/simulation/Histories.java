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
package io.gradstream.simulation;

/**
 * What was pushed to each partition, and how it is drawn.
 */
final class Histories
{
    private final History[] histories;
    private final Workload[] workloads;

    Histories(final World world)
    {
        histories = new History[world.shape.partitions()];
        workloads = new Workload[histories.length];
        for (int partition = 0; partition < histories.length; partition++)
        {
            histories[partition] = new History(world.shape);
            workloads[partition] = new Workload(
                partition, world.shape.firstKey(partition), world.faults.work(), world.shape,
                null != world.faults.bound(), histories[partition]);
        }
    }

    History history(final int partition)
    {
        return histories[partition];
    }

    Workload workload(final int partition)
    {
        return workloads[partition];
    }
}
