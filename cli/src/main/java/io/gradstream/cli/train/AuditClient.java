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
package io.gradstream.cli.train;

import io.gradstream.cli.worker.WorkerSession;
import io.gradstream.codecs.TableSpec;
import io.gradstream.launcher.Audit;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.ClusterDescription.PartitionDescription;
import io.gradstream.worker.ClusterDescription.TableDescription;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;

import java.util.ArrayList;
import java.util.List;

/**
 * Looks at the servers after training, without a slot: the weights learned, and what the audit table counted.
 */
final class AuditClient implements AutoCloseable
{
    private static final int OBSERVER_SLOT = -1;
    private static final int ROWS_AT_ONCE = 4096;

    private final GradstreamClient client;

    /**
     * Connect.
     *
     * @param aeronDirectory of a running media driver.
     * @param coordinators   host:port by member id.
     */
    AuditClient(final String aeronDirectory, final List<String> coordinators)
    {
        client = GradstreamClient.connect(new ClientContext()
            .aeronDirectoryName(aeronDirectory)
            .slot(OBSERVER_SLOT)
            .coordinators(coordinators)
            .operationTimeoutNs(WorkerSession.OPERATION_TIMEOUT_NS));
    }

    /**
     * The epoch of each partition, once something was pulled from it.
     */
    List<Long> epochs()
    {
        final List<Long> epochs = new ArrayList<>();
        for (int partition = 0; partition < client.partitionCount(); partition++)
        {
            epochs.add(client.session(partition).epoch());
        }

        return epochs;
    }

    /**
     * The weights of features 0 to count - 1.
     */
    float[] weights(final TableSpec spec, final int count)
    {
        final Table table = client.openTable(spec);
        final float[] weights = new float[count];
        final float[] part = new float[ROWS_AT_ONCE];
        final long[] keys = new long[ROWS_AT_ONCE];
        for (int begin = 0; begin < count; begin += ROWS_AT_ONCE)
        {
            final int rows = Math.min(ROWS_AT_ONCE, count - begin);
            for (int i = 0; i < rows; i++)
            {
                keys[i] = (long)begin + i;
            }
            table.pullAndAwait(keys, rows, part);
            System.arraycopy(part, 0, weights, begin, rows);
        }

        return weights;
    }

    /**
     * Rows of a table that are infinite or NaN, over all partitions.
     */
    long rowsNotFinite(final TableSpec spec)
    {
        return client.describe().tables().stream()
            .filter((table) -> table.spec().tableId() == spec.tableId())
            .mapToLong(TableDescription::rowsNotFinite).sum();
    }

    /**
     * Bytes of the logs of all partitions, as far as they are applied.
     */
    long logBytes()
    {
        return client.describe().partitions().stream().mapToLong(PartitionDescription::position).sum();
    }

    /**
     * Compare what workers say they sent with what every partition counted.
     *
     * @param results of the workers in order of their slots.
     */
    Audit audit(final List<WorkerResult> results)
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
                audit.add("slot " + slot + " at partition " + partition, results.get(slot).sent().get(partition),
                    new Audit.Sums(rows[row], rows[row + 1], rows[row + 2], rows[row + 3]));
            }
        }

        return audit;
    }

    @Override
    public void close()
    {
        client.close();
    }
}
