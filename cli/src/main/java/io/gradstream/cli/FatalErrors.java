// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli;

import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.gradstream.cli.options.Failures;
import io.gradstream.driver.client.OpenFiles;

/**
 * Ends the process when one of its threads meets an {@link Error}, such as that memory is exhausted: what goes on after
 * that is not what was written. Children end with it. The threads that end it are there from the start, for there may
 * be no memory for another one.
 */
final class FatalErrors implements Thread.UncaughtExceptionHandler
{
    /** Longest time until the process has stopped its parts in order; then it is halted. */
    static final long STOP_TIMEOUT_MS = 60_000;

    private final CountDownLatch isMet = new CountDownLatch(1);

    private FatalErrors()
    {
    }

    /** From now on no thread of this process goes on after an error, nor does the process. */
    static FatalErrors install()
    {
        final FatalErrors errors = new FatalErrors();
        errors.start("end", () -> System.exit(Failures.EXIT_FAILED));
        errors.start("halt", errors::haltInTime);
        Thread.setDefaultUncaughtExceptionHandler(errors);
        return errors;
    }

    @Override
    public void uncaughtException(final Thread thread, final Throwable thrown)
    {
        if (thrown instanceof final Error error)
        {
            end(thread, error);
            return;
        }
        System.err.print("Exception in thread \"" + thread.getName() + "\" ");
        thrown.printStackTrace(System.err);
    }

    /** A thread has met an error: say so in one line, and end the process. */
    void end(final Thread thread, final Error error)
    {
        try
        {
            System.err.println("gradstream: " + text(thread.getName(), error));
        }
        catch (final OutOfMemoryError ignore)
        {
            System.err.println("gradstream: out of memory: the process ends");
        }
        finally
        {
            isMet.countDown();
        }
        if (Boolean.getBoolean(Gradstream.STACK_TRACE_PROPERTY))
        {
            error.printStackTrace(System.err);
        }
    }

    static String text(final String thread, final Error error)
    {
        final String message = Failures.oneLine(error);
        final String name = error.getClass().getSimpleName();
        return "the process ends, for its thread " + thread + " met " +
            (message.equals(name) ? name : name + ": " + message) + advice(error);
    }

    private static String advice(final Error error)
    {
        final String message = String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT);
        if (error instanceof NoClassDefFoundError)
        {
            return "; as the class is part of this program, perhaps no file can be opened any more: " +
                OpenFiles.REMEDY;
        }
        if (!(error instanceof OutOfMemoryError))
        {
            return "; -Dgradstream.stacktrace=true shows where";
        }
        return message.contains("thread") ? "; allow more threads (ulimit -u)" :
            "; give it more memory (GRADSTREAM_JAVA_OPTS=-Xmx1g for ./gradstream, --worker-heap for the workers of" +
            " train), or use fewer --partitions";
    }

    private void start(final String name, final Runnable action)
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                isMet.await();
                action.run();
            }
            catch (final InterruptedException ignore)
            {
                // nobody interrupts it
            }
        }, name);
        // no daemon: main ends with System.exit, and an error must not let the JVM end before that with 0
        thread.start();
    }

    private void haltInTime()
    {
        try
        {
            TimeUnit.MILLISECONDS.sleep(STOP_TIMEOUT_MS);
        }
        catch (final InterruptedException ignore)
        {
            // then at once
        }
        Runtime.getRuntime().halt(Failures.EXIT_FAILED);
    }
}
