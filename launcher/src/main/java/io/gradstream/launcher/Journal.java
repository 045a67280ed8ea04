// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of lines, each after the wall clock in milliseconds, that records what was seen of processes and done to them.
 * Several threads append.
 */
final class Journal implements AutoCloseable
{
    private final Path path;
    private PrintWriter writer;

    Journal(final Path path)
    {
        this.path = path;
    }

    synchronized void open() throws IOException
    {
        writer = new PrintWriter(Files.newBufferedWriter(path, StandardCharsets.UTF_8));
    }

    /** Add a line. A line that comes before the journal is open, or after it was closed, is not kept. */
    synchronized void append(final String line)
    {
        if (null != writer)
        {
            writer.append(Long.toString(System.currentTimeMillis())).append(' ').println(line);
            writer.flush();
        }
    }

    @Override
    public synchronized void close()
    {
        if (null != writer)
        {
            writer.close();
            writer = null;
        }
    }
}
