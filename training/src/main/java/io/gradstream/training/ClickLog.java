// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

/**
 * A generated click log with known true weights: the training data that needs no download.
 * <p>
 * Feature 0 is the intercept and occurs in each example. Features 1 and up occur in order of popularity, by a power
 * law. All values are 1. A label is 1 with the probability {@code sigmoid(trueScore)}, and then flipped with the
 * probability {@code noise}. Weights are normal; their scale and the intercept are set by a calibration sample so that
 * true scores have a standard deviation near {@link #SCORE_DEVIATION} and labels are 1 in about
 * {@link #CLICK_RATE} of the examples, whatever the seed.
 * <p>
 * An example is a function of (spec, index), so each worker makes its own part and no other. Immutable.
 */
public final class ClickLog
{
    /** Standard deviation of the true scores (log odds). */
    public static final double SCORE_DEVIATION = 2.0;

    /** Share of examples labelled 1, before noise. */
    public static final double CLICK_RATE = 0.25;

    private static final int MAX_DRAWS_PER_FEATURE = 64;
    private static final int CALIBRATION_EXAMPLES = 4096;
    private static final int CALIBRATION_STEPS = 40;
    private static final double MAX_INTERCEPT = 32.0;
    private static final long EXAMPLE_STREAM = 0x4558_414DL;
    private static final long WEIGHT_STREAM = 0x5745_4947L;
    private static final long CALIBRATION_STREAM = 0x4341_4C49L;

    private final Spec spec;
    private final PowerLaw popularity;
    private final float[] trueWeights;

    /**
     * Prepare a log. Examples are made by {@link #train(int, int)} and {@link #test()}.
     */
    public ClickLog(final Spec spec)
    {
        this.spec = spec;
        popularity = new PowerLaw(spec.features() - 1, spec.powerLawExponent());
        trueWeights = new float[spec.features()];
        final SeededRandom random = new SeededRandom(0);
        for (int feature = 1; feature < trueWeights.length; feature++)
        {
            random.reset(SeededRandom.seed(spec.seed(), WEIGHT_STREAM, feature));
            trueWeights[feature] = (float)random.nextGaussian();
        }

        calibrate();
    }

    /**
     * A worker's part of the training set: examples {@code i} with {@code i mod workers = worker}, as
     * {@link Examples#shard(int, int)} would cut them from the whole.
     *
     * @param worker  index, 0 to {@code workers - 1}.
     * @param workers number of workers, at least 1.
     * @throws IllegalArgumentException if worker or workers is out of range.
     */
    public Examples train(final int worker, final int workers)
    {
        Examples.checkShard(worker, workers);
        return examples(worker, spec.examples(), workers);
    }

    /**
     * The test set: {@link Spec#testExamples()} examples that are in no training set.
     */
    public Examples test()
    {
        return examples(spec.examples(), (long)spec.examples() + spec.testExamples(), 1);
    }

    /** The weight labels were drawn with, of feature 0 (the intercept) to {@code features - 1}. */
    public float trueWeight(final long feature)
    {
        return trueWeights[Math.toIntExact(feature)];
    }

    /** The log odds that an example's label was drawn with, before noise. */
    public double trueScore(final Examples examples, final int example)
    {
        return Logistic.score(examples, example, this::trueWeight);
    }

    private Examples examples(final long begin, final long end, final int step)
    {
        final Examples.Builder builder = new Examples.Builder().featureCount(spec.features());
        final SeededRandom random = new SeededRandom(0);
        final int[] active = new int[spec.maxActiveFeatures()];
        for (long example = begin; example < end; example += step)
        {
            random.reset(SeededRandom.seed(spec.seed(), EXAMPLE_STREAM, example));
            final int count = drawFeatures(random, active);

            double score = trueWeights[0];
            builder.entry(0, 1.0f);
            for (int i = 0; i < count; i++)
            {
                builder.entry(active[i], 1.0f);
                score += trueWeights[active[i]];
            }

            final boolean isClick = random.nextDouble() < Logistic.sigmoid(score);
            final boolean isFlipped = random.nextDouble() < spec.noise();
            builder.endExample(isClick != isFlipped ? 1 : 0);
        }

        return builder.build();
    }

    /**
     * Draw distinct features in ascending order. A popular feature drawn twice is drawn again; after too many draws the
     * example has fewer features.
     */
    private int drawFeatures(final SeededRandom random, final int[] active)
    {
        final int min = spec.minActiveFeatures();
        final int wanted = min + random.nextInt(spec.maxActiveFeatures() - min + 1);
        int count = 0;
        for (int draws = wanted * MAX_DRAWS_PER_FEATURE; count < wanted && draws > 0; draws--)
        {
            count = insert(active, count, 1 + popularity.rank(random.nextDouble()));
        }

        return count;
    }

    private static int insert(final int[] ascending, final int count, final int feature)
    {
        int place = count;
        while (place > 0 && ascending[place - 1] > feature)
        {
            place--;
        }
        if (place > 0 && ascending[place - 1] == feature)
        {
            return count;
        }

        System.arraycopy(ascending, place, ascending, place + 1, count - place);
        ascending[place] = feature;
        return count + 1;
    }

    private void calibrate()
    {
        final double[] scores = calibrationScores();
        double mean = 0.0;
        for (final double score : scores)
        {
            mean += score;
        }
        mean /= scores.length;

        double variance = 0.0;
        for (final double score : scores)
        {
            variance += (score - mean) * (score - mean);
        }
        variance /= scores.length;

        final double scale = SCORE_DEVIATION / StrictMath.sqrt(variance);
        for (int feature = 1; feature < trueWeights.length; feature++)
        {
            trueWeights[feature] = (float)(trueWeights[feature] * scale);
        }
        trueWeights[0] = (float)(intercept(scores, mean, scale) - mean * scale);
    }

    private double[] calibrationScores()
    {
        final SeededRandom random = new SeededRandom(0);
        final int[] active = new int[spec.maxActiveFeatures()];
        final double[] scores = new double[CALIBRATION_EXAMPLES];
        for (int example = 0; example < scores.length; example++)
        {
            random.reset(SeededRandom.seed(spec.seed(), CALIBRATION_STREAM, example));
            final int count = drawFeatures(random, active);
            for (int i = 0; i < count; i++)
            {
                scores[example] += trueWeights[active[i]];
            }
        }

        return scores;
    }

    /** The intercept, on top of centred scores, at which the mean probability is the click rate: by bisection. */
    private static double intercept(final double[] scores, final double mean, final double scale)
    {
        double low = -MAX_INTERCEPT;
        double high = MAX_INTERCEPT;
        for (int step = 0; step < CALIBRATION_STEPS; step++)
        {
            final double middle = (low + high) / 2.0;
            double rate = 0.0;
            for (final double score : scores)
            {
                rate += Logistic.sigmoid((score - mean) * scale + middle);
            }

            if (rate < CLICK_RATE * scores.length)
            {
                low = middle;
            }
            else
            {
                high = middle;
            }
        }

        return (low + high) / 2.0;
    }

    /**
     * The parameters that a click log is generated from. The same spec gives the same log, to the bit.
     *
     * @param examples         number of training examples of all workers, 1 to 100,000,000.
     * @param features         number of features with the intercept, 256 to 16,777,216.
     * @param activeFeatures   mean number of features in an example besides the intercept, 1 to 100; examples have
     *                         between three and five quarters of it, evenly.
     * @param powerLawExponent of the popularity of features, 0 (all alike) to 3.
     * @param noise            share of labels flipped, 0 to 0.5.
     * @param seed             of examples and true weights.
     */
    public record Spec(
        int examples, int features, int activeFeatures, double powerLawExponent, double noise, long seed)
    {
        /** Most training examples. */
        public static final int MAX_EXAMPLES = 100_000_000;

        /** Fewest features: enough for an example's features to differ. */
        public static final int MIN_FEATURES = 256;

        /** Most features, which take 16 bytes of memory each. */
        public static final int MAX_FEATURES = 1 << 24;

        /** Most active features, on average. */
        public static final int MAX_ACTIVE_FEATURES = 100;

        /** Largest exponent of the power law. */
        public static final double MAX_EXPONENT = 3.0;

        private static final int TEST_SHARE = 10;
        private static final int MIN_TEST_EXAMPLES = 1000;

        /**
         * Check the ranges.
         *
         * @throws IllegalArgumentException naming the value that is out of range, and the range.
         */
        public Spec
        {
            Range.check("examples", examples, 1, MAX_EXAMPLES);
            Range.check("features", features, MIN_FEATURES, MAX_FEATURES);
            Range.check("activeFeatures", activeFeatures, 1, MAX_ACTIVE_FEATURES);
            Range.check("powerLawExponent", powerLawExponent, 0.0, MAX_EXPONENT);
            Range.check("noise", noise, 0.0, 0.5);
        }

        /**
         * The log that {@code train} uses when no data is named: 200,000 examples of 2^17 features.
         */
        public static Spec defaults(final long seed)
        {
            return new Spec(200_000, 1 << 17, 16, 1.3, 0.0, seed);
        }

        /** The same log with another number of training examples. */
        public Spec withExamples(final int examples)
        {
            return new Spec(examples, features, activeFeatures, powerLawExponent, noise, seed);
        }

        /** The same log with another number of features, the intercept counted. */
        public Spec withFeatures(final int features)
        {
            return new Spec(examples, features, activeFeatures, powerLawExponent, noise, seed);
        }

        /** Size of the test set: a tenth of the training examples, but at least 1000. */
        public int testExamples()
        {
            return Math.max(MIN_TEST_EXAMPLES, examples / TEST_SHARE);
        }

        int minActiveFeatures()
        {
            return Math.max(1, activeFeatures * 3 / 4);
        }

        int maxActiveFeatures()
        {
            return (activeFeatures * 5 + 3) / 4;
        }
    }
}
