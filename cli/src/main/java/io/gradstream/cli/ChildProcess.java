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
package io.gradstream.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One process that this one started. Its lines are polled, so that one thread serves them all; its errors go to a file.
 * It ends at the latest when its standard input does, that is, when this process ends.
 */
final class ChildProcess
{
    private static final int MAX_ERROR_LINES = 8;
    private static final String NO_LOGGER = "SLF4J(W)";
    private static final int MAX_LINE_LENGTH = 1 << 20;

    private final String name;
    private final Path errors;
    private final Process process;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean isExpectedToEnd;

    private ChildProcess(final String name, final Path errors, final Process process)
    {
        this.name = name;
        this.errors = errors;
        this.process = process;
    }

    /**
     * Start a process.
     *
     * @param name    of the process for the user.
     * @param command to run.
     * @param errors  file that its errors are appended to.
     */
    static ChildProcess start(final String name, final List<String> command, final Path errors) throws IOException
    {
        final Process process = new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
            .start();
        return new ChildProcess(name, errors, process);
    }

    String name()
    {
        return name;
    }

    /**
     * Hand over the lines it has printed since the last call.
     *
     * @return number of lines.
     */
    int poll(final Consumer<String> listener) throws IOException
    {
        final InputStream in = process.getInputStream();
        int count = 0;
        int available = in.available();
        while (available > 0)
        {
            for (final byte b : in.readNBytes(available))
            {
                if ('\n' == b)
                {
                    listener.accept(line.toString(StandardCharsets.UTF_8));
                    line.reset();
                    count++;
                }
                else if (line.size() < MAX_LINE_LENGTH)
                {
                    line.write(b);
                }
            }
            available = in.available();
        }

        return count;
    }

    /**
     * Send a command. A process that has ended does not get it, which its exit will show.
     */
    void send(final String command)
    {
        try
        {
            final OutputStream out = process.getOutputStream();
            out.write((command + "\n").getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
        catch (final IOException ignore)
        {
            // the pipe is broken: it ended
        }
    }

    boolean isAlive()
    {
        return process.isAlive();
    }

    /**
     * Its exit code, once it is not alive.
     */
    int exitCode()
    {
        return process.exitValue();
    }

    /**
     * From now on its end is no failure.
     */
    void expectEnd()
    {
        isExpectedToEnd = true;
    }

    boolean hasFailed()
    {
        return !isExpectedToEnd && !process.isAlive();
    }

    /**
     * End it with SIGKILL, and wait until it is gone.
     */
    void kill()
    {
        isExpectedToEnd = true;
        process.destroyForcibly();
        awaitEnd(TimeUnit.SECONDS.toMillis(10));
    }

    /**
     * Close its standard input, which tells it to stop.
     */
    void stop()
    {
        isExpectedToEnd = true;
        try
        {
            process.getOutputStream().close();
        }
        catch (final IOException ignore)
        {
            // the pipe is broken: it ended
        }
    }

    boolean awaitEnd(final long timeoutMs)
    {
        try
        {
            return process.waitFor(timeoutMs, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * The last lines it wrote to stderr, or a word that there are none.
     */
    String lastErrors()
    {
        try
        {
            final List<String> lines = Files.readAllLines(errors, StandardCharsets.ISO_8859_1);
            lines.removeIf((text) -> text.isBlank() || text.startsWith(NO_LOGGER));
            final int begin = Math.max(0, lines.size() - MAX_ERROR_LINES);
            return lines.isEmpty() ? "it wrote no error" : String.join("\n", lines.subList(begin, lines.size()));
        }
        catch (final IOException ex)
        {
            return "its errors cannot be read: " + ex.getMessage();
        }
    }
}
