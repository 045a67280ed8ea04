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
package io.gradstream.worker;

import io.gradstream.worker.client.Client;
import io.gradstream.worker.client.PartitionAnswer;

import java.util.List;
import java.util.function.IntSupplier;

/**
 * Asks every partition what it has, and waits for the answers.
 */
final class Descriptions
{
    private final ClientContext context;
    private final Client client;
    private final IntSupplier poll;

    Descriptions(final ClientContext context, final Client client, final IntSupplier poll)
    {
        this.context = context;
        this.client = client;
        this.poll = poll;
    }

    /**
     * All partitions' answers.
     *
     * @param what is done, for the error.
     * @return an answer of each, complete.
     * @throws OperationTimeoutException if one does not answer within the operation timeout; it names all that did not.
     */
    List<PartitionAnswer> await(final String what)
    {
        final List<PartitionAnswer> answers = await(context.operationTimeoutNs);
        final List<Integer> silent = answers.stream().filter((answer) -> !answer.isComplete())
            .map((answer) -> answer.partition()).toList();
        if (!silent.isEmpty())
        {
            throw new OperationTimeoutException(what + ": no answer from partitions " + silent + " within " +
                context.operationTimeoutNs / 1_000_000 + " ms" + client.describe(System.nanoTime()));
        }

        return answers;
    }

    /**
     * What partitions answer in time.
     *
     * @param timeoutNs how long.
     * @return an answer of each; it knows nothing where it is not complete.
     */
    List<PartitionAnswer> await(final long timeoutNs)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        client.descriptions().begin(client.partitions());
        context.idleStrategy.reset();
        while (!client.descriptions().isComplete() && System.nanoTime() - deadlineNs < 0)
        {
            context.idleStrategy.idle(poll.getAsInt());
            if (Thread.currentThread().isInterrupted())
            {
                throw new GradstreamException("interrupted while waiting for a description");
            }
        }

        return client.descriptions().end();
    }
}
