// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import com.sun.management.OperatingSystemMXBean;
import org.agrona.LangUtil;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The machine that a run was measured on.
 *
 * @param name   of processors, memory and system, for people.
 * @param jdk    version of this process's JDK, which starts the other processes.
 * @param commit of the source tree of the build, followed by "-dirty" if files were changed; "unknown" elsewhere.
 */
public record Machine(String name, String jdk, String commit)
{
    static final String UNKNOWN = "unknown";

    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
    private static final String MODEL = "model name";
    private static final long GIT_TIMEOUT_MS = 5_000;
    private static final int GIB_SHIFT = 30;

    /** The machine of this process. */
    public static Machine here()
    {
        final String home = System.getProperty("gradstream.home");
        return new Machine(describe(), Runtime.version().toString(), null == home ? UNKNOWN : commitOf(Path.of(home)));
    }

    /** The commit that is checked out in a directory; unknown if it is not the top of a git tree. */
    static String commitOf(final Path directory)
    {
        if (!Files.exists(directory.resolve(".git")))
        {
            return UNKNOWN;
        }
        try
        {
            final Process git = new ProcessBuilder(
                List.of("git", "-C", directory.toString(), "describe", "--always", "--dirty", "--exclude=*"))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
            return read(git);
        }
        catch (final IOException ignore)
        {
            return UNKNOWN;
        }
    }

    private static String read(final Process git) throws IOException
    {
        try
        {
            if (!git.waitFor(GIT_TIMEOUT_MS, TimeUnit.MILLISECONDS) || 0 != git.exitValue())
            {
                return UNKNOWN;
            }
            return new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        }
        catch (final InterruptedException ex)
        {
            LangUtil.rethrowUnchecked(ex);
            return UNKNOWN;
        }
        finally
        {
            git.destroy();
        }
    }

    private static String describe()
    {
        final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return String.format(Locale.ROOT, "%d processors%s, %d GiB, %s %s %s",
            Runtime.getRuntime().availableProcessors(), model(), Math.round((double)system.getTotalMemorySize() /
            (1L << GIB_SHIFT)), system.getName(), system.getVersion(), system.getArch());
    }

    private static String model()
    {
        try (Stream<String> lines = Files.lines(PROCESSORS))
        {
            return lines.filter((line) -> line.startsWith(MODEL) && line.contains(":")).findFirst()
                .map((line) -> " (" + line.substring(line.indexOf(':') + 1).strip() + ")").orElse("");
        }
        catch (final IOException ignore)
        {
            return "";
        }
    }
}
