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

import io.gradstream.server.partition.HostedPartition;

/**
 * A worker's question for one page of what a partition has.
 *
 * @param connection of the worker.
 * @param host       that holds the partition.
 * @param epoch      the worker believes in.
 * @param requestId  of the question.
 * @param firstTable index of the first table wanted.
 * @param firstSlot  first slot wanted.
 */
record PendingDescription(
    WorkerConnection connection,
    HostedPartition host,
    long epoch,
    long requestId,
    int firstTable,
    int firstSlot)
{
    /**
     * Nobody waits for it any more: the worker has gone, or asks the partition's new primary.
     */
    boolean isVoid()
    {
        return connection.responses().isClosed() || !host.isPrimary() || epoch != host.partition().epoch();
    }

    /**
     * Can it be answered now?
     */
    boolean mayBeAnswered()
    {
        return host.mayAnswer() && connection.responses().isConnected();
    }
}
