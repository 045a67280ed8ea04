// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.architecture;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks that links between documents lead to a file that is there, and to a heading that is in it.
 */
class DocumentLinksTest
{
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+)$");

    @Test
    void shouldFindNoLinkThatLeadsNowhere() throws IOException
    {
        final List<Path> documents = documents();
        final List<String> broken = new ArrayList<>();
        for (final Path document : documents)
        {
            for (final Matcher link = LINK.matcher(Files.readString(document)); link.find(); )
            {
                if (!link.group(1).startsWith("http") && !leadsSomewhere(document, link.group(1)))
                {
                    broken.add(ROOT.relativize(document) + " -> " + link.group(1));
                }
            }
        }

        assertThat(documents).hasSizeGreaterThan(40);
        assertThat(broken).isEmpty();
    }

    private static boolean leadsSomewhere(final Path document, final String link) throws IOException
    {
        final int hash = link.indexOf('#');
        final String name = hash < 0 ? link : link.substring(0, hash);
        final Path target = name.isEmpty() ? document : document.resolveSibling(name).normalize();
        if (!Files.exists(target))
        {
            return false;
        }

        return hash < 0 || !target.toString().endsWith(".md") || HEADING.matcher(Files.readString(target)).results()
            .anyMatch((heading) -> anchor(heading.group(1)).equals(link.substring(hash + 1)));
    }

    /** The anchor that GitHub gives a heading. */
    private static String anchor(final String heading)
    {
        return heading.strip().toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_\\- ]", "").replace(' ', '-');
    }

    private static List<Path> documents() throws IOException
    {
        try (Stream<Path> top = Files.list(ROOT); Stream<Path> docs = Files.walk(ROOT.resolve("docs")))
        {
            return Stream.concat(top, docs).filter((file) -> file.toString().endsWith(".md")).toList();
        }
    }
}
