// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.architecture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks that the Javadocs of main code can be read once: none begins with "Who", "What" or "One that", none asks
 * instead of saying, and no sentence is longer than {@value #MAX_WORDS} words. CONTRIBUTING has the rules.
 */
class PlainEnglishTest
{
    private static final int MAX_WORDS = 40;
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern COMMENT = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
    private static final Pattern MARGIN = Pattern.compile("(?m)^[ \\t]*\\*?[ \\t]?");
    private static final Pattern TAGS = Pattern.compile("(?m)^@(?:param|return|throws|see|since|deprecated)\\b");
    private static final Pattern INLINE = Pattern.compile("\\{@\\w+\\s+([^}]*)\\}");
    private static final Pattern PARAGRAPH = Pattern.compile("<p>|<pre>|<ul>|<li>|\\n\\s*\\n");
    private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.?!])\\s+");
    private static final Pattern NO_NOUN =
        Pattern.compile("^(?:Who|What|Whose|Whom|One that|One who|Those that|Those who)\\b.*", Pattern.DOTALL);

    @Test
    void shouldFindNoJavadocThatMustBeReadTwice() throws IOException
    {
        final List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(ROOT))
        {
            files.filter(PlainEnglishTest::isMainSource).sorted().forEach((file) ->
                COMMENT.matcher(read(file)).results()
                    .map((comment) -> problem(comment.group(1))).filter(Objects::nonNull)
                    .forEach((problem) -> found.add(ROOT.relativize(file) + ": " + problem)));
        }

        assertThat(found).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Who may answer.", "What a node has shown.", "One that is silent.", "Does it wait?",
        "Is it\n     * the {@link Primary} now? It may be."})
    void shouldKnowWhatMustBeReadTwice(final String comment)
    {
        assertThat(problem(" " + comment + " ")).isNotNull();
    }

    @Test
    void shouldKnowLongSentencesAndLetOthersBe()
    {
        assertThat(problem("Waits" + " for it".repeat(MAX_WORDS / 2) + ".")).contains("words");
        assertThat(problem("True if it waits.\n     *\n     * @return what it is?")).isNull();
        assertThat(problem("Whatever comes, it goes on. Is that clear?")).isNull();
    }

    /** Returns null if the comment is fine. */
    private static String problem(final String comment)
    {
        final String text = TAGS.split(MARGIN.matcher(comment).replaceAll(""), 2)[0];
        boolean isFirst = true;
        for (final String paragraph : PARAGRAPH.split(text))
        {
            final String plain = INLINE.matcher(paragraph).replaceAll((tag) -> lastWord(tag.group(1)))
                .replaceAll("<[^>]+>", " ").replaceAll("\\s+", " ").strip();
            for (final String sentence : SENTENCE_END.split(plain))
            {
                if (isFirst && (NO_NOUN.matcher(sentence).matches() || sentence.endsWith("?")))
                {
                    return sentence;
                }
                isFirst = false;
                if (sentence.split(" ").length > MAX_WORDS)
                {
                    return "more than " + MAX_WORDS + " words: " + sentence;
                }
            }
        }

        return null;
    }

    private static String lastWord(final String text)
    {
        return text.strip().replaceAll(".*\\s", "").replace("$", "\\$");
    }

    private static boolean isMainSource(final Path file)
    {
        final String name = file.toString();
        return name.endsWith(".java") && name.contains("/src/main/java/") && !name.contains("/target/");
    }

    private static String read(final Path file)
    {
        try
        {
            return Files.readString(file);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
