// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * How the rate of a function changes as training goes on: a factor for each step, from 0 to 1, as text
 * {@code cosine:steps=10000:warmup=500:floor=0.01}. Linear warm-up as in Goyal et al., "Accurate, Large Minibatch SGD",
 * 2017; cosine as in Loshchilov and Hutter, "SGDR", ICLR 2017, without restarts.
 * <p>
 * Only a primary asks for factors: what it finds goes into the log, and every replica takes it from there.
 */
public final class RateSchedule
{
    /** Most steps that a parameter may name. */
    public static final long MAX_STEPS = 1_000_000_000_000L;

    private static final String STEPS = "steps";
    private static final String EVERY = "every";
    private static final String FACTOR = "factor";
    private static final String WARMUP = "warmup";
    private static final String FLOOR = "floor";

    private enum Kind
    {
        /** Stays, but for the warm-up. */
        CONSTANT,
        /** Falls by a factor each so many steps. */
        STEP,
        /** Falls along half a cosine. */
        COSINE
    }

    private final Kind kind;
    /** Steps of the whole cosine, the warm-up included, or steps after which the factor falls. */
    private final long length;
    private final double factor;
    private final long warmup;
    private final double floor;

    private RateSchedule(
        final Kind kind, final long length, final double factor, final long warmup, final double floor)
    {
        this.kind = kind;
        this.length = length;
        this.factor = factor;
        this.warmup = warmup;
        this.floor = floor;
    }

    /**
     * The schedule that a text names.
     *
     * @param text kind, then name=number, separated by colons.
     * @throws IllegalArgumentException saying what is wrong with it, and what is allowed.
     */
    public static RateSchedule parse(final String text)
    {
        final String[] words = text.split(":", -1);
        final Map<String, String> given = new HashMap<>();
        for (int i = 1; i < words.length; i++)
        {
            final int equals = words[i].indexOf('=');
            if (equals < 1 || null != given.put(words[i].substring(0, equals), words[i].substring(equals + 1)))
            {
                throw new IllegalArgumentException(
                    "'" + words[i] + "' of the schedule must be name=number, each name once");
            }
        }
        final RateSchedule schedule = parse(words[0], given);
        if (!given.isEmpty())
        {
            throw new IllegalArgumentException(
                "schedule " + words[0] + " does not know " + new TreeSet<>(given.keySet()));
        }

        return schedule;
    }

    private static RateSchedule parse(final String name, final Map<String, String> given)
    {
        final long warmup = given.containsKey(WARMUP) ? steps(given, WARMUP, 0) : 0;
        return switch (name)
        {
            case "constant" -> new RateSchedule(Kind.CONSTANT, 1, 1, warmup, 0);
            case "step" ->
            {
                final double factor = share(given, FACTOR);
                yield new RateSchedule(Kind.STEP, steps(given, EVERY, 1), factor, warmup, floor(given));
            }
            case "cosine" ->
            {
                final long steps = steps(given, STEPS, 1);
                if (steps <= warmup)
                {
                    throw new IllegalArgumentException(
                        "steps of the schedule count the warm-up too: must be above warmup=" + warmup);
                }
                yield new RateSchedule(Kind.COSINE, steps, 1, warmup, floor(given));
            }
            default -> throw new IllegalArgumentException(
                "unknown schedule '" + name + "': must be constant, step or cosine");
        };
    }

    private static double floor(final Map<String, String> given)
    {
        return given.containsKey(FLOOR) ? share(given, FLOOR) : 0;
    }

    private static long steps(final Map<String, String> given, final String name, final long least)
    {
        try
        {
            final long steps = Long.parseLong(String.valueOf(given.remove(name)));
            if (steps >= least && steps <= MAX_STEPS)
            {
                return steps;
            }
        }
        catch (final NumberFormatException ignore)
        {
            // told below
        }
        throw new IllegalArgumentException(
            "the schedule needs " + name + ", a whole number of " + least + ".." + MAX_STEPS);
    }

    private static double share(final Map<String, String> given, final String name)
    {
        try
        {
            final double share = Float.parseFloat(String.valueOf(given.remove(name)));
            if (share >= 0 && share <= 1)
            {
                return share;
            }
        }
        catch (final NumberFormatException ignore)
        {
            // told below
        }
        throw new IllegalArgumentException("the schedule needs " + name + ", a number of 0..1");
    }

    /**
     * Factor of the rate in a step.
     *
     * @param step the first is 0.
     * @return 0 to 1.
     */
    public float factor(final long step)
    {
        if (step < warmup)
        {
            return (float)((step + 1.0) / warmup);
        }
        final long behind = step - warmup;
        final long drops = behind / length;

        return (float)switch (kind)
        {
            case CONSTANT -> 1.0;
            case STEP -> Math.max(floor, StrictMath.pow(factor, drops));
            case COSINE -> behind >= length - warmup ? floor :
                floor + (1 - floor) * 0.5 * (1 + StrictMath.cos(StrictMath.PI * behind / (length - warmup)));
        };
    }
}
