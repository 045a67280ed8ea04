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
package io.gradstream.server.node;

import io.gradstream.recovery.chain.NodePort;


import java.util.List;

/**
 * The streams between a node, its neighbours in the chains, and workers. No call waits.
 */
public interface NodeTransport extends ResponseStream.Opener
{
    /**
     * What this node says to its neighbours.
     */
    NodePort neighbours();

    /**
     * Where nodes listen from now on.
     *
     * @param endpoints host:port by node id, empty for a node that has not registered yet.
     */
    void onEndpoints(List<String> endpoints);

    int pollNeighbours(NeighbourMessages receiver);

    int pollWorkers(IngressAdapter receiver);

    /**
     * Longest message that a response stream takes.
     */
    int maxResponseLength();
}
