// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.examples;

import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;

import java.util.List;
import java.util.Locale;

/** The training loop that the README shows; a test compares the two. */
public final class ReadmeLoop
{
    private static final int BATCH_KEYS = LinearTask.ACTIVE;
    private static final int BATCHES = 4_000;

    private ReadmeLoop()
    {
    }

    /**
     * Train with a cluster that was started as the README says.
     *
     * @param arguments none.
     */
    public static void main(final String... arguments)
    {
        // region context
        final ClientContext context = new ClientContext()
            .aeronDirectoryName("/dev/shm/gradstream-host")
            .coordinators(List.of("127.0.0.1:20000"))
            .slot(0);
        // endregion
        System.out.printf(Locale.ROOT, "largest error=%.6f%n", train(context));
    }

    /**
     * Train.
     *
     * @param context of the worker.
     * @return the largest error of a weight.
     */
    public static double train(final ClientContext context)
    {
        final LinearTask batches = new LinearTask(1, BATCHES);
        final LinearTask model = batches;
        // region loop
        try (GradstreamClient client = GradstreamClient.connect(context))
        {
            final Table weights = client.createTable(TableSpec.sparse(0, "weights", 1, "sgd/1 rate=0.1"));
            final float[] w = new float[BATCH_KEYS];
            while (batches.next())
            {
                final long[] keys = batches.keys();
                weights.pullAndAwait(keys, keys.length, w);
                weights.push(keys, model.gradient(w));
                client.clock();
            }
            client.awaitAll();
            // endregion
            return largestError(weights);
            // region loop
        }
        // endregion
    }

    static double largestError(final Table weights)
    {
        final long[] keys = new long[LinearTask.FEATURES];
        for (int key = 0; key < keys.length; key++)
        {
            keys[key] = key;
        }
        final float[] w = new float[keys.length];
        weights.pullAndAwait(keys, keys.length, w);
        double largest = 0.0;
        for (int key = 0; key < keys.length; key++)
        {
            largest = Math.max(largest, Math.abs(w[key] - LinearTask.trueWeight(key)));
        }

        return largest;
    }
}
