// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.examples;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Java in the documentation is what the examples hold: before each block stands a comment with the class and the
 * regions that it is made of, such as {@code <!-- ReadmeLoop: context loop -->}.
 */
class SnippetTest
{
    private static final Path ROOT = Path.of("..");
    private static final Path SOURCES = Path.of("src", "main", "java", "io", "gradstream", "examples");
    private static final Pattern BLOCK =
        Pattern.compile("(?:<!-- (\\w+): ([\\w ]+) -->\\n)?```java\\n(.*?)```", Pattern.DOTALL);

    @ParameterizedTest
    @CsvSource({"README.md,1", "docs/CLIENT.md,14"})
    void shouldShowWhatIsCompiled(final String document, final int least) throws IOException
    {
        final Matcher blocks = BLOCK.matcher(Files.readString(ROOT.resolve(document)));
        int count = 0;
        while (blocks.find())
        {
            assertThat(blocks.group(1)).as("%s: the source of a block that begins with %s", document,
                blocks.group(3).lines().findFirst().orElse("")).isNotNull();
            final List<String> lines = Files.readAllLines(SOURCES.resolve(blocks.group(1) + ".java"));
            final StringBuilder source = new StringBuilder();
            for (final String region : blocks.group(2).split(" "))
            {
                source.append(region(lines, region));
            }
            assertThat(blocks.group(3)).as("%s: %s", document, blocks.group(2)).isEqualTo(source.toString());
            count++;
        }
        assertThat(count).isGreaterThanOrEqualTo(least);
    }

    @Test
    void shouldTakePartsOfARegionWithoutTheirIndentation()
    {
        final List<String> lines = List.of(
            "    // region a", "    if (x)", "    {", "        y();", "        // endregion", "        z();",
            "        // region a", "    }", "    // endregion");
        assertThat(region(lines, "a")).isEqualTo("if (x)\n{\n    y();\n}\n");
    }

    private static String region(final List<String> lines, final String name)
    {
        final List<String> taken = new ArrayList<>();
        boolean isInside = false;
        for (final String line : lines)
        {
            if (line.strip().startsWith("// region ") || "// endregion".equals(line.strip()))
            {
                isInside = line.strip().equals("// region " + name);
            }
            else if (isInside)
            {
                taken.add(line);
            }
        }
        assertThat(taken).as("region " + name).isNotEmpty();
        final int indentation = taken.stream().filter((line) -> !line.isBlank())
            .mapToInt((line) -> line.length() - line.stripLeading().length()).min().orElse(0);
        final StringBuilder text = new StringBuilder();
        taken.forEach((line) -> text.append(line.isBlank() ? "" : line.substring(indentation)).append('\n'));

        return text.toString();
    }
}
