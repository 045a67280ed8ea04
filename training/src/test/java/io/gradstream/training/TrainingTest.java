// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import io.gradstream.training.model.Fingerprint;
import org.junit.jupiter.api.Test;

import java.util.Arrays;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The parts together: a local FTRL-proximal learns real and generated data, and a run is a function of its seed.
 */
class TrainingTest
{
    private static final double ALPHA = 0.2;

    @Test
    void shouldReachAccuracyOnAgaricusInThreePasses()
    {
        final Examples train = LibsvmReader.read(RealData.file("agaricus/agaricus.txt.train"));
        final Examples test = LibsvmReader.read(RealData.file("agaricus/agaricus.txt.test"));
        assertThat(train.size()).isEqualTo(6513);
        assertThat(test.size()).isEqualTo(1611);

        final int batchSize = 64;
        final LocalFtrl ftrl = new LocalFtrl(train.featureCount(), ALPHA, 1.0 / batchSize, 0, 0);
        final double[] losses = ftrl.train(train, batchSize, 3, 1);

        final Evaluation evaluation = Evaluation.of(test, ftrl.weights());
        assertThat(evaluation.accuracy()).isGreaterThanOrEqualTo(0.99);
        assertThat(evaluation.auc()).isGreaterThanOrEqualTo(0.999);
        assertThat(losses[2]).isLessThan(losses[0]);
    }

    @Test
    void shouldLearnClickLogCloseToTrueModelInTwoPasses()
    {
        final ClickLog log = new ClickLog(ClickLog.Spec.defaults(1));
        final Examples test = log.test();
        final Examples train = log.train(0, 1);
        final int batchSize = 256;
        final LocalFtrl ftrl = new LocalFtrl(train.featureCount(), ALPHA, 1.0 / batchSize, 0, 0);

        ftrl.train(train, batchSize, 2, 1);

        final double trueAuc = Evaluation.of(test, log::trueWeight).auc();
        assertThat(trueAuc).isBetween(0.8, 0.9);
        assertThat(Evaluation.of(test, ftrl.weights()).auc()).isBetween(trueAuc - 0.03, trueAuc);
    }

    @Test
    void shouldEndWithSameBitsWhenSeedIsSame()
    {
        assertThat(fingerprint(5)).isEqualTo(fingerprint(5)).isNotEqualTo(fingerprint(6));
    }

    private static String fingerprint(final long seed)
    {
        final ClickLog.Spec spec = ClickLog.Spec.defaults(seed).withExamples(2000).withFeatures(1 << 10);
        final Examples train = new ClickLog(spec).train(0, 1);
        final LocalFtrl ftrl = new LocalFtrl(train.featureCount(), ALPHA, 0.05, 0, 0);
        ftrl.train(train, 32, 1, seed);

        final long[] keys = new long[train.featureCount()];
        Arrays.setAll(keys, (i) -> i);
        return Fingerprint.of(1, keys, keys.length, ftrl.weights(), 1);
    }
}
