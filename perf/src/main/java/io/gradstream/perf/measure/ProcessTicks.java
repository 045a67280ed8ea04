// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Processor time of one process as Linux tells it in {@code /proc/PID/stat}, in ticks of a hundredth of a second.
 *
 * @param pid        of the process.
 * @param parent     pid of the process that started it, or that has it since that one ended.
 * @param isKernel   true if it is a thread of the kernel.
 * @param ticks      of the process, in its own code and in the kernel.
 * @param endedTicks of its children that have ended and of theirs, as far as somebody waited for them.
 */
record ProcessTicks(long pid, long parent, boolean isKernel, long ticks, long endedTicks)
{
    /** Processor time of a tick, on each Linux that Java runs on. */
    static final long TICK_NS = 10_000_000;

    private static final Path PROC = Path.of("/proc");
    private static final String FILE = "stat";
    /** Places of fields after the name of the process, which may have spaces and brackets. */
    private static final int PARENT = 1;
    private static final int FLAGS = 6;
    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int ENDED_USER = 13;
    private static final int ENDED_SYSTEM = 14;
    private static final long KERNEL_FLAG = 0x0020_0000;

    /**
     * Read the text of a file {@code /proc/PID/stat}.
     *
     * @throws IllegalArgumentException if it is none.
     */
    static ProcessTicks parse(final String text)
    {
        final String[] fields = text.substring(text.lastIndexOf(')') + 1).strip().split(" ");
        if (text.indexOf(" (") < 1 || fields.length <= ENDED_SYSTEM)
        {
            throw new IllegalArgumentException("no text of /proc/PID/stat: " + text);
        }
        return new ProcessTicks(
            Long.parseLong(text.substring(0, text.indexOf(" ("))),
            Long.parseLong(fields[PARENT]),
            0 != (Long.parseLong(fields[FLAGS]) & KERNEL_FLAG),
            Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM]),
            Long.parseLong(fields[ENDED_USER]) + Long.parseLong(fields[ENDED_SYSTEM]));
    }

    /**
     * The ticks of this process.
     *
     * @throws IOException if the system does not tell.
     */
    static ProcessTicks own() throws IOException
    {
        return parse(text(PROC.resolve("self").resolve(FILE)));
    }

    /**
     * The ticks of all processes that this one can see.
     *
     * @throws IOException if the system does not tell.
     */
    static List<ProcessTicks> all() throws IOException
    {
        final List<ProcessTicks> all = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*"))
        {
            for (final Path process : processes)
            {
                final String text = textOrEmpty(process.resolve(FILE));
                if (!text.isEmpty())
                {
                    all.add(parse(text));
                }
            }
        }

        catch (final DirectoryIteratorException ex)
        {
            throw ex.getCause();
        }

        return all;
    }

    /** Empty if the process has ended meanwhile, or belongs to somebody else and the system hides it. */
    private static String textOrEmpty(final Path file)
    {
        try
        {
            return text(file);
        }
        catch (final IOException ignore)
        {
            return "";
        }
    }

    private static String text(final Path file) throws IOException
    {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }
}
