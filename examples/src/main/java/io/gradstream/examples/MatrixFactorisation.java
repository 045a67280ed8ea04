// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.examples;

import io.gradstream.codecs.TableSpec;
import io.gradstream.training.RatingLog;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import java.util.Locale;

/**
 * Matrix factorisation of generated ratings: a row of factors for each user and each item, squared error, decay. A key
 * that occurs twice in a batch is pushed twice, and servers apply both gradients.
 */
public final class MatrixFactorisation
{
    private static final int RANK = 8;
    private static final RatingLog.Spec DATA = new RatingLog.Spec(120_000, 500, 300, RANK, 0.5, 0.1, 1);
    private static final int TRAINING_RATINGS = 100_000;
    private static final String FUNCTION = "sgd/1 rate=0.05";
    private static final TableSpec USERS =
        TableSpec.dense(2, "users", DATA.users(), RANK, FUNCTION).withNormalValues(1, 0.3f);
    private static final TableSpec ITEMS =
        TableSpec.dense(3, "items", DATA.items(), RANK, FUNCTION).withNormalValues(2, 0.3f);
    private static final float DECAY = 0.01f;
    private static final int BATCH = 100;
    private static final int PASSES = 12;

    private final RatingLog ratings = new RatingLog(DATA);
    private final long[] users = new long[BATCH];
    private final long[] items = new long[BATCH];
    private final float[] userFactors = new float[BATCH * RANK];
    private final float[] itemFactors = new float[BATCH * RANK];
    private final float[] userGradients = new float[BATCH * RANK];
    private final float[] itemGradients = new float[BATCH * RANK];

    private MatrixFactorisation()
    {
    }

    /**
     * Train as one worker of a cluster that runs.
     *
     * @param arguments as {@link WorkerPlace#parse(String...)} reads them.
     */
    public static void main(final String... arguments)
    {
        final long startNs = System.nanoTime();
        System.out.printf(Locale.ROOT, "rmse=%.4f seconds=%.1f%n",
            train(WorkerPlace.parse(arguments)), (System.nanoTime() - startNs) / 1e9);
    }

    /**
     * Train, and evaluate the factors that are there when this worker has finished.
     *
     * @return root of the mean squared error of ratings that nobody trains with, whose noise has a deviation of 0.1.
     */
    public static double train(final WorkerPlace place)
    {
        return new MatrixFactorisation().run(place);
    }

    private double run(final WorkerPlace place)
    {
        try (GradstreamClient client = GradstreamClient.connect(place.context()))
        {
            final Table userTable = client.createTable(USERS);
            final Table itemTable = client.createTable(ITEMS);
            for (int pass = 0; pass < PASSES; pass++)
            {
                for (int batch = place.slot(); batch < TRAINING_RATINGS / BATCH; batch += place.workers())
                {
                    pull(client, userTable, itemTable, batch * BATCH);
                    computeGradients(batch * BATCH);
                    userTable.push(users, userGradients);
                    itemTable.push(items, itemGradients);
                    client.clock();
                }
            }
            client.finish();
            client.awaitAll();

            return rmse(client, userTable, itemTable);
        }
    }

    /** Both tables are asked before either is waited for. */
    private void pull(final GradstreamClient client, final Table userTable, final Table itemTable, final int from)
    {
        for (int i = 0; i < BATCH; i++)
        {
            users[i] = ratings.user(from + i);
            items[i] = ratings.item(from + i);
        }
        final long userTicket = userTable.pull(users, BATCH, userFactors);
        final long itemTicket = itemTable.pull(items, BATCH, itemFactors);
        client.await(userTicket);
        client.await(itemTicket);
    }

    private void computeGradients(final int from)
    {
        for (int i = 0; i < BATCH; i++)
        {
            final float error = product(i) - ratings.value(from + i);
            for (int k = i * RANK; k < (i + 1) * RANK; k++)
            {
                userGradients[k] = error * itemFactors[k] + DECAY * userFactors[k];
                itemGradients[k] = error * userFactors[k] + DECAY * itemFactors[k];
            }
        }
    }

    private float product(final int i)
    {
        float product = 0f;
        for (int k = i * RANK; k < (i + 1) * RANK; k++)
        {
            product += userFactors[k] * itemFactors[k];
        }

        return product;
    }

    private double rmse(final GradstreamClient client, final Table userTable, final Table itemTable)
    {
        double squares = 0.0;
        for (int from = TRAINING_RATINGS; from < ratings.size(); from += BATCH)
        {
            pull(client, userTable, itemTable, from);
            for (int i = 0; i < BATCH; i++)
            {
                final double error = product(i) - ratings.value(from + i);
                squares += error * error;
            }
        }

        return Math.sqrt(squares / (ratings.size() - TRAINING_RATINGS));
    }
}
