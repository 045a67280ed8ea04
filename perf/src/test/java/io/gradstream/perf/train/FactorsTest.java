// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.perf.load.MeasuredCluster;
import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.RunOptions;
import io.gradstream.perf.train.FactorWorker.Exchange;
import io.gradstream.training.RatingLog;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

/**
 * Matrix factorisation in one thread, and on clusters of real processes for a moment.
 */
@Timeout(120)
class FactorsTest
{
    private static final int PASSES = 3;
    private static final int USERS = 500;
    private static final RatingLog LOG =
        new RatingLog(new RatingLog.Spec(5_000, USERS, 200, FactorBatch.RANK, 0.8, 0.1, 1));
    private static final RunOptions SETTINGS =
        Measurement.of(new TrainingRun(), "--window-seconds=1", "--warmup-seconds=1").settings();

    @Test
    void shouldLearnInOneThread()
    {
        final PlainFactors factors = new PlainFactors(PlainFactors.initialRows(LOG), LOG, 64);
        final double first = factors.trainPass(0);
        double last = first;
        for (int pass = 1; pass < 20; pass++)
        {
            last = factors.trainPass(pass);
        }

        assertThat(first).isBetween(0.5, 2.0);
        assertThat(last).isLessThan(first / 2);
        assertThat(PlainFactors.run(SETTINGS, LOG, 64).examplesPerSecond()).isPositive();
    }

    /** Rating 3 is twice in the batch. */
    @Test
    void shouldSumTheSlopeOfTheErrorOverABatch()
    {
        final float[][] rows = PlainFactors.initialRows(LOG);
        final int[] order = {9, 3, 4, 3, 9};
        final FactorBatch batch = new FactorBatch(LOG);

        final int keyCount = batch.select(order, 1, 3);
        final double loss = batch.computeAt(rows);

        final long[] keys = Arrays.copyOf(batch.keys(), keyCount);
        final int item = USERS + LOG.item(3);
        assertThat(keys).isSorted().doesNotHaveDuplicates()
            .containsOnly(LOG.user(3), item, LOG.user(4), USERS + LOG.item(4));
        assertThat(loss).isCloseTo(2 * square(error(rows, 3)) + square(error(rows, 4)), within(1e-5));
        for (int k = 0; k < FactorBatch.RANK; k++)
        {
            final double slope = error(rows, 3) * rows[LOG.user(3)][k] + 0.02 * rows[item][k];
            assertThat((double)batch.gradients()[Arrays.binarySearch(keys, item) * FactorBatch.RANK + k])
                .isCloseTo(2 * slope, within(1e-5));
        }
    }

    /** Each pass is one batch, so that nothing is pulled ahead. */
    @Tag("faults")
    @Test
    void shouldEndWithTheSameBitsOnAClusterAsInOneThread() throws IOException
    {
        try (MeasuredCluster cluster = FactorWorker.start(SETTINGS, LOG, Exchange.EACH_BATCH))
        {
            final FactorWorker worker = new FactorWorker(
                FactorWorker.connect(SETTINGS, cluster), LOG, LOG.size(), Exchange.EACH_BATCH);
            final float[][] rows = worker.rows();
            final PlainFactors plain = new PlainFactors(rows, LOG, LOG.size());
            assertThat(rows[0]).isNotEqualTo(rows[1]);
            for (int pass = 0; pass < PASSES; pass++)
            {
                assertThat(worker.trainPass(pass)).isEqualTo(plain.trainPass(pass));
            }

            assertThat(worker.rows()).isDeepEqualTo(rows);
        }
    }

    /** And predicts what was not trained as well as the plain thread does after as many passes. */
    @Tag("faults")
    @ParameterizedTest
    @MethodSource("exchanges")
    void shouldLearnOnAClusterThatPullsAhead(final Exchange exchange) throws IOException
    {
        final TrainingRate rate = FactorWorker.run(SETTINGS, LOG, 64, exchange);
        final TrainingRate plain = PlainFactors.run(SETTINGS, LOG, 64);

        assertThat(rate.examplesPerSecond()).isPositive();
        assertThat(rate.cpuSeconds()).isPositive();
        assertThat(rate.testError()).isCloseTo(plain.testError(), withinPercentage(2));
    }

    static List<Exchange> exchanges()
    {
        return List.of(Exchange.EACH_BATCH, Exchange.CACHED, Exchange.SUMMED);
    }

    @Test
    void shouldRefuseToMeasureWhatLearnsNothing()
    {
        final Passes passes = new Passes((pass) -> 0 == pass ? 0.5 : Double.NaN);
        passes.trainFor(TimeUnit.SECONDS.toNanos(1));

        assertThatThrownBy(passes::checkLearned).hasMessageContaining("loss 0.5 first, NaN last");
    }

    private static double error(final float[][] rows, final int rating)
    {
        double product = 0;
        for (int k = 0; k < FactorBatch.RANK; k++)
        {
            product += rows[LOG.user(rating)][k] * rows[USERS + LOG.item(rating)][k];
        }

        return product - LOG.value(rating);
    }

    private static double square(final double value)
    {
        return value * value;
    }
}
