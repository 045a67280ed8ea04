// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

/**
 * The staleness bound of a job: how far its slots may run apart. In an iteration a slot sees all that every slot has
 * pushed in the iterations before it, except the last few, which are as many as the bound. 0 is sequential (bulk
 * synchronous), n bounded delay (stale synchronous), {@link #UNBOUNDED} eventual (asynchronous).
 *
 * @param slots     that hold others back: 0 to slots - 1, from the job's beginning on.
 * @param staleness bound in iterations, or {@link #UNBOUNDED}.
 */
public record Consistency(int slots, int staleness)
{
    /** Nobody waits. */
    public static final int UNBOUNDED = -1;
    /** Largest bound. */
    public static final int MAX_STALENESS = 1_000_000;
    /** Most slots of a job. */
    public static final int MAX_SLOTS = 1024;
    /** The clock of a slot that has finished for good: it holds nobody back. */
    public static final long FINISHED = Long.MAX_VALUE;
    /** No slot waits for another. */
    public static final Consistency EVENTUAL = new Consistency(0, UNBOUNDED);

    private static final String UNBOUNDED_LABEL = "unbounded";

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException naming the one that is wrong, and what is allowed.
     */
    public Consistency
    {
        Check.that(staleness >= UNBOUNDED && staleness <= MAX_STALENESS, "staleness", staleness,
            "0.." + MAX_STALENESS + " or " + UNBOUNDED_LABEL);
        final int least = UNBOUNDED == staleness ? 0 : 1;
        Check.range("slots", slots, least, MAX_SLOTS);
    }

    /** True if there is a bound. */
    public boolean isBounded()
    {
        return UNBOUNDED != staleness;
    }

    /** True if every slot sees the same: all of what was pushed in all iterations before, added up once. */
    public boolean isSequential()
    {
        return 0 == staleness;
    }

    /**
     * True if a slot in an iteration may read the rows as they are.
     *
     * @param clock    iterations before the one that it reads for.
     * @param minClock iterations that every slot has finished.
     */
    public boolean allows(final long clock, final long minClock)
    {
        return !isBounded() || minClock >= clock - staleness;
    }

    /** The bound as text: a number, or "unbounded". */
    public String label()
    {
        return isBounded() ? String.valueOf(staleness) : UNBOUNDED_LABEL;
    }

    /**
     * The bound that a text names.
     *
     * @param label as {@link #label()} gives it.
     * @throws IllegalArgumentException if it is none.
     */
    public static int parseStaleness(final String label)
    {
        if (UNBOUNDED_LABEL.equals(label))
        {
            return UNBOUNDED;
        }
        try
        {
            final int staleness = Integer.parseInt(label);
            if (UNBOUNDED != staleness)
            {
                return new Consistency(1, staleness).staleness();
            }
        }
        catch (final IllegalArgumentException ignore)
        {
            // told below
        }
        throw new IllegalArgumentException(
            "invalid staleness=" + label + ": must be 0.." + MAX_STALENESS + " or " + UNBOUNDED_LABEL);
    }
}
