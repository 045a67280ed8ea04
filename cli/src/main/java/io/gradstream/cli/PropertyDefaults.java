// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gradstream.cli.options.Failures;
import io.gradstream.cli.usage.RenamedOptions;
import io.gradstream.cli.options.UsageException;
import io.gradstream.training.form.FirstBytes;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Makes each option a property too: {@code --batch} is {@code gradstream.batch}, in the file of {@code --config} or
 * else as a system property. A flag on the command line stands above both, the option's own default below.
 * A flag that is named without a value is on, as it is on the command line.
 */
public final class PropertyDefaults implements IDefaultValueProvider
{
    static final String PREFIX = "gradstream.";
    static final String CONFIG_OPTION = "--config";

    private final String fileName;
    private final Properties file;
    private final Properties system;

    PropertyDefaults(final String fileName, final Properties file, final Properties system)
    {
        this.fileName = fileName;
        this.file = file;
        this.system = system;
    }

    /**
     * Read the file that the arguments name, if any.
     *
     * @param warn takes a line for each property that has another name now.
     * @throws UsageException if it cannot be read, or holds a property that no command has.
     */
    public static PropertyDefaults of(
        final String[] args, final CommandLine commandLine, final Properties system, final Consumer<String> warn)
    {
        final String name = configFile(args);
        Properties file = new Properties();
        if (null != name)
        {
            load(file, name);
            file = RenamedOptions.apply(file, (text) -> warn.accept(name + ": " + text));
            checkNames(file, name, commandLine);
        }

        return new PropertyDefaults(name, file, RenamedOptions.apply(system, warn));
    }

    @Override
    public String defaultValue(final ArgSpec argument)
    {
        final String name = propertyName(argument);
        if (null == name)
        {
            return null;
        }

        final String inFile = file.getProperty(name);
        final String value = null != inFile ? inFile.trim() : system.getProperty(name);
        final boolean isBareFlag = null != value && value.isEmpty() && argument.typeInfo().isBoolean();

        return isBareFlag ? "true" : value;
    }

    /**
     * Where the value of an argument comes from that cannot be used.
     *
     * @param argument in question, or null if none is.
     * @param args     of the command line.
     * @return file and property or system property, or null if the value was an argument.
     */
    String sourceOf(final ArgSpec argument, final String[] args)
    {
        final String name = null == argument ? null : propertyName(argument);
        if (null == name || isNamed((OptionSpec)argument, args))
        {
            return null;
        }
        if (file.containsKey(name))
        {
            return fileName + ", property " + name;
        }

        return null == system.getProperty(name) ? null : "system property " + name;
    }

    private static boolean isNamed(final OptionSpec option, final String[] args)
    {
        return Arrays.stream(option.names()).anyMatch((name) ->
            Arrays.stream(args).anyMatch((arg) -> arg.equals(name) || arg.startsWith(name + "=")));
    }

    private static String propertyName(final ArgSpec argument)
    {
        if (!(argument instanceof final OptionSpec option))
        {
            return null;
        }

        final String name = option.longestName();
        final boolean hasProperty = !option.usageHelp() && !option.versionHelp() && !CONFIG_OPTION.equals(name);
        return hasProperty ? PREFIX + name.substring("--".length()) : null;
    }

    private static String configFile(final String[] args)
    {
        for (int i = 0; i < args.length; i++)
        {
            if (args[i].equals(CONFIG_OPTION) && i + 1 < args.length)
            {
                return args[i + 1];
            }
            if (args[i].startsWith(CONFIG_OPTION + "="))
            {
                return args[i].substring(CONFIG_OPTION.length() + 1);
            }
        }

        return null;
    }

    private static void load(final Properties properties, final String name)
    {
        final Path path = Failures.path(name);
        UsageException.refuseIf(!Files.exists(path) || Files.isDirectory(path),
            name + (Files.isDirectory(path) ? ": is a directory" : ": no such file") +
                ": name a .properties file with --config");
        try
        {
            properties.load(new StringReader(text(name, Files.readAllBytes(path))));
        }
        catch (final CharacterCodingException ex)
        {
            throw new UsageException(name + ": is no text in UTF-8: save it as UTF-8, or write \\uXXXX for letters" +
                " beyond ASCII");
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            throw new UsageException(name + ": cannot be read as a .properties file: " + Failures.oneLine(ex));
        }
    }

    private static String text(final String name, final byte[] bytes) throws CharacterCodingException
    {
        final int length = Math.min(bytes.length, FirstBytes.LENGTH);
        final String other = FirstBytes.ofOther(bytes, length);
        final String noText = null == other ? FirstBytes.ofNoText(bytes, length) : other;
        UsageException.refuseIf(null != noText, name + ": " + noText);
        final int mark = FirstBytes.markLength(bytes, length);
        return StandardCharsets.UTF_8.newDecoder()
            .decode(ByteBuffer.wrap(bytes, mark, bytes.length - mark)).toString();
    }

    private static void checkNames(final Properties properties, final String name, final CommandLine commandLine)
    {
        final Set<String> known = names(commandLine).collect(Collectors.toSet());
        for (final String property : new TreeSet<>(properties.stringPropertyNames()))
        {
            UsageException.refuseIf(!known.contains(property),
                name + ": unknown property '" + property +
                    "': properties are gradstream.<option>, for the options that --help lists");
        }
    }

    private static Stream<String> names(final CommandLine commandLine)
    {
        return commandLine.getSubcommands().values().stream().flatMap((command) -> Stream.concat(
            command.getCommandSpec().options().stream().map(PropertyDefaults::propertyName).filter(Objects::nonNull),
            names(command)));
    }
}
