// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The java and the flags of processes that tests start. Most live for seconds: they use one compiler, one collector
 * thread and the archive of class data, and so do processes that they start themselves.
 */
final class ChildJvm
{
    private static final List<String> INHERITED = List.of("--", "-XX:SharedArchiveFile=", "-Xlog:cds");

    private ChildJvm()
    {
    }

    /** The begin of a command line: java, and all flags but those of the heap and the class path. */
    static List<String> command()
    {
        return command(INHERITED);
    }

    /** As {@link #command()}, for processes that make the archive of class data. */
    static List<String> withoutClassData()
    {
        return command(INHERITED.subList(0, 1));
    }

    private static List<String> command(final List<String> inherited)
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter((flag) -> inherited.stream().anyMatch(flag::startsWith)).forEach(command::add);
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));

        return command;
    }

    /** The class path of this JVM. */
    static String classPath()
    {
        return System.getProperty("java.class.path");
    }

    /** The value of a flag of this JVM; null if it was not given. */
    static String flag(final String name)
    {
        final Stream<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments().stream();
        return flags.filter((flag) -> flag.startsWith(name)).map((flag) -> flag.substring(name.length()))
            .findFirst().orElse(null);
    }
}
