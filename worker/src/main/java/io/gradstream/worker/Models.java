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

import io.gradstream.codecs.Consistency;
import io.gradstream.worker.client.Client;
import io.gradstream.worker.client.PartitionAnswer;
import io.gradstream.worker.model.ModelFileWriter;
import io.gradstream.worker.model.ModelHandler;
import io.gradstream.worker.model.ModelOrigin;
import io.gradstream.worker.model.ModelRequests;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Takes the model out of a cluster while training goes on: all tables and rows, with the state that update functions
 * keep, as they are when the last slot ends an iteration, which is the same one at every partition. An observer may do
 * so too. For the thread that polls the client, one model at a time.
 */
public final class Models
{
    /** Stands for no certain iteration: each partition sends its rows as they are when it is asked. */
    public static final long NOW = ModelOrigin.NO_CLOCK;

    /** Most iterations ahead that are waited for, where training outruns the question. */
    private static final long MAX_AHEAD = 1 << 20;

    private final ClientContext context;
    private final Client client;
    private final Descriptions descriptions;
    private final IntSupplier poll;

    Models(
        final ClientContext context, final Client client, final Descriptions descriptions, final IntSupplier poll)
    {
        this.context = context;
        this.client = client;
        this.descriptions = descriptions;
        this.poll = poll;
    }

    /**
     * Write the model to a file: of an iteration that ends from now on, or of the last one if no worker is connected.
     * What goes wrong meanwhile, such as a failover, begins it anew.
     *
     * @param file      to write; it appears only when it is whole.
     * @param overwrite replace a file of that name.
     * @param timeoutNs for all of it, in nanoseconds.
     * @return where it comes from, and of which iteration it is.
     * @throws IOException               if it cannot be written.
     * @throws OperationTimeoutException if it is not whole in time; it says what is missing.
     * @throws GradstreamException       if no worker is connected and partitions have ended different iterations.
     */
    public ModelOrigin save(final Path file, final boolean overwrite, final long timeoutNs) throws IOException
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        long ahead = 1;
        while (true)
        {
            final long clock = newestClock() + ahead;
            try (ModelFileWriter writer = ModelFileWriter.create(file, overwrite))
            {
                final ModelRequests.State state = take(clock, writer, deadlineNs);
                if (ModelRequests.State.COMPLETE == state)
                {
                    return finish(writer);
                }
                ahead = ModelRequests.State.CLOCK_PASSED == state ? Math.min(MAX_AHEAD, 2 * ahead) : ahead;
            }
            finally
            {
                client.models().end();
            }
        }
    }

    /**
     * Write the rows to a file as they are: each partition's when it is asked, so that those of different partitions
     * may be of different iterations while training goes on.
     *
     * @param file      to write; it appears only when it is whole.
     * @param overwrite replace a file of that name.
     * @param timeoutNs for all of it, in nanoseconds.
     * @return where it comes from; its clock is {@link #NOW}.
     * @throws IOException               if it cannot be written.
     * @throws OperationTimeoutException if it is not whole in time; it says what is missing.
     */
    public ModelOrigin saveNow(final Path file, final boolean overwrite, final long timeoutNs) throws IOException
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        while (true)
        {
            try (ModelFileWriter writer = ModelFileWriter.create(file, overwrite))
            {
                final ModelRequests.State state = take(NOW, writer, deadlineNs);
                if (ModelRequests.State.COMPLETE == state)
                {
                    return finish(writer);
                }
            }
            finally
            {
                client.models().end();
            }
        }
    }

    private ModelOrigin finish(final ModelFileWriter writer) throws IOException
    {
        final ModelOrigin origin = new ModelOrigin(context.jobId, client.models().clock(), client.partitions(),
            null == client.job() ? 0 : client.job().nodes(), System.currentTimeMillis());
        writer.finish(origin);

        return origin;
    }

    private ModelRequests.State take(final long clock, final ModelHandler handler, final long deadlineNs)
    {
        client.models().begin(client.partitions(), clock, handler);
        context.idleStrategy.reset();
        while (ModelRequests.State.UNDER_WAY == client.models().state())
        {
            if (System.nanoTime() - deadlineNs >= 0)
            {
                throw new OperationTimeoutException("model: not whole in time: " +
                    client.models().missing() + client.describe(System.nanoTime()));
            }
            context.idleStrategy.idle(poll.getAsInt());
            if (Thread.currentThread().isInterrupted())
            {
                throw new GradstreamException("interrupted while a model was taken out");
            }
        }
        if (ModelRequests.State.CLOCKS_DIFFER == client.models().state())
        {
            throw new GradstreamException("no worker is connected, and partitions are of different iterations: " +
                client.models().reason() + "; let training go on, or take the rows as they are");
        }

        return client.models().state();
    }

    /** Iterations that the slots of some partition have all ended. */
    private long newestClock()
    {
        final List<PartitionAnswer> answers = descriptions.await("model");
        long newest = 0;
        for (final PartitionAnswer answer : answers)
        {
            long least = Consistency.FINISHED;
            for (final PartitionAnswer.SlotAt slot : answer.slots().values())
            {
                least = Math.min(least, slot.clock());
            }
            newest = Consistency.FINISHED == least ? newest : Math.max(newest, least);
        }

        return newest;
    }
}
