// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.training.RatingLog;

/** Ratings that no loop trains: those that a longer log of the same users and items has behind the trained ones. */
final class HeldOutRatings
{
    private static final int RATINGS = 10_000;

    private HeldOutRatings()
    {
    }

    /**
     * Root of the mean squared error of what factors say of these ratings.
     *
     * @param trained the log that was trained.
     * @param rows    factors of users, then of items.
     */
    static double error(final RatingLog.Spec trained, final float[][] rows)
    {
        final RatingLog log = new RatingLog(new RatingLog.Spec(trained.ratings() + RATINGS, trained.users(),
            trained.items(), trained.rank(), trained.powerLawExponent(), trained.noise(), trained.seed()));
        double sum = 0.0;
        for (int i = trained.ratings(); i < log.size(); i++)
        {
            final float[] user = rows[log.user(i)];
            final float[] item = rows[trained.users() + log.item(i)];
            double product = 0.0;
            for (int k = 0; k < user.length; k++)
            {
                product += (double)user[k] * item[k];
            }
            sum += (product - log.value(i)) * (product - log.value(i));
        }

        return Math.sqrt(sum / RATINGS);
    }
}
