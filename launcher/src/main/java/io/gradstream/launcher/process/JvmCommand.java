// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.process;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command that starts another JVM: same java, class path and flags as this one, with a small heap. */
public final class JvmCommand
{
    private static final String HOME = "gradstream.home";
    private static final String HOME_PROPERTY = "-D" + HOME + "=";
    private static final List<String> NOT_INHERITED =
        List.of("-Xmx", "-Xms", "-Xmn", "-agentlib:", "-agentpath:", "-javaagent:", "-Xrunjdwp", "-XX:ErrorFile=",
        "-XX:ArchiveClassesAtExit", "-XX:InitialHeapSize", "-XX:MaxHeapSize", "-Dgradstream.");

    private JvmCommand()
    {
    }

    /**
     * The command that runs a class.
     *
     * @param maxHeap   such as 256m.
     * @param crashLogs directory for the log of a crash of the JVM itself.
     */
    public static List<String> of(
        final String maxHeap, final Path crashLogs, final String mainClass, final List<String> arguments)
    {
        final List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(ofRole(System.getProperty(HOME), arguments));
        command.addAll(inherited(ManagementFactory.getRuntimeMXBean().getInputArguments()));
        command.add("-Xmx" + maxHeap);
        command.add("-XX:+UseSerialGC");
        command.add("-XX:ErrorFile=" + crashLogs.resolve("hs_err_%p.log"));
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(mainClass);
        command.addAll(arguments);

        return command;
    }

    /**
     * The flags of one command alone, from config/COMMAND.options. The script {@code gradstream} adds the same.
     * The flags that this process was given come later, and win.
     *
     * @param home      directory of the distribution, or null.
     * @param arguments of the program, of which the first names the command.
     */
    static List<String> ofRole(final String home, final List<String> arguments)
    {
        if (null == home || arguments.isEmpty() || !arguments.get(0).matches("[a-z-]+"))
        {
            return List.of();
        }
        final Path options = Path.of(home, "config", arguments.get(0) + ".options");

        return Files.isRegularFile(options) ? List.of("@" + options) : List.of();
    }

    static List<String> inherited(final List<String> arguments)
    {
        final List<String> kept = new ArrayList<>();
        for (final String argument : arguments)
        {
            final boolean isCollector = argument.matches("-XX:[+-]Use\\w*GC");
            final boolean isHome = argument.startsWith(HOME_PROPERTY);
            if (isHome || !isCollector && NOT_INHERITED.stream().noneMatch(argument::startsWith))
            {
                kept.add(argument);
            }
        }

        return kept;
    }
}
