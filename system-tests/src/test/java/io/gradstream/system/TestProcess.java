// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A JVM that the test starts beside the cluster's. A thread reads what it prints, and ends with it.
 */
final class TestProcess implements AutoCloseable
{
    private static final long END_TIMEOUT_MS = 10_000;

    private final Process process;
    private final Thread reader;
    private final Writer in;

    private TestProcess(final Process process, final String name, final Consumer<String> lines)
    {
        this.process = process;
        in = process.outputWriter(StandardCharsets.US_ASCII);
        reader = new Thread(() -> read(lines), "from-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Start one with the class path of this.
     *
     * @param name      for its log.
     * @param logs      directory of the log.
     * @param lines     takes each line on a thread of its own.
     * @param mainClass to run.
     * @param arguments of it.
     */
    static TestProcess start(
        final String name,
        final Path logs,
        final Consumer<String> lines,
        final String mainClass,
        final List<String> arguments)
    {
        final List<String> command = ChildJvm.command();
        command.addAll(List.of("-Xmx128m", "-cp", ChildJvm.classPath(), mainClass));
        command.addAll(arguments);
        try
        {
            return new TestProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(logs.resolve(name + ".log").toFile()))
                .start(), name, lines);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    long pid()
    {
        return process.pid();
    }

    boolean isAlive()
    {
        return process.isAlive();
    }

    /** Has it ended, and was its last line taken? */
    boolean isReadToTheEnd()
    {
        return !reader.isAlive();
    }

    /** Send a line; one that does not listen any more need not hear it. */
    void send(final String line)
    {
        try
        {
            in.write(line + '\n');
            in.flush();
        }
        catch (final IOException ignore)
        {
            // it has ended
        }
    }

    /** SIGKILL; returns when it is gone and its last line was taken. */
    void kill()
    {
        process.destroyForcibly();
        awaitEnd();
        if (!OwnProcess.isGone(pid()) || !isReadToTheEnd())
        {
            throw new AssertionError("pid=" + pid() + " survived SIGKILL");
        }
    }

    /** End it in order if it listens. */
    @Override
    public void close()
    {
        try
        {
            in.close();
        }
        catch (final IOException ignore)
        {
            // it has ended
        }
        awaitEnd();
        process.destroyForcibly();
    }

    private void awaitEnd()
    {
        try
        {
            process.waitFor(END_TIMEOUT_MS, TimeUnit.MILLISECONDS);
            reader.join(END_TIMEOUT_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void read(final Consumer<String> lines)
    {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8))
        {
            String line = out.readLine();
            while (null != line)
            {
                lines.accept(line);
                line = out.readLine();
            }
        }
        catch (final IOException ignore)
        {
            // the pipe is broken: it has ended
        }
    }
}
