// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.process;

import java.util.LinkedHashMap;
import java.util.Map;

/** A line that a child process prints for its parent: a word, then {@code name=value} fields without spaces. */
public final class StatusLine
{
    /** The process takes work. */
    public static final String READY = "READY";
    /** Progress of a worker. */
    public static final String PROGRESS = "PROGRESS";
    /** A partition came back to a worker. */
    public static final String OUTAGE = "OUTAGE";
    /** A command that a coordinator has taken; {@code at=} is the command's position in its log. */
    public static final String COORDINATOR = "COORDINATOR";
    /** A map that a coordinator has decided, at a position in its log. */
    public static final String MAP = "MAP";
    /** The coordinator that leads from now on. */
    public static final String LEADER = "LEADER";
    /** A coordinator takes part in an election, or no longer does. */
    public static final String SETTLED = "SETTLED";
    /** The last line of a worker, with its results. */
    public static final String RESULT = "RESULT";

    private final String word;
    private final Map<String, String> fields = new LinkedHashMap<>();

    /** A line without fields. */
    public StatusLine(final String word)
    {
        this.word = word;
    }

    /** Parse a line; null if it is none of ours. */
    public static StatusLine parse(final String text)
    {
        final String[] words = text.trim().split(" +");
        switch (words[0])
        {
            case READY, PROGRESS, OUTAGE, COORDINATOR, MAP, LEADER, SETTLED, RESULT ->
            {
            }
            default ->
            {
                return null;
            }
        }

        final StatusLine line = new StatusLine(words[0]);
        for (int i = 1; i < words.length; i++)
        {
            final int equals = words[i].indexOf('=');
            if (equals < 1)
            {
                return null;
            }
            line.fields.put(words[i].substring(0, equals), words[i].substring(equals + 1));
        }

        return line;
    }

    /** Add a field; spaces of its value become underscores. */
    public StatusLine with(final String name, final Object value)
    {
        fields.put(name, String.valueOf(value).replace(' ', '_'));
        return this;
    }

    /** True if the line begins with a word. */
    public boolean is(final String word)
    {
        return this.word.equals(word);
    }

    /** True if the line has a field with a name. */
    public boolean has(final String name)
    {
        return fields.containsKey(name);
    }

    /**
     * A field as text.
     *
     * @throws IllegalStateException if there is none.
     */
    public String text(final String name)
    {
        final String value = fields.get(name);
        if (null == value)
        {
            throw new IllegalStateException("a child process left out " + name + " in: " + this);
        }
        return value;
    }

    /** A field as a whole number. */
    public long number(final String name)
    {
        return Long.parseLong(text(name));
    }

    /** A field as a number. */
    public double decimal(final String name)
    {
        return Double.parseDouble(text(name));
    }

    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder(word);
        fields.forEach((name, value) -> text.append(' ').append(name).append('=').append(value));
        return text.toString();
    }
}
