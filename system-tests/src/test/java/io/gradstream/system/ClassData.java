// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Makes an archive of the classes of servers and workers before the first test of a build, so that processes start
 * sooner. The pom names the file for this JVM and all that it starts. Where none can be made processes start later.
 */
public final class ClassData implements LauncherSessionListener
{
    private static final String CLASS_PATH = "java.class.path";
    private static final String ARCHIVE_FLAG = "-XX:SharedArchiveFile=";
    private static final String COMMAND = "gradstream-cli-";
    private static final String EXAMPLES = "gradstream-examples-";
    private static final long TIMEOUT_SECONDS = 120;

    @Override
    public void launcherSessionOpened(final LauncherSession session)
    {
        final String file = ChildJvm.flag(ARCHIVE_FLAG);
        final List<String> entries = new ArrayList<>(List.of(System.getProperty(CLASS_PATH).split(File.pathSeparator)));
        if (null == file || entries.stream().noneMatch((entry) -> entry.contains(COMMAND)))
        {
            return;
        }
        // an archive knows no directories, and is taken where all that it knows comes first
        entries.sort(Comparator.comparing(ClassData::isOfTestsAlone));
        System.setProperty(CLASS_PATH, String.join(File.pathSeparator, entries));
        try
        {
            makeOnce(Path.of(file), entries.stream().filter((entry) -> !isOfTestsAlone(entry)).toList());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isOfTestsAlone(final String entry)
    {
        return !Files.isRegularFile(Path.of(entry)) || entry.contains(EXAMPLES);
    }

    /** One JVM of tests makes it, others wait. The stamp says of which jars it is, also where none could be made. */
    private static void makeOnce(final Path archive, final List<String> jars) throws IOException, InterruptedException
    {
        final Path stamp = archive.resolveSibling("class-data.stamp");
        final String wanted = stamp(jars);
        try (FileChannel channel = FileChannel.open(archive.resolveSibling("class-data.lock"),
            StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.lock())
        {
            if (lock.isValid() && !(Files.exists(stamp) && wanted.equals(Files.readString(stamp))))
            {
                Files.deleteIfExists(archive);
                if (!make(archive, String.join(File.pathSeparator, jars)))
                {
                    Files.deleteIfExists(archive);
                    System.out.println("no archive of class data: see class-data.log beside " + archive);
                }
                Files.writeString(stamp, wanted);
            }
        }
    }

    /** The JDK and the jars. */
    private static String stamp(final List<String> jars) throws IOException
    {
        final StringBuilder stamp = new StringBuilder(System.getProperty("java.vm.version"));
        for (final String jar : jars)
        {
            final Path file = Path.of(jar);
            stamp.append('\n').append(jar).append(' ').append(Files.size(file)).append(' ')
                .append(Files.getLastModifiedTime(file));
        }

        return stamp.toString();
    }

    private static boolean make(final Path archive, final String classPath) throws IOException, InterruptedException
    {
        final Path classes = archive.resolveSibling("class-data.list");
        if (!run(archive, "-XX:DumpLoadedClassList=" + classes, "-Xmx256m", "-cp", classPath, Command.GRADSTREAM,
            "class-data"))
        {
            return false;
        }
        // interfaces of picocli are of an old format: JDK 17 crashes when it archives lambdas of them
        Files.write(classes, Files.readAllLines(classes).stream()
            .filter((line) -> !line.matches("@lambda-proxy (io/gradstream/cli|picocli)/.*"))
            .toList());

        return run(archive, "-Xshare:dump", "-XX:SharedClassListFile=" + classes, ARCHIVE_FLAG + archive, "-cp",
            classPath) && Files.exists(archive);
    }

    private static boolean run(final Path archive, final String... arguments) throws IOException, InterruptedException
    {
        final List<String> command = Stream.concat(ChildJvm.withoutClassData().stream(), Stream.of(arguments)).toList();
        final Process process = new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(archive.resolveSibling("class-data.log").toFile()).start();
        final boolean isEnded = process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();

        return isEnded && 0 == process.exitValue();
    }
}
