// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import io.gradstream.cli.usage.RenamedOptions;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Handles the options that the user gave to a command, as arguments that are kept, compared, and given again. */
public final class GivenOptions
{
    static final String LABEL_VALUES = "--label-values";

    private GivenOptions()
    {
    }

    /** The option of an argument. */
    public static String nameOf(final String argument)
    {
        return argument.substring(0, (argument + "=").indexOf('='));
    }

    /** Names of the options of a command line. */
    public static Set<String> named(final ParseResult parsed)
    {
        return parsed.matchedOptions().stream().map(OptionSpec::longestName).collect(Collectors.toSet());
    }

    /** True if an option has a value of the command line, of a file or of the system's properties. */
    public static boolean isGiven(final ParseResult parsed, final OptionSpec option)
    {
        return parsed.hasMatchedOption(option) || null != provided(parsed, option);
    }

    /** An option as an argument, or null if the option has its default value. */
    public static String line(final ParseResult parsed, final OptionSpec option)
    {
        if (!isGiven(parsed, option))
        {
            return null;
        }
        final String provided = parsed.hasMatchedOption(option) ? null : provided(parsed, option);
        final String name = option.longestName();
        if (0 == option.arity().max())
        {
            return Boolean.TRUE.equals(option.getValue()) ? name : null;
        }

        final String text = null == provided ? String.join(",", option.originalStringValues()) : provided;
        return name + "=" + value(option, text);
    }

    /**
     * Take from a model the options that the user did not give.
     *
     * @param commandLine of a command that was parsed, and is parsed again.
     * @param source      of the model's options, for messages.
     * @param ofModel     options of the model, as arguments.
     * @param names       of the options that a model can have.
     * @param free        names of the options that may differ from the model's.
     * @throws UsageException if an option is given that contradicts the model.
     */
    public static void take(
        final CommandLine commandLine,
        final String source,
        final List<String> ofModel,
        final Set<String> names,
        final Set<String> free)
    {
        final ParseResult given = commandLine.getParseResult();
        final List<String> known = RenamedOptions.apply(ofModel, given.commandSpec());
        final List<String> all = new ArrayList<>(known);
        for (final String argument : known)
        {
            UsageException.refuseIf(!names.contains(nameOf(argument)),
                source + " was made with " + argument +
                    ", which this program does not know: use the program that made it");
        }
        for (final String name : names)
        {
            final OptionSpec option = given.commandSpec().findOption(name);
            if (!isGiven(given, option))
            {
                continue;
            }
            final String before = before(known, option);
            final String line = line(given, option);
            if (free.contains(name) ? isReversed(option, line, before) : !isSame(option, line, before))
            {
                throw new UsageException((null == line ? name + "=false" : line) + " contradicts " + source +
                    ", which was made with " + (null == before ? "no " + name : before) + ": leave it out");
            }
            all.removeIf((argument) -> name.equals(nameOf(argument)));
        }
        final List<String> own = given.originalArgs();
        all.addAll(own.subList(own.indexOf(given.commandSpec().name()) + 1, own.size()));
        commandLine.parseArgs(all.toArray(String[]::new));
    }

    /** Adds an option to arguments, unless it has no value: null, false or an empty list. */
    static void add(final List<String> arguments, final String name, final Object value)
    {
        final List<?> values = value instanceof final List<?> list ? list : null == value ? List.of() : List.of(value);
        if (!values.isEmpty() && !Boolean.FALSE.equals(value))
        {
            final String text = values.stream().map(String::valueOf).collect(Collectors.joining(","));
            arguments.add(Boolean.TRUE.equals(value) ? name : name + "=" + text);
        }
    }

    /** An option as it was among earlier arguments, or else its default; null if it has none. */
    public static String before(final List<String> arguments, final OptionSpec option)
    {
        final String name = option.longestName();
        return arguments.stream().filter((argument) -> name.equals(nameOf(argument))).findAny()
            .orElse(null == option.defaultValue() ? null : name + "=" + option.defaultValue());
    }

    /** True if an option gives the same two labels in the other order, which swaps the two classes. */
    private static boolean isReversed(final OptionSpec option, final String line, final String before)
    {
        return LABEL_VALUES.equals(option.longestName()) && isSame(option, line, before) &&
            !Objects.equals(line, before);
    }

    /** True if an option is the same: the order of several values does not count, nor the notation of numbers. */
    private static boolean isSame(final OptionSpec option, final String line, final String before)
    {
        if (null == line || null == before)
        {
            return null == line && null == before;
        }
        if (Double.class == option.type() || double.class == option.type())
        {
            return valueOf(line) == valueOf(before);
        }
        return sorted(line).equals(sorted(before));
    }

    private static double valueOf(final String line)
    {
        return Double.parseDouble(line.substring(nameOf(line).length() + 1));
    }

    private static List<String> sorted(final String line)
    {
        return Arrays.stream(line.substring(nameOf(line).length()).replaceFirst("^=", "").split(",", -1)).sorted()
            .toList();
    }

    private static String provided(final ParseResult parsed, final OptionSpec option)
    {
        final IDefaultValueProvider provider = parsed.commandSpec().defaultValueProvider();
        try
        {
            return null == provider ? null : provider.defaultValue(option);
        }
        catch (final Exception ex)
        {
            throw new IllegalStateException("no default of " + option.longestName(), ex);
        }
    }

    /** The value with absolute paths, as a run may be resumed in another working directory. */
    private static String value(final OptionSpec option, final String text)
    {
        if (option.getValue() instanceof Path path)
        {
            return path.toAbsolutePath().toString();
        }
        if (option.getValue() instanceof List<?> list && !list.isEmpty() && list.get(0) instanceof Path)
        {
            return DataFiles.named(list.stream().map((path) -> (Path)path).toList()).stream()
                .map((path) -> path.toAbsolutePath().toString())
                .collect(Collectors.joining(","));
        }

        return text;
    }
}
