// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.plugin;

import io.gradstream.codecs.ElementType;
import io.gradstream.function.UpdateFunction;
import io.gradstream.server.function.UpdateFunctions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Jars as users make them, and as they go wrong.
 */
class FunctionPluginsTest
{
    private static final String SERVICE = "META-INF/services/io.gradstream.function.UpdateFunctionProvider";

    @TempDir
    private Path sources;
    @TempDir
    private Path plugins;

    /** Source of a provider whose function adds twice what is pushed. */
    private static String provider(final String type, final String name, final int version)
    {
        return """
            import io.gradstream.function.*;
            public class %s implements UpdateFunctionProvider
            {
                public String name() { return "%s"; }
                public int version() { return %d; }
                public UpdateFunction create(FunctionParameters parameters)
                {
                    final float by = parameters.positive("by", 2f);
                    return new UpdateFunction()
                    {
                        public void updateFloats(float[] v, float[] s, float[] g, int dim, float rateFactor)
                        {
                            for (int i = 0; i < dim; i++) { v[i] += by * g[i]; }
                        }
                    };
                }
            }
            """.formatted(type, name, version);
    }

    private Path classes(final String type, final String source) throws IOException
    {
        final Path directory = Files.createDirectories(sources.resolve(type));
        final Path file = Files.writeString(directory.resolve(type + ".java"), source);
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assertThat(compiler.run(null, null, null, "-proc:none", "-cp", System.getProperty("java.class.path"),
            "-d", directory.toString(), file.toString())).isZero();
        Files.delete(file);

        return directory;
    }

    private void jar(final String name, final Path classes, final String service) throws IOException
    {
        try (OutputStream file = Files.newOutputStream(plugins.resolve(name));
            JarOutputStream jar = new JarOutputStream(file);
            Stream<Path> types = Files.list(classes))
        {
            for (final Path type : types.toList())
            {
                jar.putNextEntry(new JarEntry(type.getFileName().toString()));
                jar.write(Files.readAllBytes(type));
            }
            if (null != service)
            {
                jar.putNextEntry(new JarEntry(SERVICE));
                jar.write(service.getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    private void assertBroken(final String jar, final String why)
    {
        assertThatIllegalArgumentException().isThrownBy(() -> FunctionPlugins.load(plugins))
            .withMessageContaining("plugin " + plugins.resolve(jar) + " cannot be used: ").withMessageContaining(why);
    }

    @Test
    void shouldFindTheFunctionsOfEachJar() throws IOException
    {
        jar("a.jar", classes("Twice", provider("Twice", "twice", 1)), "Twice\n");
        jar("b.jar", classes("Again", provider("Again", "twice", 2)), "# ours\nAgain\n");
        Files.writeString(plugins.resolve("README"), "no jar");
        final UpdateFunctions functions = FunctionPlugins.load(plugins);

        assertThat(functions.ids()).containsExactly("twice/1", "twice/2");
        final UpdateFunction function = functions.parse("twice/1 by=3 clip=1");
        final float[] values = {1f};
        function.updateFloats(values, new float[0], new float[]{5f}, 1, 1f);
        assertThat(values).containsExactly(4f);
        assertThat(function.supports(ElementType.INT64)).isFalse();
        assertThat(functions.only(List.of("twice/2")).ids()).containsExactly("twice/2");
        assertThatIllegalArgumentException().isThrownBy(() -> functions.parse("twice/1 to=3"))
            .withMessageContaining("unknown parameters [to]");
        assertThatIllegalArgumentException().isThrownBy(() -> functions.parse("twice/1 schedule=constant"))
            .withMessageContaining("has no rate");
        assertThatIllegalArgumentException().isThrownBy(() -> functions.parse("twice/3"))
            .withMessageContaining("[twice/1, twice/2]");
        assertThatIllegalArgumentException().isThrownBy(() -> functions.only(List.of("twice/1", "other/1")))
            .withMessageContaining("[other/1]");
    }

    @Test
    void shouldLoadEachJarByItself() throws IOException
    {
        jar("a.jar", classes("Same", provider("Same", "first", 1)), "Same\n");
        jar("b.jar", classes("Same", provider("Same", "second", 1)), "Same\n");

        assertThat(FunctionPlugins.load(plugins).ids()).containsExactly("first/1", "second/1");
    }

    @Test
    void shouldFindNothingInAnEmptyDirectory()
    {
        assertThat(FunctionPlugins.load(plugins).ids()).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> FunctionPlugins.load(plugins.resolve("none")))
            .withMessageContaining("name one that is there");
    }

    @Test
    void shouldRefuseAFunctionThatIsThereTwice() throws IOException
    {
        jar("a.jar", classes("First", provider("First", "twice", 1)), "First\n");
        jar("b.jar", classes("Second", provider("Second", "twice", 1)), "Second\n");

        assertBroken("b.jar", "update function twice/1 is in a.jar too");
    }

    @Test
    void shouldRefuseNamesOfGradstreamAndImpossibleOnes() throws IOException
    {
        jar("a.jar", classes("Adam", provider("Adam", "adam", 7)), "Adam\n");
        assertBroken("a.jar", "adam/7 has a name of Gradstream's own");
        jar("a.jar", classes("Odd", provider("Odd", "o d d", 1)), "Odd\n");
        assertBroken("a.jar", "letters, digits and hyphens");
        jar("a.jar", classes("Old", provider("Old", "old", 0)), "Old\n");
        assertBroken("a.jar", "version 1 or more");
    }

    @Test
    void shouldRefuseAJarThatIsNone() throws IOException
    {
        Files.writeString(plugins.resolve("a.jar"), "not a jar");

        assertBroken("a.jar", "ZipException");
    }

    @Test
    void shouldRefuseAJarWithoutProviders() throws IOException
    {
        final Path classes = classes("Twice", provider("Twice", "twice", 1));
        jar("a.jar", classes, null);
        assertBroken("a.jar", "it has no " + SERVICE);
        jar("a.jar", classes, "# none\n");
        assertBroken("a.jar", "names no provider");
        jar("a.jar", classes, "Missing\n");
        assertBroken("a.jar", "Missing");
    }

    @Test
    void shouldRefuseAProviderThatFails() throws IOException
    {
        jar("a.jar", classes("Failing", provider("Failing", "failing", 1)
            .replace("return \"failing\"", "throw new IllegalStateException(\"oh\")")), "Failing\n");

        assertBroken("a.jar", "oh");
    }
}
