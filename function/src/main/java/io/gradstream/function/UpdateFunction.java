// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.function;

import io.gradstream.codecs.ElementType;

/**
 * The rule by which a pushed gradient changes a row. Functions of users are made by an {@link UpdateFunctionProvider}.
 * <p>
 * A row is changed by the same function at each replica, in each replay of a log and on each machine, and must come out
 * the same to the bit. So a function is deterministic, and sees nothing but what it is given:
 * <ul>
 * <li>no time, randomness, files, network, threads, static state, nor the order of a hash map;</li>
 * <li>arithmetic of Java in an order that is fixed, and {@code Math.sqrt}, which is exact; no {@code Math.pow}, {@code
 * exp}, {@code log} or {@code sin}, whose last bits depend on the processor: {@code StrictMath} has the same bits
 * everywhere;</li>
 * <li>nothing is kept between two calls except in the row's state, which begins as zeros, is in snapshots and logs, and
 * belongs to the row;</li>
 * <li>what a name and version gives never changes once a log holds it: another formula is another version.</li>
 * </ul>
 * A call is for one row, or for about a thousand values, on the thread that serves all partitions of a node: it does
 * not allocate, block or throw: an exception ends the server.
 * <p>
 * One instance serves one table of one partition and is called by one thread at a time.
 */
public interface UpdateFunction
{
    /**
     * State kept next to each value, in elements of the value's size.
     *
     * @return elements for each value, 0 to 4; 0 unless overridden.
     */
    default int statePerValue()
    {
        return 0;
    }

    /** True if the function can update values of a type: only floats unless overridden. */
    default boolean supports(final ElementType type)
    {
        return ElementType.FLOAT32 == type;
    }

    /**
     * True if a push that would make a row infinite or NaN is refused before it is logged; else such rows are only
     * counted.
     */
    default boolean refusesNonFinite()
    {
        return false;
    }

    /**
     * True if, where several push to a row in one clock of a sequential job, the last push, of the last slot, counts in
     * place of the sum.
     */
    default boolean takesLast()
    {
        return false;
    }

    /**
     * True if each value changes by itself, as its own state and gradient say. Then {@link #updateFloats} may be given
     * the values of many rows, or of a piece of one, as if they were one row. The bits of each value must not depend on
     * how many there are.
     */
    default boolean isPerValue()
    {
        return false;
    }

    /**
     * True if the function uses a rate that a schedule may change. Then {@link #updateFloats} multiplies the rate by
     * the factor that it is given.
     */
    default boolean hasRate()
    {
        return false;
    }

    /**
     * Update a row of floats.
     *
     * @param values     the row's values, dim of them.
     * @param state      the row's state: dim elements of the first kind, then dim of the second, ...
     * @param gradient   what was pushed, dim of them; may be overwritten.
     * @param dim        how many of each.
     * @param rateFactor what the table's schedule makes of the rate in this step, 0 to 1; 1 without one.
     */
    void updateFloats(float[] values, float[] state, float[] gradient, int dim, float rateFactor);

    /**
     * Update a row of longs.
     *
     * @param values   the row's values, dim of them.
     * @param gradient what was pushed, dim of them.
     */
    default void updateLongs(final long[] values, final long[] gradient, final int dim)
    {
        throw new UnsupportedOperationException("no INT64 update");
    }
}
