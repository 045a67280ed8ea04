// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import io.gradstream.training.model.Fingerprint;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

class ClickLogTest
{
    private static final ClickLog.Spec SMALL = ClickLog.Spec.defaults(3).withExamples(5000).withFeatures(1 << 12);

    private static void assertSame(final Examples actual, final Examples expected)
    {
        assertThat(actual.size()).isEqualTo(expected.size());
        assertThat(actual.featureCount()).isEqualTo(expected.featureCount());
        assertThat(actual.entryCount()).isEqualTo(expected.entryCount());
        for (int i = 0; i < expected.size(); i++)
        {
            assertThat(actual.label(i)).isEqualTo(expected.label(i));
            assertThat(actual.endEntry(i)).isEqualTo(expected.endEntry(i));
        }
        for (int entry = 0; entry < expected.entryCount(); entry++)
        {
            assertThat(actual.feature(entry)).isEqualTo(expected.feature(entry));
            assertThat(actual.value(entry)).isEqualTo(1.0f);
        }
    }

    @Test
    void shouldMakeOwnPartAloneWhenWorkersShareLog()
    {
        final Examples whole = new ClickLog(SMALL).train(0, 1);
        for (int worker = 0; worker < 3; worker++)
        {
            assertSame(new ClickLog(SMALL).train(worker, 3), whole.shard(worker, 3));
        }
    }

    @Test
    void shouldHaveStatedShapeWhenDefault()
    {
        for (long seed = 0; seed < 3; seed++)
        {
            final ClickLog log = new ClickLog(ClickLog.Spec.defaults(seed));
            final Examples test = log.test();
            int clicks = 0;
            for (int i = 0; i < test.size(); i++)
            {
                clicks += test.label(i);
                assertThat(test.endEntry(i) - test.firstEntry(i)).isBetween(1 + 12, 1 + 20);
                assertThat(test.feature(test.firstEntry(i))).isZero();
            }

            assertThat(test.size()).isEqualTo(20_000);
            assertThat(test.featureCount()).isEqualTo(1 << 17);
            assertThat((double)clicks / test.size()).isBetween(0.2, 0.3);
            assertThat(Evaluation.of(test, log::trueWeight).auc()).isBetween(0.8, 0.9);
        }
    }

    @Test
    void shouldDrawLabelsFromTrueScoreWhenThereIsNoNoise()
    {
        final ClickLog log = new ClickLog(SMALL);
        final Examples train = log.train(0, 1);
        double expected = 0;
        double clicks = 0;
        for (int i = 0; i < train.size(); i++)
        {
            final double score = log.trueScore(train, i);
            expected += score > 0 ? Logistic.sigmoid(score) : 0;
            clicks += score > 0 ? train.label(i) : 0;
        }
        assertThat(clicks / train.size()).isCloseTo(expected / train.size(), within(0.02));
    }

    @Test
    void shouldLoseSignalWhenNoiseFlipsHalfOfLabels()
    {
        final ClickLog log = new ClickLog(new ClickLog.Spec(20_000, 1 << 12, 16, 1.3, 0.5, 3));
        assertThat(Evaluation.of(log.test(), log::trueWeight).auc()).isCloseTo(0.5, within(0.05));
    }

    @Test
    void shouldFollowPowerLawWhenDrawn()
    {
        final PowerLaw law = new PowerLaw(1000, 1.0);
        final SeededRandom random = new SeededRandom(1);
        final int[] counts = new int[1000];
        final int draws = 400_000;
        for (int i = 0; i < draws; i++)
        {
            counts[law.rank(random.nextDouble())]++;
        }

        assertThat((double)counts[0] / counts[1]).isCloseTo(2.0, within(0.05));
        assertThat((double)counts[0] / counts[9]).isCloseTo(10.0, within(0.5));
        assertThat(law.rank(0.0)).isZero();
        assertThat(law.rank(Math.nextDown(1.0))).isEqualTo(999);
    }

    @Test
    void shouldEndWhenFewFeaturesAreAlmostAllActive()
    {
        final Examples examples =
            new ClickLog(new ClickLog.Spec(100, ClickLog.Spec.MIN_FEATURES, 100, 3.0, 0.0, 1)).train(0, 1);
        assertThat(examples.size()).isEqualTo(100);
    }

    @Test
    void shouldRefuseWhenSpecIsOutOfRange()
    {
        assertThatThrownBy(() -> SMALL.withExamples(0)).hasMessage("invalid examples=0: must be 1..100000000");
        assertThatThrownBy(() -> SMALL.withFeatures(255)).hasMessage("invalid features=255: must be 256..16777216");
        assertThatThrownBy(() -> new ClickLog.Spec(1, 256, 16, Double.NaN, 0, 1))
            .hasMessage("invalid powerLawExponent=NaN: must be 0.0..3.0");
        assertThatThrownBy(() -> new ClickLog(SMALL).train(3, 3)).hasMessage("invalid worker=3: must be 0..2");
    }

    @Test
    void shouldKeepItsBitsAcrossReleases()
    {
        final ClickLog log = new ClickLog(SMALL);
        final Examples examples = log.train(0, 1);
        final long[] keys = new long[examples.size()];
        final float[] rows = new float[2 * keys.length];
        for (int i = 0; i < keys.length; i++)
        {
            keys[i] = i;
            rows[2 * i] = (float)log.trueScore(examples, i);
            rows[2 * i + 1] = examples.label(i);
        }
        assertThat(Fingerprint.of(0, keys, keys.length, rows, 2))
            .isEqualTo("f24adbb3c6a73f44f3645421aee6f12d580caabb558e7b81c9ce8d088a0e618c");
    }
}
