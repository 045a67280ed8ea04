// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import io.gradstream.codecs.TableSpec;
import io.gradstream.launcher.Audit;
import io.gradstream.training.model.Fingerprint;
import io.gradstream.training.model.RowSource;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.ClusterDescription.PartitionDescription;
import io.gradstream.worker.ClusterDescription.TableDescription;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads from the servers after training, without a slot, the rows learned and the counts of the audit table. */
final class AuditClient implements AutoCloseable
{
    private static final int ROWS_AT_ONCE = 4096;
    private static final int VALUES_AT_ONCE = 1 << 18;

    private final GradstreamClient client;

    /**
     * Connect.
     *
     * @param aeronDirectory of a running media driver.
     * @param coordinators   host:port by member id.
     * @param timeoutNs      longest time that a call may take.
     */
    AuditClient(final String aeronDirectory, final List<String> coordinators, final long timeoutNs)
    {
        client = GradstreamClient.connect(new ClientContext()
            .aeronDirectoryName(aeronDirectory)
            .slot(ClientContext.OBSERVER)
            .coordinators(coordinators)
            .operationTimeoutNs(timeoutNs));
    }

    /** The epoch of each partition, once something was pulled from it. */
    List<Long> epochs()
    {
        final List<Long> epochs = new ArrayList<>();
        for (int partition = 0; partition < client.partitionCount(); partition++)
        {
            epochs.add(client.session(partition).epoch());
        }

        return epochs;
    }

    /** The rows of a table as they are when they are fetched. */
    RowSource rows(final TableSpec spec)
    {
        final Table table = client.openTable(spec);
        final int dim = spec.dim();
        final int atOnce = rowsAtOnce(dim);
        final long[] part = new long[atOnce];
        final float[] values = new float[atOnce * dim];
        return (keys, count, rows) ->
        {
            for (int begin = 0; begin < count; begin += atOnce)
            {
                final int length = Math.min(atOnce, count - begin);
                System.arraycopy(keys, begin, part, 0, length);
                table.pullAndAwait(part, length, values);
                System.arraycopy(values, 0, rows, begin * dim, length * dim);
            }
        };
    }

    /** The fingerprint of rows 0 to count - 1. */
    String fingerprint(final TableSpec spec, final int count)
    {
        final Fingerprint fingerprint = new Fingerprint();
        final RowSource source = rows(spec);
        final int atOnce = rowsAtOnce(spec.dim());
        final long[] keys = new long[atOnce];
        final float[] rows = new float[atOnce * spec.dim()];
        for (int begin = 0; begin < count; begin += atOnce)
        {
            final int length = Math.min(atOnce, count - begin);
            for (int i = 0; i < length; i++)
            {
                keys[i] = (long)begin + i;
            }
            source.fetch(keys, length, rows);
            for (int i = 0; i < length; i++)
            {
                fingerprint.add(spec.tableId(), keys[i], rows, i * spec.dim(), spec.dim());
            }
        }

        return fingerprint.finish();
    }

    /**
     * Write the model to a file.
     *
     * @param isReplacing      true if an existing file is replaced.
     * @param isOfOneIteration wait until all partitions have ended the same iteration; else rows are taken as they are.
     * @param timeoutNs        for all of it.
     * @param metadata         of the model, in the file.
     * @throws IOException if the file cannot be written.
     */
    void save(
        final Path file, final boolean isReplacing, final boolean isOfOneIteration, final long timeoutNs,
        final String metadata) throws IOException
    {
        if (isOfOneIteration)
        {
            client.models().save(file, isReplacing, timeoutNs, metadata);
        }
        else
        {
            client.models().saveNow(file, isReplacing, timeoutNs, metadata);
        }
    }

    /** Rows of a table that are infinite or NaN, over all partitions. */
    long rowsNotFinite(final TableSpec spec)
    {
        return client.describe().tables().stream()
            .filter((table) -> table.spec().tableId() == spec.tableId())
            .mapToLong(TableDescription::rowsNotFinite).sum();
    }

    /** Bytes of the logs of all partitions, as far as they are applied. */
    long logBytes()
    {
        return client.describe().partitions().stream().mapToLong(PartitionDescription::position).sum();
    }

    /**
     * Compare what workers say they sent with what every partition counted.
     *
     * @param results of the workers in order of their slots.
     * @param lives   of the slots: the processes that held them before.
     */
    Audit audit(final List<WorkerResult> results, final List<SlotLives> lives)
    {
        final Audit audit = new Audit();
        final int dim = TableSpec.AUDIT.dim();
        final long[] slots = new long[results.size()];
        final long[] rows = new long[slots.length * dim];
        for (int slot = 0; slot < slots.length; slot++)
        {
            slots[slot] = slot;
        }

        for (int partition = 0; partition < client.partitionCount(); partition++)
        {
            client.await(client.pullSystem(partition, TableSpec.AUDIT, slots, rows));
            for (int slot = 0; slot < slots.length; slot++)
            {
                final int row = slot * dim;
                final String name = "slot " + slot + " at partition " + partition;
                final Audit.Sums sent = results.get(slot).sent().get(partition);
                final Audit.Sums applied = new Audit.Sums(rows[row], rows[row + 1], rows[row + 2], rows[row + 3]);
                if (lives.get(slot).isRestarted())
                {
                    audit.addTakenOver(name, sent, lives.get(slot).pushedBefore(partition),
                        lives.get(slot).sequenceBefore(partition), applied);
                }
                else
                {
                    audit.add(name, sent, applied);
                }
            }
        }

        return audit;
    }

    private static int rowsAtOnce(final int dim)
    {
        return Math.max(1, Math.min(ROWS_AT_ONCE, VALUES_AT_ONCE / dim));
    }

    @Override
    public void close()
    {
        client.close();
    }
}
