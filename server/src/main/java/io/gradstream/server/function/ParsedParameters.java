// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.function;

import io.gradstream.function.FunctionParameters;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The parameters in the text of an update function: {@code name=number}, and flags, which are there or not. Each is
 * taken once; what is left over is unknown to the function.
 */
final class ParsedParameters implements FunctionParameters
{
    static final String NESTEROV = "nesterov";
    static final String REFUSE_NON_FINITE = "refuse-non-finite";

    private static final String SCHEDULE = "schedule=";
    private static final Set<String> FLAGS = Set.of(NESTEROV, REFUSE_NON_FINITE);

    private final String text;
    private final Map<String, Float> byName = new HashMap<>();
    private final Set<String> flags = new HashSet<>();
    private RateSchedule schedule;

    /**
     * Those of a text.
     *
     * @param words of the text, the first of them the function's name.
     * @throws IllegalArgumentException if a word is neither a number with its name nor a flag.
     */
    ParsedParameters(final String text, final String[] words)
    {
        this.text = text;
        for (int i = 1; i < words.length; i++)
        {
            if (FLAGS.contains(words[i]))
            {
                flags.add(words[i]);
                continue;
            }
            if (words[i].startsWith(SCHEDULE) && null == schedule)
            {
                schedule = parseSchedule(words[i].substring(SCHEDULE.length()));
                continue;
            }
            final int equals = words[i].indexOf('=');
            if (equals > 0 && byName.containsKey(words[i].substring(0, equals)))
            {
                throw invalid("'" + words[i] + "' gives a second value: name each parameter once");
            }
            try
            {
                byName.put(words[i].substring(0, equals), Float.parseFloat(words[i].substring(equals + 1)));
            }
            catch (final IndexOutOfBoundsException | NumberFormatException ex)
            {
                throw new IllegalArgumentException("invalid function='" + text + "': '" + words[i] +
                    "' must be name=number, " + NESTEROV + " or " + REFUSE_NON_FINITE, ex);
            }
        }
    }

    private RateSchedule parseSchedule(final String schedule)
    {
        try
        {
            return RateSchedule.parse(schedule);
        }
        catch (final IllegalArgumentException ex)
        {
            throw invalid(ex.getMessage());
        }
    }

    /** How the rate changes, or null if it does not. */
    RateSchedule schedule()
    {
        return schedule;
    }

    boolean flag(final String name)
    {
        return flags.remove(name);
    }

    @Override
    public float positive(final String name)
    {
        final float value = notNegative(name);
        require(value > 0, name, "above 0");

        return value;
    }

    @Override
    public float positive(final String name, final float otherwise)
    {
        return byName.containsKey(name) ? positive(name) : otherwise;
    }

    @Override
    public float notNegative(final String name)
    {
        final Float value = byName.remove(name);
        if (null == value)
        {
            throw invalid("needs " + name + "=number");
        }
        require(Float.isFinite(value) && value >= 0, name, "0 or above");

        return value;
    }

    @Override
    public float notNegative(final String name, final float otherwise)
    {
        return byName.containsKey(name) ? notNegative(name) : otherwise;
    }

    @Override
    public float share(final String name, final float otherwise)
    {
        final float value = notNegative(name, otherwise);
        require(value < 1, name, "0 to below 1");

        return value;
    }

    void requireAllUsed()
    {
        if (!byName.isEmpty() || !flags.isEmpty())
        {
            final Set<String> left = new TreeSet<>(byName.keySet());
            left.addAll(flags);
            throw invalid("unknown parameters " + left);
        }
    }

    @Override
    public IllegalArgumentException invalid(final String why)
    {
        return new IllegalArgumentException("invalid function='" + text + "': " + why);
    }

    private void require(final boolean isAllowed, final String name, final String allowed)
    {
        if (!isAllowed)
        {
            throw invalid(name + " must be " + allowed);
        }
    }
}
