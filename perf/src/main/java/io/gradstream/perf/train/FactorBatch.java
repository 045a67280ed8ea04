// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.training.RatingLog;

import java.util.Arrays;

/**
 * The rows of factors that a batch of ratings needs, and their gradients, which the plain loop and a worker both
 * compute.
 * <p>
 * Rows of items come after those of users, so that a batch asks for all in one message. Gradients of half the squared
 * error and of the decay are summed for each row over the batch.
 */
final class FactorBatch
{
    /** Factors of a user or an item. */
    static final int RANK = 16;

    /** Keeps factors of users with few ratings small. */
    private static final float DECAY = 0.02f;
    /** Sums side by side, of which none waits for the other. */
    private static final int SUMS = 4;
    private static final int WORD_BITS = 6;

    private final RatingLog ratings;
    private final int users;
    /** A bit for each row of the batch: read in order, they give its rows in order. */
    private final long[] marks;
    /** Of a row of the batch among its rows. */
    private final int[] places;
    private long[] keys = new long[0];
    private float[] gradients = new float[0];
    private int keyCount;
    private int[] order;
    private int offset;
    private int length;

    FactorBatch(final RatingLog ratings)
    {
        this.ratings = ratings;
        users = ratings.spec().users();
        marks = new long[(rows(ratings) >> WORD_BITS) + 1];
        places = new int[rows(ratings)];
    }

    /** Of users and items together. */
    static int rows(final RatingLog ratings)
    {
        return ratings.spec().users() + ratings.spec().items();
    }

    /**
     * Make ratings the current batch, and find their rows.
     *
     * @param newOrder of which a part is the batch; not to be changed before the gradients are computed.
     * @return number of rows, without repetition.
     */
    int select(final int[] newOrder, final int newOffset, final int newLength)
    {
        order = newOrder;
        offset = newOffset;
        length = newLength;
        ensureCapacity(Math.min(places.length, 2 * newLength));
        for (int i = offset; i < offset + length; i++)
        {
            mark(ratings.user(order[i]));
            mark(users + ratings.item(order[i]));
        }

        keyCount = 0;
        for (int i = 0; i < marks.length; i++)
        {
            for (long word = marks[i]; 0 != word; word &= word - 1)
            {
                final int key = (i << WORD_BITS) + Long.numberOfTrailingZeros(word);
                places[key] = keyCount;
                keys[keyCount++] = key;
            }
            marks[i] = 0;
        }

        return keyCount;
    }

    /** Rows in ascending order, of which the first {@link #keyCount()} count; the next batch overwrites them. */
    long[] keys()
    {
        return keys;
    }

    int keyCount()
    {
        return keyCount;
    }

    /** Of each key {@link #RANK} values, in the order of the keys; the next batch overwrites them. */
    float[] gradients()
    {
        return gradients;
    }

    /**
     * Compute the gradients at rows that were pulled.
     *
     * @param rows of each key {@link #RANK} values, in the order of the keys.
     * @return sum of the squared errors at these.
     */
    double computeAt(final float[] rows)
    {
        Arrays.fill(gradients, 0, keyCount * RANK, 0f);
        double loss = 0.0;
        for (int i = offset; i < offset + length; i++)
        {
            final int userAt = places[ratings.user(order[i])] * RANK;
            final int itemAt = places[users + ratings.item(order[i])] * RANK;
            loss += add(order[i], rows, userAt, rows, itemAt);
        }

        return loss;
    }

    /**
     * Compute the gradients at rows of one's own.
     *
     * @param rows by key.
     * @return sum of the squared errors at these.
     */
    double computeAt(final float[][] rows)
    {
        Arrays.fill(gradients, 0, keyCount * RANK, 0f);
        double loss = 0.0;
        for (int i = offset; i < offset + length; i++)
        {
            loss += add(order[i], rows[ratings.user(order[i])], 0, rows[users + ratings.item(order[i])], 0);
        }

        return loss;
    }

    private float add(
        final int rating, final float[] user, final int userAt, final float[] item, final int itemAt)
    {
        final float error = product(user, userAt, item, itemAt) - ratings.value(rating);
        final float[] sums = gradients;
        final int userSum = places[ratings.user(rating)] * RANK;
        final int itemSum = places[users + ratings.item(rating)] * RANK;
        for (int k = 0; k < RANK; k++)
        {
            sums[userSum + k] += error * item[itemAt + k] + DECAY * user[userAt + k];
        }
        for (int k = 0; k < RANK; k++)
        {
            sums[itemSum + k] += error * user[userAt + k] + DECAY * item[itemAt + k];
        }

        return error * error;
    }

    private static float product(final float[] user, final int userAt, final float[] item, final int itemAt)
    {
        float first = 0f;
        float second = 0f;
        float third = 0f;
        float fourth = 0f;
        for (int k = 0; k < RANK; k += SUMS)
        {
            first += user[userAt + k] * item[itemAt + k];
            second += user[userAt + k + 1] * item[itemAt + k + 1];
            third += user[userAt + k + 2] * item[itemAt + k + 2];
            fourth += user[userAt + k + 3] * item[itemAt + k + 3];
        }

        return first + second + (third + fourth);
    }

    private void mark(final int key)
    {
        marks[key >> WORD_BITS] |= 1L << key;
    }

    private void ensureCapacity(final int count)
    {
        if (keys.length < count)
        {
            keys = new long[count];
            gradients = new float[count * RANK];
        }
    }
}
