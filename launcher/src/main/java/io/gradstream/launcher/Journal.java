/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.launcher;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of lines with the wall clock in milliseconds before each: what was seen and done to the processes.
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

    /**
     * Add a line. One that comes before the journal is open, or after it was closed, is not kept.
     */
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
