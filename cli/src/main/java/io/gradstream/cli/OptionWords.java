// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Says in a message the option where a library names its own setting: {@code invalid rowCapacity=0} is
 * {@code invalid --rows=0}, if the command has such an option.
 */
final class OptionWords
{
    private static final Pattern INVALID = Pattern.compile("(?<=^|: )invalid ([a-z][A-Za-z]*)(?==)");
    private static final Pattern DIRECTORY = Pattern.compile("(?<= )(aeronDirectory|archiveDirectory)=");
    private static final Pattern CHOOSE = Pattern.compile("((?:choose another|for) )(aeronDirectory|members)\\b");
    private static final Pattern OPTION = Pattern.compile("(?:^|: )invalid (--[a-z0-9-]+)");
    /** Where the words are other ones. */
    private static final Map<String, String> OPTIONS = Map.of("aeronDirectory", "--aeron-dir", "archiveDirectory",
        "--dir", "rowCapacity", "--rows", "rowBytes", "--max-row-bytes", "pushRate", "--push-rate",
        "nodes", "--servers", "repairDelayMs", "--node-timeout");
    private static final Map<String, String> PLACES =
        Map.of("aeronDirectory", "the Aeron directory ", "archiveDirectory", "the directory ");
    private static final String OTHER_TABLE = "use that specification or another tableId";

    private OptionWords()
    {
    }

    /** A message in the words of a command. */
    static String of(final String message, final CommandSpec command)
    {
        String text = message;
        final Matcher invalid = INVALID.matcher(text);
        if (!text.contains("invalid --") && invalid.find() && null != option(command, invalid.group(1)))
        {
            text = text.substring(0, invalid.start(1)) + option(command, invalid.group(1)) +
                text.substring(invalid.end(1));
        }
        text = DIRECTORY.matcher(text).replaceAll((found) -> PLACES.get(found.group(1)));
        text = CHOOSE.matcher(text).replaceAll((found) ->
        {
            final String option = option(command, found.group(2));
            return found.group(1) + (null != option ? option : "members".equals(found.group(2)) ? found.group(2) :
                "directory");
        });

        return null == command.findOption("--function") ? text : text.replace(OTHER_TABLE, "say with --model and" +
            " --function what it was created with, or train in another job");
    }

    /** The option whose value a message refuses, or null. */
    static OptionSpec refused(final String message, final CommandSpec command)
    {
        final Matcher option = OPTION.matcher(message);
        return option.find() ? command.findOption(option.group(1)) : null;
    }

    /** The option of a setting, or null if the command has none. */
    private static String option(final CommandSpec command, final String setting)
    {
        final String kebab = "--" + setting.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        final String option = OPTIONS.getOrDefault(setting, kebab);
        return null != command.findOption(option) ? option :
            null != command.findOption(option + "s") ? option + "s" : null;
    }
}
