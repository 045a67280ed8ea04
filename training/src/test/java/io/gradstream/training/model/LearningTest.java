// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.model;

import io.gradstream.training.Examples;
import io.gradstream.training.LinearModel;
import io.gradstream.training.Loss;
import io.gradstream.training.Model;
import io.gradstream.training.RatingLog;
import io.gradstream.training.RealData;
import io.gradstream.training.metric.Accuracy;
import io.gradstream.training.metric.LogLoss;
import io.gradstream.training.metric.RootMeanSquare;
import io.gradstream.training.read.IdxReader;
import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Each model learns something of which the answer is known.
 */
class LearningTest
{
    @Test
    void shouldFindTrueWeightsByLinearRegression()
    {
        final Random random = new Random(1);
        final Examples.Builder builder = new Examples.Builder();
        for (int example = 0; example < 2000; example++)
        {
            final float x = (float)random.nextGaussian();
            final float z = (float)random.nextGaussian();
            builder.entry(0, 1f).entry(1, x).entry(2, z).endExampleOf(0.5f - 2f * x + 3f * z);
        }
        final Examples examples = builder.build();
        final LinearModel model = new LinearModel(examples, Loss.SQUARED);
        final LocalDescent descent = new LocalDescent(model, 3, 0.5);
        assertThat(descent.train(model, examples, 50, 30)).isLessThan(1e-6);
        assertThat(descent.value(0, 0)).isCloseTo(0.5f, within(1e-3f));
        assertThat(descent.value(1, 0)).isCloseTo(-2f, within(1e-3f));
        assertThat(descent.value(2, 0)).isCloseTo(3f, within(1e-3f));
    }

    @Test
    void shouldGiveSharesOfClassesBySoftmaxRegression()
    {
        // with an intercept alone the best there is are the classes' shares: 1/2, 3/10, 1/5
        final Examples.Builder builder = new Examples.Builder();
        for (int example = 0; example < 1000; example++)
        {
            builder.entry(0, 1f).endExampleOf(example % 10 < 5 ? 0 : example % 10 < 8 ? 1 : 2);
        }
        final Examples examples = builder.build();
        final SoftmaxRegression model = new SoftmaxRegression(examples, 3);
        final LocalDescent descent = new LocalDescent(model, 1, 0.1);
        descent.train(model, examples, 1000, 400);
        model.select(new int[]{ 0 }, 0, 1);
        final double[] scores = new double[3];
        model.scores(new float[]{ descent.value(0, 0), descent.value(0, 1), descent.value(0, 2) }, scores);
        model.predict(scores, 0);
        assertThat(scores).containsExactly(new double[]{ 0.5, 0.3, 0.2 }, within(1e-3));
        assertThat(descent.evaluate(model, examples, new LogLoss()))
            .isCloseTo(-(0.5 * Math.log(0.5) + 0.3 * Math.log(0.3) + 0.2 * Math.log(0.2)), within(1e-5));
    }

    @Test
    void shouldTellClothesApartBySoftmaxRegression()
    {
        final Examples all = IdxReader.read(
            RealData.file("fashion-mnist/t10k-images-idx3-ubyte.gz"),
            RealData.file("fashion-mnist/t10k-labels-idx1-ubyte.gz"));
        final Examples train = all.slice(0, 8000);
        final Examples test = all.slice(8000, 10_000);
        final SoftmaxRegression model = new SoftmaxRegression(train, 10);
        final LocalDescent descent = new LocalDescent(model, all.featureCount(), 0.02);
        descent.train(model, train, 100, 3);
        assertThat(descent.evaluate(new SoftmaxRegression(test, 10), test, new Accuracy())).isGreaterThan(0.78);
    }

    @Test
    void shouldLearnWhatOnlyPairsTellByFactorisationMachine()
    {
        // label 1 if both features are of the same half: no weight of a feature tells anything
        final Random random = new Random(2);
        final Examples.Builder builder = new Examples.Builder();
        for (int example = 0; example < 4000; example++)
        {
            final int first = random.nextInt(10);
            final int second = random.nextInt(10);
            builder.entry(first, 1f).entry(10 + second, 1f).endExample(first < 5 == second < 5 ? 1 : 0);
        }
        final Examples examples = builder.build();

        final Model machine = new FactorisationMachine(examples, Loss.LOGISTIC, 4, 0.0, 0.1);
        final LocalDescent descent = new LocalDescent(machine, 20, 0.1);
        descent.train(machine, examples, 50, 5);
        assertThat(descent.evaluate(machine, examples, new Accuracy())).isEqualTo(1.0);

        final Model linear = new LinearModel(examples, Loss.LOGISTIC);
        final LocalDescent flat = new LocalDescent(linear, 20, 0.1);
        flat.train(linear, examples, 50, 5);
        assertThat(flat.evaluate(linear, examples, new Accuracy())).isBetween(0.4, 0.6);
    }

    @Test
    void shouldComeCloseToNoiseByFactorsOfRatings()
    {
        final double noise = 0.1;
        final Examples all = new RatingLog(new RatingLog.Spec(30_000, 200, 100, 3, 0.5, noise, 1)).examples();
        final Examples train = all.slice(0, 27_000);
        final Examples test = all.slice(27_000, 30_000);
        for (final int kind : new int[]{ 0, 1 })
        {
            final Model model = model(kind, train);
            final LocalDescent descent = new LocalDescent(model, all.featureCount(), 0.1);
            descent.train(model, train, 100, 25);
            // ratings have a standard deviation of 1
            assertThat(descent.evaluate(model(kind, test), test, new RootMeanSquare()))
                .as(model.getClass().getSimpleName()).isBetween(noise * 0.9, noise * 2);
        }
    }

    private static Model model(final int kind, final Examples ratings)
    {
        return 0 == kind ?
            new MatrixFactorisation(ratings, 0.0, 4, 1e-4, 0.2) :
            new FactorisationMachine(ratings, Loss.SQUARED, 4, 1e-4, 0.2);
    }
}
