// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.examples;

import io.gradstream.codecs.TableSpec;
import io.gradstream.training.BatchSchedule;
import io.gradstream.training.ClickLog;
import io.gradstream.training.Evaluation;
import io.gradstream.training.Examples;
import io.gradstream.training.LinearModel;
import io.gradstream.training.Loss;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import java.util.Locale;

/** Sparse logistic regression on a generated click log: one weight for each feature, of which a batch needs few. */
public final class SparseLogisticRegression
{
    private static final ClickLog.Spec DATA = ClickLog.Spec.defaults(1).withExamples(50_000).withFeatures(4_096);
    private static final TableSpec WEIGHTS =
        TableSpec.sparse(1, "clicks", 1, "ftrl/1 alpha=0.3 beta=0.01 l1=0.001 l2=0.001");
    private static final int BATCH = 100;
    private static final int PASSES = 3;

    private SparseLogisticRegression()
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
        final Evaluation evaluation = train(WorkerPlace.parse(arguments));
        System.out.printf(Locale.ROOT, "accuracy=%.4f auc=%.4f seconds=%.1f%n",
            evaluation.accuracy(), evaluation.auc(), (System.nanoTime() - startNs) / 1e9);
    }

    /**
     * Train, and evaluate the weights that are there when this worker has finished.
     *
     * @return on examples that nobody trains with.
     */
    public static Evaluation train(final WorkerPlace place)
    {
        final ClickLog log = new ClickLog(DATA);
        final Examples examples = log.train(place.slot(), place.workers());
        final LinearModel regression = new LinearModel(examples, Loss.LOGISTIC);
        final BatchSchedule schedule = new BatchSchedule(DATA.seed(), place.slot(), examples.size(), BATCH);
        float[] weights = new float[0];
        float[] gradient = new float[0];
        try (GradstreamClient client = GradstreamClient.connect(place.context()))
        {
            final Table table = client.createTable(WEIGHTS);
            for (int pass = 0; pass < PASSES; pass++)
            {
                schedule.startPass(pass);
                for (int batch = 0; batch < schedule.batchCount(); batch++)
                {
                    final int keys = regression.select(
                        schedule.order(), schedule.batchOffset(batch), schedule.batchLength(batch));
                    weights = weights.length < keys ? new float[keys] : weights;
                    gradient = gradient.length < keys ? new float[keys] : gradient;
                    table.pullAndAwait(regression.keys(), keys, weights);
                    regression.gradient(weights, gradient);
                    table.push(regression.keys(), 0, keys, gradient);
                    client.clock();
                }
            }
            client.finish();
            client.awaitAll();

            return Evaluation.of(log.test(), all(table));
        }
    }

    private static float[] all(final Table table)
    {
        final int features = DATA.features();
        final long[] keys = new long[features];
        for (int feature = 0; feature < features; feature++)
        {
            keys[feature] = feature;
        }
        final float[] weights = new float[features];
        table.pullAndAwait(keys, features, weights);

        return weights;
    }
}
