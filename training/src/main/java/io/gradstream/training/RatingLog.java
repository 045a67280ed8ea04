// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

/**
 * A generated log of ratings of items by users with hidden factors: the training data of matrix factorisation.
 * <p>
 * Users and items occur in order of popularity, each by a power law, and independently: a user may rate an item more
 * than once. A rating is the product of the hidden factors of user and item, which are normal and of such a scale that
 * products have variance 1, plus normal noise. A rating is a function of (spec, index). Immutable.
 */
public final class RatingLog
{
    private static final long RATING_STREAM = 0x5241_5445L;
    private static final long USER_STREAM = 0x5553_4552L;
    private static final long ITEM_STREAM = 0x4954_454DL;

    private final Spec spec;
    private final int[] users;
    private final int[] items;
    private final float[] values;

    /** Make a log. */
    public RatingLog(final Spec spec)
    {
        this.spec = spec;
        users = new int[spec.ratings()];
        items = new int[spec.ratings()];
        values = new float[spec.ratings()];
        final PowerLaw userPopularity = new PowerLaw(spec.users(), spec.powerLawExponent());
        final PowerLaw itemPopularity = new PowerLaw(spec.items(), spec.powerLawExponent());
        final float[] userFactors = factors(spec, USER_STREAM, spec.users());
        final float[] itemFactors = factors(spec, ITEM_STREAM, spec.items());
        final SeededRandom random = new SeededRandom(0);
        for (int i = 0; i < values.length; i++)
        {
            random.reset(SeededRandom.seed(spec.seed(), RATING_STREAM, i));
            users[i] = userPopularity.rank(random.nextDouble());
            items[i] = itemPopularity.rank(random.nextDouble());
            double product = 0.0;
            for (int k = 0; k < spec.rank(); k++)
            {
                product += (double)userFactors[users[i] * spec.rank() + k] * itemFactors[items[i] * spec.rank() + k];
            }
            values[i] = (float)(product + spec.noise() * random.nextGaussian());
        }
    }

    /** The parameters that the log was generated from. */
    public Spec spec()
    {
        return spec;
    }

    /** Number of ratings. */
    public int size()
    {
        return values.length;
    }

    /**
     * The user who gave a rating.
     *
     * @param rating index, 0 to {@code size() - 1}.
     * @return 0 to {@code users - 1}.
     */
    public int user(final int rating)
    {
        return users[rating];
    }

    /** The item that a rating is of, 0 to {@code items - 1}. */
    public int item(final int rating)
    {
        return items[rating];
    }

    /** The value of a rating. */
    public float value(final int rating)
    {
        return values[rating];
    }

    /**
     * The ratings as examples: two features of value 1, the user and the item, whose feature comes after those of all
     * users. The label is the value of the rating.
     */
    public Examples examples()
    {
        final Examples.Builder examples = new Examples.Builder().featureCount(spec.users() + spec.items());
        for (int i = 0; i < values.length; i++)
        {
            examples.entry(users[i], 1.0f).entry(spec.users() + items[i], 1.0f).endExampleOf(values[i]);
        }
        return examples.build();
    }

    /** Row-major. */
    private static float[] factors(final Spec spec, final long stream, final int rows)
    {
        // the variance of a product of two is then 1 / rank, and that of the sum of all products 1
        final double deviation = StrictMath.pow(spec.rank(), -0.25);
        final float[] factors = new float[rows * spec.rank()];
        final SeededRandom random = new SeededRandom(0);
        for (int row = 0; row < rows; row++)
        {
            random.reset(SeededRandom.seed(spec.seed(), stream, row));
            for (int k = 0; k < spec.rank(); k++)
            {
                factors[row * spec.rank() + k] = (float)(deviation * random.nextGaussian());
            }
        }

        return factors;
    }

    /**
     * The parameters that a log of ratings is generated from. The same spec gives the same log, to the bit.
     *
     * @param ratings          number of ratings, 1 to 100,000,000.
     * @param users            number of users who rate, 1 to 1,000,000.
     * @param items            number of items that are rated, 1 to 1,000,000.
     * @param rank             number of hidden factors, 1 to 256.
     * @param powerLawExponent of the popularity of users and items, 0 (all alike) to 3.
     * @param noise            standard deviation of the part that factors do not explain, 0 to 10.
     * @param seed             of ratings and factors.
     */
    public record Spec(
        int ratings, int users, int items, int rank, double powerLawExponent, double noise, long seed)
    {
        private static final int MAX_RATINGS = 100_000_000;
        private static final int MAX_ROWS = 1_000_000;
        private static final int MAX_RANK = 256;
        private static final double MAX_EXPONENT = 3.0;
        private static final double MAX_NOISE = 10.0;

        /**
         * Check the ranges.
         *
         * @throws IllegalArgumentException naming the value that is out of range, and the range.
         */
        public Spec
        {
            Range.check("ratings", ratings, 1, MAX_RATINGS);
            Range.check("users", users, 1, MAX_ROWS);
            Range.check("items", items, 1, MAX_ROWS);
            Range.check("rank", rank, 1, MAX_RANK);
            Range.check("powerLawExponent", powerLawExponent, 0.0, MAX_EXPONENT);
            Range.check("noise", noise, 0.0, MAX_NOISE);
        }
    }
}
