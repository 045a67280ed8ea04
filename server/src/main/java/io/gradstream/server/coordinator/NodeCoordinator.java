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

import java.util.function.Function;

import io.gradstream.coordinator.client.ClusterCoordinator;
import io.gradstream.coordinator.client.CoordinatorChannel;
import org.agrona.ErrorHandler;

/**
 * The coordinators as a node reaches them, over a session with their cluster.
 */
public final class NodeCoordinator extends ClusterCoordinator implements CoordinatorPort
{
    /**
     * Not connected yet.
     *
     * @param connector    makes the channel, given who takes what comes from it.
     * @param errorHandler told what is wrong.
     */
    public NodeCoordinator(
        final Function<CoordinatorChannel.Listener, CoordinatorChannel> connector, final ErrorHandler errorHandler)
    {
        super(connector, errorHandler);
    }
}
