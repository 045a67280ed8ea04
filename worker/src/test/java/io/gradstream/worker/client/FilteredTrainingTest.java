// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.ClientStats;
import io.gradstream.worker.Table;
import io.gradstream.worker.filter.PushFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/** How well a small logistic regression learns with filters, against the same without. */
class FilteredTrainingTest
{
    private static final String FTRL = "ftrl/1 alpha=1.0 beta=1.0 l1=0.001 l2=0.0";
    private static final String SPARSE_FTRL = "ftrl/1 alpha=1.0 beta=1.0 l1=0.05 l2=0.0";
    private static final String SGD = "sgd/1 rate=0.5";
    private static final int FEATURES = 500;
    private static final int ACTIVE = 8;
    private static final int TRAIN = 6_400;
    private static final int TEST = 4_000;
    private static final int BATCH = 64;
    private static final int PASSES = 3;

    private final int[][] examples = new int[TRAIN + TEST][ACTIVE];
    private final int[] labels = new int[TRAIN + TEST];
    private ClientStats stats;
    private int rowsPushed;

    FilteredTrainingTest()
    {
        final Random random = new Random(1);
        final double[] weights = new double[FEATURES];
        for (int i = 0; i < FEATURES; i++)
        {
            weights[i] = 0 == i % 3 ? 0 : random.nextGaussian();
        }
        for (int i = 0; i < examples.length; i++)
        {
            double score = -0.5;
            for (int j = 0; j < ACTIVE; j++)
            {
                // some features are in many examples, most in few
                examples[i][j] = (int)(FEATURES * random.nextDouble() * random.nextDouble());
                score += weights[examples[i][j]];
            }
            labels[i] = random.nextDouble() < sigmoid(score) ? 1 : 0;
        }
    }

    @ParameterizedTest
    @CsvSource({
        FTRL + ",significant:0.01:8", FTRL + ",significant:0.1:8", FTRL + ",skip:0.25",
        SPARSE_FTRL + ",kkt:0.1", SPARSE_FTRL + ",significant:0.05:8 skip:0.1 kkt:0.1",
        SGD + ",significant:0.1:8", SGD + ",skip:0.25"})
    void shouldLearnNearlyAsMuchByFewerRows(final String function, final String filters)
    {
        final double loss = train(function);
        final int rows = rowsPushed;
        final double filtered =
            train(function, Arrays.stream(filters.split(" ")).map(PushFilter::parse).toArray(PushFilter[]::new));

        assertThat(loss).isLessThan(0.6);
        assertThat(filtered).isLessThan(1.005 * loss);
        assertThat(rowsPushed).isLessThan((int)(0.95 * rows));
        assertThat(stats.rowsHeldNow()).isZero();
    }

    /** Small gradients of one sign add up on servers, and are lost here: CLIENT.md warns of it. */
    @Test
    void shouldLearnLittleWhereKktTakesTheWholePenalty()
    {
        final double loss = train(SPARSE_FTRL);

        assertThat(train(SPARSE_FTRL, PushFilter.kkt(1))).isGreaterThan(1.2 * loss);
    }

    @Test
    void shouldLearnTheSameWhereFiltersLetAllThrough()
    {
        final double loss = train(SGD);
        final int rows = rowsPushed;

        assertThat(train(SGD, PushFilter.randomSkip(0))).isEqualTo(loss);
        assertThat(rowsPushed).isEqualTo(rows);
        assertThat(train(SGD, PushFilter.significant(1e-9, 8))).isEqualTo(loss);
        assertThat(stats.filtered().rowsHeld()).as("gradients of 0 at most").isLessThan(rows / 100);
    }

    private double train(final String function, final PushFilter... filters)
    {
        final TableSpec spec = TableSpec.sparse(1, "weights", 1, function);
        final RowsRig rig = new RowsRig(spec, 2, Consistency.EVENTUAL);
        rig.update = function.startsWith("sgd") ? (key, row, gradient) -> row[0] -= 0.5f * gradient[0] :
            new Ftrl(Float.parseFloat(function.replaceAll(".*l1=([0-9.]+).*", "$1")));
        final Table table = rig.client.createTable(spec).pushFilter(filters);
        final float[] rows = new float[BATCH * ACTIVE];
        for (int batch = 0; batch < PASSES * TRAIN / BATCH; batch++)
        {
            final int first = batch * BATCH % TRAIN;
            final long[] keys = Arrays.stream(examples, first, first + BATCH).flatMapToInt(Arrays::stream)
                .distinct().sorted().asLongStream().toArray();
            table.pullAndAwait(keys, keys.length, rows);
            final float[] gradients = new float[keys.length];
            for (int i = first; i < first + BATCH; i++)
            {
                double score = 0;
                for (final int feature : examples[i])
                {
                    score += rows[Arrays.binarySearch(keys, feature)];
                }
                final float error = (float)((sigmoid(score) - labels[i]) / BATCH);
                for (final int feature : examples[i])
                {
                    gradients[Arrays.binarySearch(keys, feature)] += error;
                }
            }
            rig.client.await(table.push(keys, gradients));
            rig.client.await(rig.client.clock());
        }
        rig.client.finish();
        rig.client.awaitAll();
        stats = rig.client.stats();
        rowsPushed = rig.rowsPushed;

        return loss(rig.rows);
    }

    private double loss(final Map<Long, float[]> weights)
    {
        double sum = 0;
        for (int i = TRAIN; i < examples.length; i++)
        {
            double score = 0;
            for (final int feature : examples[i])
            {
                score += weights.getOrDefault((long)feature, new float[1])[0];
            }
            sum += Math.log1p(Math.exp(1 == labels[i] ? -score : score));
        }

        return sum / TEST;
    }

    private static double sigmoid(final double score)
    {
        return 1 / (1 + Math.exp(-score));
    }

    /** As the servers' own, of rows of one float. */
    private static final class Ftrl implements RowsRig.Update
    {
        private final float l1;
        private final Map<Long, float[]> states = new HashMap<>();

        private Ftrl(final float l1)
        {
            this.l1 = l1;
        }

        @Override
        public void apply(final long key, final float[] row, final float[] gradient)
        {
            final float[] state = states.computeIfAbsent(key, (absent) -> new float[2]);
            final float g = gradient[0];
            final float rootN = (float)Math.sqrt(state[1] + g * g);
            state[0] += g - (rootN - (float)Math.sqrt(state[1])) * row[0];
            state[1] += g * g;
            row[0] = Math.abs(state[0]) <= l1 ? 0 : (Math.copySign(l1, state[0]) - state[0]) / (1 + rootN);
        }
    }
}
