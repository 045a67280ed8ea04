// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.util.Arrays;

import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;

/**
 * A table whose rows are longer than any Ethernet frame, pushed to and pulled by many rows at once.
 */
final class LongRows implements AutoCloseable
{
    private static final int DIM = 4096;
    private static final int ROWS = 256;
    private static final int BLOCK_BITS = 6;

    private final GradstreamClient client;
    private final Table table;
    private final long[] keys = new long[ROWS];
    private final float[] values = new float[ROWS * DIM];
    private int pushes;

    /** Connect and create the table. */
    LongRows(final FaultCluster cluster)
    {
        client = GradstreamClient.connect(cluster.clientContext().slot(0));
        table = client.createTable(TableSpec.sparse(0, "long", DIM, "add/1"));
        for (int i = 0; i < ROWS; i++)
        {
            keys[i] = (long)i << BLOCK_BITS;
        }
    }

    /** Add 1 to every value, in parts that servers log and forward. */
    void push()
    {
        Arrays.fill(values, 1f);
        client.await(table.push(keys, values), FaultCluster.OPERATION_TIMEOUT_NS);
        pushes++;
    }

    /** Values that are not what was pushed. */
    int countWrong()
    {
        client.await(table.pull(keys, ROWS, values), FaultCluster.OPERATION_TIMEOUT_NS);
        int wrong = 0;
        for (final float value : values)
        {
            wrong += value == pushes ? 0 : 1;
        }

        return wrong;
    }

    @Override
    public void close()
    {
        client.close();
    }
}
