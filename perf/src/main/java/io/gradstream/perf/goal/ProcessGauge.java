// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.gradstream.perf.measure.InterruptedRunException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Measures another JVM of this machine: its Java heap and the bytes allocated there, by {@code jcmd}; its memory and
 * descriptors, by {@code /proc}.
 */
public record ProcessGauge(long pid)
{
    private static final long JCMD_TIMEOUT_S = 30;
    private static final int KIB = 1024;
    /** Lines by which the serial collector of JDK 17, and of later JDKs, reports young and old objects. */
    private static final Pattern USED = Pattern.compile("(?:generation|DefNew|Tenured) +total \\d+K, used (\\d+)K");
    private static final Pattern ALLOCATED = Pattern.compile(" allocated=(\\d+)([BKMG]) ");
    private static final String UNITS = "BKMG";
    private static final int SHIFT = 10;
    private static final Pattern RSS = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final Pattern ANONYMOUS = Pattern.compile("RssAnon:\\s+(\\d+) kB");

    /** Collect garbage, and return the bytes of the objects that are left. */
    long liveHeapBytes() throws IOException
    {
        jcmd("GC.run");
        return heapUsedBytes(jcmd("GC.heap_info"));
    }

    /** Bytes that living threads have allocated since each began, in whole KiB or, from 100 MiB on, in whole MiB. */
    long allocatedBytes() throws IOException
    {
        return allocatedBytes(jcmd("Thread.print", "-e"));
    }

    /** Bytes in memory, shared ones included. */
    long residentBytes() throws IOException
    {
        return statusBytes(RSS, status());
    }

    /** Bytes in memory that belong to no file: heap, rows, stacks. */
    public long anonymousBytes() throws IOException
    {
        return statusBytes(ANONYMOUS, status());
    }

    /** Open files and sockets. */
    long descriptors() throws IOException
    {
        try (Stream<Path> open = Files.list(proc().resolve("fd")))
        {
            return open.count();
        }
    }

    static long heapUsedBytes(final String heapText)
    {
        final Matcher matcher = USED.matcher(heapText);
        long bytes = 0;
        int generations = 0;
        while (matcher.find())
        {
            bytes += KIB * Long.parseLong(matcher.group(1));
            generations++;
        }
        if (0 == generations)
        {
            throw new IllegalStateException("no serial collector in: " + heapText);
        }

        return bytes;
    }

    static long allocatedBytes(final String threadsText)
    {
        final Matcher matcher = ALLOCATED.matcher(threadsText);
        long bytes = 0;
        int threads = 0;
        while (matcher.find())
        {
            bytes += Long.parseLong(matcher.group(1)) << SHIFT * UNITS.indexOf(matcher.group(2));
            threads++;
        }
        if (0 == threads)
        {
            throw new IllegalStateException("no allocation of threads in: " + threadsText);
        }

        return bytes;
    }

    static long statusBytes(final Pattern pattern, final String status)
    {
        final Matcher matcher = pattern.matcher(status);
        if (!matcher.find())
        {
            throw new IllegalStateException("no " + pattern + " in /proc/PID/status: this needs Linux");
        }

        return KIB * Long.parseLong(matcher.group(1));
    }

    private String status() throws IOException
    {
        return Files.readString(proc().resolve("status"), StandardCharsets.ISO_8859_1);
    }

    private Path proc()
    {
        return Path.of("/proc", Long.toString(pid));
    }

    private String jcmd(final String... command) throws IOException
    {
        final Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        if (!Files.isExecutable(jcmd))
        {
            throw new IllegalStateException(jcmd + " is not there: set JAVA_HOME to a JDK, not to a JRE");
        }
        final List<String> all = new ArrayList<>(List.of(jcmd.toString(), Long.toString(pid)));
        all.addAll(List.of(command));
        final Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
        try
        {
            final String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(JCMD_TIMEOUT_S, TimeUnit.SECONDS) || 0 != process.exitValue())
            {
                throw new IllegalStateException(String.join(" ", all) + " failed: " + text);
            }

            return text;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            InterruptedRunException.check();
            throw new IllegalStateException(ex);
        }
        finally
        {
            process.destroyForcibly();
        }
    }
}
