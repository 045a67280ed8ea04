// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.usage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import picocli.CommandLine.Model.CommandSpec;

/**
 * The names that options had in the release before. They are still understood, on the command line, in the file of
 * {@code --config}, as system properties, in the directory of a run and in a model file; help does not show them.
 */
public final class RenamedOptions
{
    private static final String DASHES = "--";
    private static final String PREFIX = "gradstream.";
    private static final Map<String, Renamed> OPTIONS = new LinkedHashMap<>();

    static
    {
        add("--down", "--restart-after");
        add("--leave-out", "--exclude-columns");
        add("--like", "--schema-from");
        add("--ui-hold", "--serve-after");
        add("--save", "--out");
        add("--export", "--out");
        add("--accept-loss", "--allow-data-loss");
        add("--repair-after", "--node-timeout");
        add("--copies", "--replicas");
        OPTIONS.put("--standbys", new Renamed("--replicas",
            (value) -> value.matches("\\d{1,3}") ? String.valueOf(Integer.parseInt(value) + 1) : value));
        OPTIONS.put("--timing", new Renamed("--failure-detection",
            (value) -> Map.of("quiet", "fast", "shared", "default").getOrDefault(value, value)));
        OPTIONS.put("--keep-log", new Renamed("--log-retention",
            (value) -> "needed".equals(value) ? "recovery" : value));
        for (final String target : List.of("server", "primary", "all", "coordinator"))
        {
            OPTIONS.put("--kill-" + target, new Renamed("--kill", (value) -> Arrays.stream(value.split(",", -1))
                .map((when) -> when.isEmpty() ? when : target + "@" + when).collect(Collectors.joining(","))));
        }
    }

    private record Renamed(String name, UnaryOperator<String> value)
    {
    }

    private RenamedOptions()
    {
    }

    private static void add(final String before, final String now)
    {
        OPTIONS.put(before, new Renamed(now, UnaryOperator.identity()));
    }

    /** The arguments that the program itself has stored, with the new names in the place of the old ones. */
    public static List<String> apply(final List<String> arguments, final CommandSpec command)
    {
        return apply(arguments, command, (text) ->
        {
        });
    }

    /**
     * Put the new names in the place of those that a command had.
     *
     * @param arguments of the command: {@code --name value} or {@code --name=value}.
     * @param command   that has the new names. An option that it has under the old name stays.
     * @param onRenamed takes a line for each option that was renamed, for the user.
     * @return the arguments with the new names, and values in the new words.
     */
    public static List<String> apply(
        final List<String> arguments, final CommandSpec command, final Consumer<String> onRenamed)
    {
        final List<String> result = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++)
        {
            final String argument = arguments.get(i);
            final String name = argument.replaceFirst("=.*", "");
            final Renamed renamed = OPTIONS.get(name);
            if (null == renamed || null != command.findOption(name) || null == command.findOption(renamed.name))
            {
                result.add(argument);
                continue;
            }
            final boolean hasValue = command.findOption(renamed.name).arity().max() > 0;
            final boolean isNext = hasValue && name.equals(argument) && i + 1 < arguments.size();
            if (isNext)
            {
                i++;
            }
            final String value = isNext ? arguments.get(i) :
                argument.length() > name.length() ? argument.substring(name.length() + 1) : null;
            final String now = null == value ? renamed.name : renamed.name + "=" + renamed.value.apply(value);
            onRenamed.accept(name + " is now " + renamed.name + ": use " + now);
            result.add(now);
        }

        return result;
    }

    /**
     * Properties with the new names in the place of the old ones. A property that is there under its new name stays.
     *
     * @param onRenamed takes a line for each property that was renamed, for the user.
     */
    public static Properties apply(final Properties properties, final Consumer<String> onRenamed)
    {
        final Properties result = new Properties();
        result.putAll(properties);
        OPTIONS.forEach((before, renamed) ->
        {
            final String name = property(before);
            final String value = properties.getProperty(name);
            if (null != value)
            {
                result.remove(name);
                final String now = property(renamed.name);
                // the four options for kills have become one, so that several old properties can be one
                result.merge(now, renamed.value.apply(value.trim()), (present, more) ->
                    properties.containsKey(now) ? present : present + "," + more);
                onRenamed.accept(name + " is now " + now + ": use " + now + "=" + result.getProperty(now));
            }
        });

        return result;
    }

    private static String property(final String option)
    {
        return PREFIX + option.substring(DASHES.length());
    }
}
