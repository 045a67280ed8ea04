// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.usage;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gradstream.cli.usage.OptionGroup.Heading;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Writes the options of a command under the headings of {@link OptionGroup}: those that most users need, or all.
 */
public final class HelpText
{
    /** Asks for all options. */
    public static final String ALL = "--help=all";

    /** Shows the value of an option without the pattern that separates several. */
    private static final Help.IParamLabelRenderer LABELS = new Help.IParamLabelRenderer()
    {
        @Override
        public Help.Ansi.Text renderParameterLabel(
            final ArgSpec option, final Help.Ansi ansi, final List<Help.Ansi.IStyle> styles)
        {
            return new Help.ColorScheme.Builder(ansi).build().apply(label(option), styles);
        }

        @Override
        public String separator()
        {
            return "";
        }
    };

    private HelpText()
    {
    }

    /**
     * Take over the list of options in the help of a command and of its subcommands.
     *
     * @param isAll true if the advanced options are shown, too.
     */
    public static void install(final CommandLine command, final boolean isAll)
    {
        final CommandSpec spec = command.getCommandSpec();
        spec.usageMessage().abbreviateSynopsis(true);
        if (command.getSubcommands().isEmpty())
        {
            spec.usageMessage().customSynopsis(synopsis(spec));
        }
        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, (help) -> options(help, isAll));
        command.getSubcommands().values().forEach((subcommand) -> install(subcommand, isAll));
    }

    /**
     * The options that the help of a command shows.
     *
     * @param isAll true if the advanced options are shown, too.
     */
    public static List<OptionSpec> shown(final CommandLine command, final boolean isAll)
    {
        return command.getCommandSpec().options().stream()
            .filter((option) -> !option.hidden() && (isAll || !isAdvanced(option))).toList();
    }

    private static String synopsis(final CommandSpec spec)
    {
        return Stream.of(
            Stream.of(spec.qualifiedName()),
            spec.options().stream().filter(OptionSpec::required).map((option) -> option.longestName() + label(option)),
            Stream.of("[OPTIONS]"),
            spec.positionalParameters().stream().map(ArgSpec::paramLabel))
            .flatMap(Function.identity()).collect(Collectors.joining(" "));
    }

    /** The value of an option. */
    private static String label(final ArgSpec option)
    {
        final String value = "=" + option.paramLabel();
        return 0 == option.arity().max() ? "" : 0 == option.arity().min() ? "[" + value + "]" : value;
    }

    private static String options(final Help help, final boolean isAll)
    {
        final CommandLine command = help.commandSpec().commandLine();
        final Map<Heading, List<OptionSpec>> groups = shown(command, isAll).stream()
            .sorted((left, right) -> left.longestName().compareTo(right.longestName()))
            .collect(Collectors.groupingBy(HelpText::heading, () -> new EnumMap<>(Heading.class), Collectors.toList()));
        final StringBuilder text = new StringBuilder();
        groups.forEach((heading, options) ->
        {
            final Help.Layout layout = help.createDefaultLayout(options, List.of(), help.colorScheme());
            layout.addOptions(options, LABELS);
            text.append(groups.size() > 1 ? String.format(Locale.ROOT, "%n%s:%n", heading.text()) : "").append(layout);
        });
        final int more = shown(command, true).size() - shown(command, isAll).size();

        return more > 0 ?
            text + String.format(Locale.ROOT, "%n%s shows %d options more.%n", ALL, more) : text.toString();
    }

    private static Heading heading(final OptionSpec option)
    {
        final Field field = field(option);
        final OptionGroup ofField = null == field ? null : field.getAnnotation(OptionGroup.class);
        final OptionGroup group =
            null != ofField || null == field ? ofField : field.getDeclaringClass().getAnnotation(OptionGroup.class);

        return null == group ? Heading.GENERAL : group.value();
    }

    private static boolean isAdvanced(final OptionSpec option)
    {
        final Field field = field(option);
        return null != field && field.isAnnotationPresent(OptionGroup.Advanced.class);
    }

    private static Field field(final ArgSpec argument)
    {
        return argument.userObject() instanceof final Field field ? field : null;
    }

    /** The arguments with a plain request for help in the place of that for all options. */
    public static String[] plain(final String[] arguments)
    {
        return Arrays.stream(arguments).map((argument) -> ALL.equals(argument) ? "--help" : argument)
            .toArray(String[]::new);
    }
}
