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
package io.gradstream.server.coordinator;

import java.util.Map;

import io.gradstream.codecs.ClusterMap;
import io.gradstream.coordinator.state.ReplicaPositions;
import io.gradstream.recovery.replica.ReplicaReports;

/**
 * The coordinator as a node sees it. Calls never wait; one that returns false has not been taken and is made again.
 * What is told may be told twice: the coordinator knows stale and repeated messages by incarnation and chain version.
 */
public interface CoordinatorPort extends ReplicaReports, AutoCloseable
{
    /** A node shows life so often. */
    long ALIVE_INTERVAL_NS = 500_000_000;

    /**
     * This process is the node from now on; whatever an earlier one of it was, it is no more.
     *
     * @param nodeId      of the node.
     * @param incarnation of the process, grows with each.
     * @param endpoint    host:port on which it listens.
     * @return false if not now.
     */
    boolean register(int nodeId, long incarnation, String endpoint);

    /**
     * This process lives.
     *
     * @param replicas how far its replicas are, by partition.
     * @return false if not now.
     */
    boolean alive(Map<Integer, ReplicaPositions> replicas);

    /**
     * One duty cycle of the way to the coordinator.
     *
     * @param nowNs now.
     * @return how much was done.
     */
    int doWork(long nowNs);

    /**
     * The newest map, if it has changed since the last call.
     *
     * @return map or null.
     */
    ClusterMap poll();

    @Override
    void close();
}
