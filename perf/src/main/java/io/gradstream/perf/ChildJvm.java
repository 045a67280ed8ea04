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
package io.gradstream.perf;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One process that this one started, with the same java, class path and flags. It ends when its standard input does.
 */
final class ChildJvm implements AutoCloseable
{
    /** First word of the line by which a process says that it takes work. */
    static final String READY = "READY";

    static final long START_TIMEOUT_MS = 60_000;
    static final long STOP_TIMEOUT_MS = 15_000;

    private static final String MAX_HEAP = "-Xmx256m";
    private static final String ENDED = "";

    private final String name;
    private final Process process;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private ChildJvm(final String name, final Process process)
    {
        this.name = name;
        this.process = process;
        final Thread reader = new Thread(this::readLines, name + "-output");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Start a process and wait until it is ready. Its errors go to this process's.
     *
     * @param name      for messages.
     * @param mainClass to run.
     * @param arguments of main.
     * @throws IOException           if it cannot be started.
     * @throws IllegalStateException if it ends or does not get ready in time.
     */
    static ChildJvm start(final String name, final String mainClass, final List<String> arguments) throws IOException
    {
        final ChildJvm child = new ChildJvm(name, new ProcessBuilder(command(mainClass, arguments))
            .redirectError(Redirect.INHERIT)
            .start());
        try
        {
            child.awaitReady();
            return child;
        }
        catch (final RuntimeException ex)
        {
            child.close();
            throw ex;
        }
    }

    /**
     * Ask the process to stop; kill it if it does not in time.
     */
    @Override
    public void close()
    {
        try
        {
            process.getOutputStream().close();
            if (!process.waitFor(STOP_TIMEOUT_MS, TimeUnit.MILLISECONDS))
            {
                kill();
            }
        }
        catch (final IOException ex)
        {
            kill();
        }
        catch (final InterruptedException ex)
        {
            kill();
            Thread.currentThread().interrupt();
        }
    }

    private void kill()
    {
        System.err.println("perf: the " + name + " process did not stop in time and was killed");
        process.destroyForcibly();
    }

    private void awaitReady()
    {
        try
        {
            final String line = lines.poll(START_TIMEOUT_MS, TimeUnit.MILLISECONDS);
            if (null == line || !line.startsWith(READY))
            {
                throw new IllegalStateException("the " + name + " process " + (null == line ? "was not ready within " +
                    START_TIMEOUT_MS / 1_000 + " s" : "did not start") + ": see its messages above");
            }
        }
        catch (final InterruptedException ex)
        {
            throw new InterruptedRunException();
        }
    }

    private void readLines()
    {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8))
        {
            for (String line = reader.readLine(); null != line; line = reader.readLine())
            {
                if (line.startsWith(READY))
                {
                    lines.add(line);
                }
            }
        }
        catch (final IOException ignore)
        {
            // the pipe is broken: it ended
        }
        finally
        {
            lines.add(ENDED);
        }
    }

    private static List<String> command(final String mainClass, final List<String> arguments)
    {
        final List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        for (final String flag : ManagementFactory.getRuntimeMXBean().getInputArguments())
        {
            if (!flag.startsWith("-Xmx") && !flag.startsWith("-Xms") && !flag.startsWith("-agentlib") &&
                !flag.startsWith("-javaagent"))
            {
                command.add(flag);
            }
        }
        command.add(MAX_HEAP);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(mainClass);
        command.addAll(arguments);

        return command;
    }
}
