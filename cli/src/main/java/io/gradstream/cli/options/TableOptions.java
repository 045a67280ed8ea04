// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.gradstream.codecs.TableSpec;
import picocli.CommandLine;

/**
 * Options of a model's table, which the user need not repeat to train the model further. They are those of its update
 * function, which train chooses by the data if the user does not, and the seed of the initial values of rows.
 */
final class TableOptions
{
    private static final String SEED = "--seed";
    private static final String NUMBER = "([0-9.E-]+)";
    private static final Pattern CLIPPED = Pattern.compile("(.*) clip=" + NUMBER);
    private static final Pattern FTRL =
        Pattern.compile("ftrl/1 alpha=" + NUMBER + " beta=" + NUMBER + " l1=" + NUMBER + " l2=" + NUMBER);
    private static final Pattern SGD = Pattern.compile("sgd/1 rate=" + NUMBER);

    private TableOptions()
    {
    }

    /** Names of the options that a table can say. */
    static Set<String> names(final TableSpec table, final CommandLine given)
    {
        final Set<String> names = new TreeSet<>();
        if (!isText(given))
        {
            // what does nothing beside them may stand in a property file
            of(table, given).forEach((argument) -> names.add(GivenOptions.nameOf(argument)));
            names.add("--clip");
        }
        if (isRandom(table))
        {
            names.add(SEED);
        }
        return names;
    }

    /**
     * Options as arguments with which the table is the same. Where the function is given as a text, that one counts.
     *
     * @param table of the model.
     * @param given the command line, which is parsed.
     */
    static List<String> of(final TableSpec table, final CommandLine given)
    {
        final List<String> arguments = new ArrayList<>();
        if (!isText(given))
        {
            addFunction(table.function(), arguments);
        }
        if (isRandom(table))
        {
            arguments.add(SEED + "=" + table.initialiserSeed());
        }
        return arguments;
    }

    private static void addFunction(final String function, final List<String> arguments)
    {
        final Matcher clipped = match(CLIPPED, function);
        final String unclipped = null == clipped ? function : clipped.group(1);
        final Matcher ftrl = match(FTRL, unclipped);
        final Matcher sgd = match(SGD, unclipped);
        if (null != ftrl)
        {
            arguments.addAll(List.of("--function=ftrl", "--alpha=" + ftrl.group(1), "--beta=" + ftrl.group(2),
                "--l1=" + ftrl.group(3), "--l2=" + ftrl.group(4)));
        }
        else if (null != sgd)
        {
            arguments.addAll(List.of("--function=sgd", "--rate=" + sgd.group(1)));
        }
        else
        {
            arguments.add("--function=" + unclipped);
        }
        if (null != clipped)
        {
            arguments.add("--clip=" + clipped.group(2));
        }
    }

    /** Null unless the options write the same text again. */
    private static Matcher match(final Pattern pattern, final String text)
    {
        final Matcher matcher = pattern.matcher(text);
        if (!matcher.matches())
        {
            return null;
        }
        for (int group = CLIPPED == pattern ? 2 : 1; group <= matcher.groupCount(); group++)
        {
            if (!matcher.group(group).equals(Double.toString(Double.parseDouble(matcher.group(group)))))
            {
                return null;
            }
        }
        return matcher;
    }

    private static boolean isRandom(final TableSpec table)
    {
        return TableSpec.ZEROS != table.initialiser();
    }

    private static boolean isText(final CommandLine given)
    {
        final String function = given.getCommandSpec().findOption("--function").getValue();
        return null != function && function.contains("/");
    }
}
