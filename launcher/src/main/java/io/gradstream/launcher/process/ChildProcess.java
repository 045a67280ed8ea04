// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A process that this process started. A thread reads its lines: some are taken at once, the others wait until polled,
 * so that one thread serves all processes. Its errors go to a file. The child ends at the latest when its standard
 * input does, that is, when this process ends.
 */
public final class ChildProcess implements AutoCloseable
{
    /** Most lines that wait to be polled; a process that prints more waits. */
    public static final int MAX_LINES = 16_384;

    private static final long STOP_TIMEOUT_MS = 15_000;
    private static final long LOOK_INTERVAL_MS = 10;
    private static final int MAX_ERROR_LINES = 8;
    private static final String NO_LOGGER = "SLF4J(W)";
    private static final String STACK_FRAME = "\tat ";
    private static final int MAX_LINE_LENGTH = 1 << 20;
    private static final int READ_LENGTH = 8192;

    private final String name;
    private final Path errors;
    private final Process process;
    private final Listener listener;
    private final LineSender sender;
    private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(MAX_LINES);
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private volatile RuntimeException failure;
    private volatile boolean isReadToTheEnd;
    private volatile boolean isExpectedToEnd;

    /**
     * Hears the lines of a process at once, on the thread that reads them.
     *
     * @param immediately takes a line, or returns false to leave it to {@link #poll}.
     * @param wakeUp      run after lines came, and at the end.
     */
    public record Listener(Predicate<String> immediately, Runnable wakeUp)
    {
    }

    private ChildProcess(final String name, final Path errors, final Process process, final Listener listener)
    {
        this.name = name;
        this.errors = errors;
        this.process = process;
        this.listener = listener;
        sender = LineSender.start("to-" + name, process.getOutputStream());
        final Thread reader = new Thread(this::read, "from-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    /** Start a process whose errors are appended to a file. */
    public static ChildProcess start(
        final String name, final List<String> command, final Path errors, final Listener listener) throws IOException
    {
        final Process process = new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
            .start();
        return new ChildProcess(name, errors, process, listener);
    }

    /**
     * Start a process whose errors go where those of this one go, and whose lines all wait until polled.
     *
     * @throws IOException if it cannot be started.
     */
    public static ChildProcess start(final String name, final List<String> command) throws IOException
    {
        final Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        return new ChildProcess(name, null, process, new Listener((text) -> false, () -> {}));
    }

    /** The name by which the user knows the process. */
    public String name()
    {
        return name;
    }

    /** The process id. */
    public long pid()
    {
        return process.pid();
    }

    /** Hand over the lines that the process has printed since the last call. */
    public int poll(final Consumer<String> lineListener)
    {
        if (null != failure)
        {
            throw failure;
        }
        int count = 0;
        String text = lines.poll();
        while (null != text)
        {
            lineListener.accept(text);
            count++;
            text = lines.poll();
        }

        return count;
    }

    /**
     * Wait for a line, and drop those before it.
     *
     * @param word      with which it begins.
     * @param timeoutMs longest time to wait.
     * @return false if the process ended before, the time is over, or this thread is interrupted, and still so then.
     */
    public boolean awaitLine(final String word, final long timeoutMs)
    {
        final long beginNs = System.nanoTime();
        try
        {
            while (!hasFailed() && System.nanoTime() - beginNs < TimeUnit.MILLISECONDS.toNanos(timeoutMs))
            {
                final String text = lines.poll(LOOK_INTERVAL_MS, TimeUnit.MILLISECONDS);
                if (null != text && text.startsWith(word))
                {
                    return true;
                }
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }

        return false;
    }

    /**
     * Send a command.
     *
     * @throws IllegalStateException if the process has not read the {@link LineSender#MAX_LINES} before.
     */
    public void send(final String command)
    {
        if (!sender.offer(command))
        {
            throw new IllegalStateException(name + " does not read its commands: it may be stopped; end it");
        }
    }

    /** True if the process is alive. */
    public boolean isAlive()
    {
        return process.isAlive();
    }

    /** True if the end of the process is no failure. */
    public boolean isExpectedToEnd()
    {
        return isExpectedToEnd;
    }

    /** Exit code of the process, once it is no longer alive. */
    public int exitCode()
    {
        return process.exitValue();
    }

    /** Declare that from now on the end of the process is no failure. */
    public void expectEnd()
    {
        isExpectedToEnd = true;
    }

    /** True if it has ended unexpectedly. This shows after its last line was polled, which may announce its end. */
    public boolean hasFailed()
    {
        return !isExpectedToEnd && isReadToTheEnd && lines.isEmpty() && !process.isAlive();
    }

    /** Send SIGKILL. The end of the process is no failure. */
    public void beginKill()
    {
        isExpectedToEnd = true;
        process.destroyForcibly();
    }

    /** End the process with SIGKILL, and wait until it is gone, at most ten seconds. */
    public void kill()
    {
        beginKill();
        awaitEnd(TimeUnit.SECONDS.toMillis(10));
    }

    /**
     * Let the process stand still for a while. A shell of its own wakes it, even if this process ends before.
     *
     * @param durationMs from SIGSTOP to SIGCONT.
     * @throws IOException if there is no shell.
     */
    public void pause(final long durationMs) throws IOException
    {
        final String seconds = String.format(Locale.ROOT, "%.3f", durationMs / 1e3);
        new ProcessBuilder("sh", "-c", "kill -STOP $0; sleep " + seconds + "; kill -CONT $0", String.valueOf(pid()))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    }

    /** Close the standard input of the process, which tells it to stop. */
    public void stop()
    {
        isExpectedToEnd = true;
        sender.close();
    }

    /** Tell the process to stop, and kill it if it does not in time. */
    @Override
    public void close()
    {
        stop();
        if (!awaitEnd(STOP_TIMEOUT_MS))
        {
            System.err.println("the " + name + " process did not stop in time and was killed");
            kill();
        }
    }

    /**
     * Wait until the process has ended.
     *
     * @param timeoutMs longest time to wait.
     * @return false if the process is still alive, or this thread is interrupted, and still so then.
     */
    public boolean awaitEnd(final long timeoutMs)
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

    /** The last lines that the process wrote to stderr, empty if none; or their place, if they went elsewhere. */
    public String lastErrors()
    {
        if (null == errors)
        {
            return "see its errors above";
        }
        try
        {
            final List<String> lines = Files.readAllLines(errors, StandardCharsets.ISO_8859_1);
            lines.removeIf((text) -> text.isBlank() || text.startsWith(NO_LOGGER) || text.startsWith(STACK_FRAME));
            final int begin = Math.max(0, lines.size() - MAX_ERROR_LINES);
            return String.join("\n", lines.subList(begin, lines.size()));
        }
        catch (final IOException ex)
        {
            return "its errors cannot be read: " + ex.getMessage();
        }
    }

    private void read()
    {
        try
        {
            final InputStream in = process.getInputStream();
            final byte[] bytes = new byte[READ_LENGTH];
            int length = in.read(bytes);
            while (length >= 0)
            {
                onBytes(bytes, length);
                listener.wakeUp().run();
                length = in.read(bytes);
            }
        }
        catch (final RuntimeException ex)
        {
            failure = ex;
        }
        catch (final IOException | InterruptedException ignore)
        {
            // the pipe is broken: it ended
        }
        finally
        {
            isReadToTheEnd = true;
            listener.wakeUp().run();
        }
    }

    private void onBytes(final byte[] bytes, final int length) throws InterruptedException
    {
        for (int i = 0; i < length; i++)
        {
            if ('\n' == bytes[i])
            {
                final String text = line.toString(StandardCharsets.UTF_8);
                line.reset();
                if (!listener.immediately().test(text))
                {
                    lines.put(text);
                }
            }
            else if (line.size() < MAX_LINE_LENGTH)
            {
                line.write(bytes[i]);
            }
        }
    }
}
