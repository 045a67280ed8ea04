// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.examples;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.ClientStats;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.PushRefusedException;
import io.gradstream.worker.Table;
import io.gradstream.worker.Units;
import io.gradstream.worker.filter.PushFilter;
import io.gradstream.model.ModelFile;
import io.gradstream.worker.session.PushCounts;
import io.gradstream.worker.work.WorkUnit;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The code of docs/CLIENT.md, part by part: a test compares the two, and another runs the parts one after the other
 * against a cluster.
 */
public final class ClientGuide
{
    private static final TableSpec SPEC = TableSpec.sparse(10, "guide", 1, "sgd/1 rate=0.1 refuse-non-finite");
    private static final int BATCHES = 4_000;

    private final String coordinator;
    private final String aeronDirectory;
    private final int slot;
    private final List<String> log = new ArrayList<>();

    /**
     * A guide for one worker.
     *
     * @param place of the worker.
     */
    public ClientGuide(final WorkerPlace place)
    {
        coordinator = place.coordinator();
        aeronDirectory = place.aeronDirectory();
        slot = place.slot();
    }

    /** The lines for the person at the terminal. */
    public List<String> log()
    {
        return log;
    }

    /** A client that counts its pushes. */
    public GradstreamClient connect()
    {
        // region connect
        final ClientContext context = new ClientContext()
            .coordinators(List.of(coordinator))
            .aeronDirectoryName(aeronDirectory)
            .slot(slot)
            .audit(true)
            .operationTimeoutNs(TimeUnit.SECONDS.toNanos(60))
            .errorHandler((ex) -> log(ex.getMessage()))
            .outageListener((partition, epoch, outstanding, lostNs, nowNs) ->
                log("partition " + partition + " is back after " + (nowNs - lostNs) / 1_000_000 + " ms"));
        final GradstreamClient client = GradstreamClient.connect(context);
        // endregion
        return client;
    }

    /**
     * Make tables of several kinds.
     *
     * @return the table that the other parts use.
     */
    public Table createTables(final GradstreamClient client)
    {
        // region tables
        final Table weights =
            client.createTable(TableSpec.sparse(10, "guide", 1, "sgd/1 rate=0.1 refuse-non-finite"));
        final Table layer = client.createTable(
            TableSpec.dense(11, "layer", 784, 128, "sgd/2 rate=0.05 momentum=0.9 decay=0.0001")
                .withNormalValues(1, 0.05f));
        final Table seen = client.createTable(
            new TableSpec(12, "seen", 1, ElementType.INT64, 0, TableSpec.ZEROS, 0, 0f, "add/1"));
        // endregion
        check(128 == layer.spec().dim() && ElementType.INT64 == seen.spec().elementType());

        return weights;
    }

    /** Push and pull three rows. */
    public void pushAndPull(final GradstreamClient client, final Table weights)
    {
        // region push
        final long[] keys = {1003, 1070, 1003};
        final float[] gradients = {0.5f, -1f, 0.25f};
        final long push = weights.push(keys, gradients);

        final float[] rows = new float[2];
        final long pull = weights.pull(new long[]{1003, 1070}, 2, rows);
        client.await(pull);
        log("rows " + rows[0] + " " + rows[1]);
        client.await(push);
        // endregion
    }

    /** Push a row without a call that waits. */
    public void pushWithoutWaiting(final GradstreamClient client, final Table weights)
    {
        final long[] keys = {1004};
        final float[] gradients = {1f};
        // region poll
        final IdleStrategy idle = new BackoffIdleStrategy();
        long ticket = weights.tryPush(keys, 0, keys.length, gradients);
        while (GradstreamClient.NOT_NOW == ticket)
        {
            idle.idle(client.poll());
            ticket = weights.tryPush(keys, 0, keys.length, gradients);
        }
        while (!client.isDone(ticket))
        {
            idle.idle(client.poll());
        }
        // endregion
    }

    /**
     * Do units of work that all workers divide between them.
     *
     * @return how many batches this worker has done.
     */
    public long divideWork(final long batchesOfPass)
    {
        final long[] keys = {1008};
        final float[] gradients = {1f};
        final ClientContext context =
            new ClientContext().coordinators(List.of(coordinator)).aeronDirectoryName(aeronDirectory);
        // region units
        try (GradstreamClient client = GradstreamClient.connect(context.anySlot()))
        {
            final Table weights = client.createTable(SPEC);
            final Units units = client.units(1, batchesOfPass, 16, 3);
            for (WorkUnit unit = units.next(); null != unit; unit = units.next())
            {
                for (int batch = 0; batch < unit.batches(); batch++)
                {
                    // of pass unit.pass(), batch unit.firstBatch() + batch
                    weights.push(keys, gradients);
                    client.clock();
                }
            }
            client.awaitAll();
            // endregion
            return units.batchesDone();
            // region units
        }
        // endregion
    }

    /** Make a push that a server refuses. */
    public void pushTooMuch(final GradstreamClient client, final Table weights)
    {
        final long[] keys = {1005, 1005};
        final float[] gradients = {Float.MAX_VALUE, Float.MAX_VALUE};
        for (int i = 0; i < 10; i++)
        {
            weights.push(new long[]{1005}, new float[]{Float.MAX_VALUE});
        }
        // region refused
        try
        {
            client.await(weights.push(keys, gradients));
        }
        catch (final PushRefusedException ex)
        {
            log(ex.refusal() + " by partition " + ex.partition());
        }
        // endregion
    }

    /** Train, and ask for the rows of the next batch before this one is computed. */
    public double trainAhead(final GradstreamClient client, final Table weights)
    {
        final LinearTask[] tasks = {new LinearTask(1, BATCHES), new LinearTask(1, BATCHES)};
        // region ahead
        final float[][] rows = new float[2][LinearTask.ACTIVE];
        final LinearTask model = tasks[0];
        final LinearTask ahead = tasks[1];
        ahead.next();
        long pull = weights.pull(ahead.keys(), LinearTask.ACTIVE, rows[0]);
        client.pullAhead(1);
        for (int batch = 0; model.next(); batch++)
        {
            client.await(pull);
            if (ahead.next())
            {
                pull = weights.pull(ahead.keys(), LinearTask.ACTIVE, rows[(batch + 1) % 2]);
            }
            weights.push(model.keys(), model.gradient(rows[batch % 2]));
            client.clock();
        }
        client.pullAhead(0);
        // endregion
        return ReadmeLoop.largestError(weights);
    }

    /** Leave the job. */
    public void finish(final GradstreamClient client)
    {
        // region finish
        client.finish();
        client.awaitAll();
        // endregion
    }

    /** Report the outages that a worker met. */
    public void tellOutages(final GradstreamClient client)
    {
        // region stats
        final ClientStats stats = client.stats();
        log("outages " + stats.outages() + ", of " + stats.outageNs() / 1_000_000 + " ms, blocked for " +
            stats.blockedNs() / 1_000_000 + " ms, at most " + stats.spoolPeakBytes() + " bytes in the spools");
        // endregion
    }

    /**
     * Compare the pushes that were sent with the counts of the servers.
     *
     * @return pushes that are missing; below 0, the number of those that count twice.
     */
    public long audit(final GradstreamClient client)
    {
        // region audit
        long missing = 0;
        final long[] counted = new long[TableSpec.AUDIT.dim()];
        for (int partition = 0; partition < client.partitionCount(); partition++)
        {
            final PushCounts sent = client.pushCounts(partition);
            client.await(client.pullSystem(partition, TableSpec.AUDIT, new long[]{slot}, counted));
            missing += sent.count() - counted[0];
            if (sent.sequenceSum() != counted[1] || sent.sequenceSquareSum() != counted[2] ||
                sent.contentSum() != counted[3])
            {
                log("partition " + partition + " has applied other pushes than were sent");
            }
        }
        // endregion
        return missing;
    }

    /** Go on after the iterations of the slot's process before this one. */
    public long takeOver(final int batches)
    {
        final ClientContext context = new ClientContext()
            .coordinators(List.of(coordinator)).aeronDirectoryName(aeronDirectory).slot(slot);
        final long[] keys = {1006};
        final float[] gradients = {1f};
        // region resume
        try (GradstreamClient client =
            GradstreamClient.connect(context.initialClock(ClientContext.CLOCK_OF_SLOT)))
        {
            final Table weights = client.createTable(SPEC);
            while (client.clocksDone() < batches)
            {
                weights.push(keys, gradients);
                client.clock();
            }
            client.awaitAll();
            // endregion
            return client.clocksDone();
            // region resume
        }
        // endregion
    }

    /** Export the model. */
    public void save(final Path file) throws IOException
    {
        // region save
        try (GradstreamClient observer = GradstreamClient.connect(new ClientContext()
            .coordinators(List.of(coordinator))
            .aeronDirectoryName(aeronDirectory)
            .slot(ClientContext.OBSERVER)))
        {
            observer.models().save(file, false, TimeUnit.MINUTES.toNanos(1));
        }
        // endregion
    }

    /** Load a model into the cluster. */
    public void load(final GradstreamClient client, final Path file) throws IOException
    {
        // region load
        client.models().load(file, true, TimeUnit.MINUTES.toNanos(1));
        // endregion
    }

    /** Read a row of an exported model. */
    public float[] read(final Path file, final TableSpec spec, final long key) throws IOException
    {
        // region read
        final float[] values = new float[spec.dim()];
        try (ModelFile model = ModelFile.open(file))
        {
            if (!model.readFloats(spec.tableId(), key, values, 0))
            {
                log("key " + key + " was never updated, and has its initial values");
            }
        }
        // endregion
        return values;
    }

    /** Leave rows out of later pushes. */
    static void filter(final Table weights)
    {
        // region filter
        weights.pushFilter(PushFilter.significant(0.1, 8), PushFilter.randomSkip(0.25));
        // endregion
    }

    private void log(final String text)
    {
        log.add(text);
    }

    private static void check(final boolean isSo)
    {
        if (!isSo)
        {
            throw new IllegalStateException("a table is not what it was made as");
        }
    }
}
