// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.architecture;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the picture of the modules in ARCHITECTURE, and the table below it, with the poms.
 */
class ModulePictureTest
{
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> OUTSIDE = Set.of("bom", "system-tests", "benchmarks");
    private static final Pattern MODULE = Pattern.compile("<module>([a-z-]+)</module>");
    /** A dependency of the scope compile, which names no scope and no type. */
    private static final Pattern DEPENDENCY = Pattern.compile("<dependency><groupId>io\\.gradstream</groupId>" +
        "<artifactId>gradstream-([a-z-]+)</artifactId></dependency>");
    private static final Pattern FLOOR = Pattern.compile("^ floor (\\d) +(.+)$", Pattern.MULTILINE);
    private static final Pattern ROW =
        Pattern.compile("^\\| `([a-z-]+)` \\| ([a-z-]+(?:, [a-z-]+)*) \\|$", Pattern.MULTILINE);
    private static final Pattern ALL_BUT =
        Pattern.compile("^\\| `([a-z-]+)` \\| all but ([a-z, -]+)[ ;|]", Pattern.MULTILINE);

    @Test
    void shouldShowEachModuleOnTheLowestFloorThatItsDependenciesAllow() throws IOException
    {
        final Map<String, Set<String>> dependencies = dependencies();
        final Map<String, Integer> floors = new TreeMap<>();
        for (final Matcher floor = FLOOR.matcher(architecture()); floor.find(); )
        {
            for (final String module : floor.group(2).trim().split(" +"))
            {
                assertThat(floors.put(module, Integer.parseInt(floor.group(1)))).as(module + " stands twice").isNull();
            }
        }

        assertThat(floors.keySet()).isEqualTo(dependencies.keySet());
        dependencies.forEach((module, below) -> assertThat(floors.get(module)).as(module)
            .isEqualTo(1 + below.stream().mapToInt(floors::get).max().orElse(0)));
    }

    @Test
    void shouldListTheDependenciesOfEachModule() throws IOException
    {
        final Map<String, Set<String>> dependencies = dependencies();
        final Map<String, Set<String>> listed = new TreeMap<>();
        final String text = architecture();
        for (final Matcher row = ROW.matcher(text); row.find(); )
        {
            listed.put(row.group(1), new TreeSet<>(List.of(row.group(2).split(", "))));
        }
        for (final Matcher row = ALL_BUT.matcher(text); row.find(); )
        {
            final Set<String> all = new TreeSet<>(dependencies.keySet());
            all.remove(row.group(1));
            all.removeAll(List.of(row.group(2).trim().split(", | and ")));
            listed.put(row.group(1), all);
        }

        dependencies.values().removeIf(Set::isEmpty);
        assertThat(listed).isEqualTo(dependencies);
    }

    private static String architecture() throws IOException
    {
        return Files.readString(ROOT.resolve("docs/ARCHITECTURE.md"));
    }

    private static Map<String, Set<String>> dependencies() throws IOException
    {
        final Map<String, Set<String>> dependencies = new TreeMap<>();
        for (final String module : matches(MODULE, ROOT.resolve("pom.xml")).toList())
        {
            if (!OUTSIDE.contains(module))
            {
                final Set<String> below = new TreeSet<>();
                matches(DEPENDENCY, ROOT.resolve(module).resolve("pom.xml")).forEach(below::add);
                dependencies.put(module, below);
            }
        }

        return dependencies;
    }

    private static Stream<String> matches(final Pattern pattern, final Path file) throws IOException
    {
        return pattern.matcher(Files.readString(file)).results().map((match) -> match.group(1));
    }
}
