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
package io.gradstream.coordinator.client;

import java.util.List;

/**
 * All that a node tells the coordinators of itself. A report that is lost is made good by the next one.
 *
 * @param nodeId      of the node.
 * @param incarnation of its process; grows with each.
 * @param number      of the report, from 1 on; grows with each of the process. A report that arrives after a later one
 *                    is ignored.
 * @param isAnswered  have the coordinators answered the node since its timed report before this one?
 * @param endpoint    host:port on which the node listens.
 * @param replicas    of the node.
 */
public record NodeReport(
    int nodeId, long incarnation, long number, boolean isAnswered, String endpoint, List<ReplicaReport> replicas)
{
    /**
     * Copies the list.
     */
    public NodeReport
    {
        replicas = List.copyOf(replicas);
    }
}
