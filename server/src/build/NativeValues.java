// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
import net.openhft.chronicle.values.ValueModel;

import javax.tools.ToolProvider;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes at build time the one class that Chronicle Map would otherwise write and compile, with all of javac, when a
 * process creates its first map: over a second of each start. Chronicle looks on the class path before it compiles.
 * <p>
 * {@code server/pom.xml} runs this program from its source; its arguments are the directories of sources and of
 * classes.
 */
final class NativeValues
{
    private static final String VALUE = "net.openhft.chronicle.hash.VanillaGlobalMutableState";

    private NativeValues()
    {
    }

    public static void main(final String[] args) throws IOException, ReflectiveOperationException
    {
        final String name = VALUE + ValueModel.$$NATIVE;
        final Path source = Path.of(args[0], name.replace('.', '/') + ".java");
        final Path classes = Files.createDirectories(Path.of(args[1]));
        Files.createDirectories(source.getParent());
        Files.writeString(source, sourceOf(Class.forName(VALUE), name.substring(name.lastIndexOf('.') + 1)));
        // Not among the project's sources: what Chronicle writes has raw types, which our warnings refuse.
        final int failed = ToolProvider.getSystemJavaCompiler().run(null, null, null,
            "--release", "17", "-nowarn", "-Xlint:none", "-proc:none",
            "-cp", System.getProperty("java.class.path"), "-d", classes.toString(), source.toString());
        if (failed != 0)
        {
            throw new IllegalStateException("the class that Chronicle Map generated does not compile: " + source);
        }
    }

    private static String sourceOf(final Class<?> value, final String simpleName) throws ReflectiveOperationException
    {
        final Method generate = Class.forName("net.openhft.chronicle.values.Generators")
            .getDeclaredMethod("generateNativeClass", ValueModel.class, String.class);
        generate.setAccessible(true);
        return (String)generate.invoke(null, ValueModel.acquire(value), simpleName);
    }
}
