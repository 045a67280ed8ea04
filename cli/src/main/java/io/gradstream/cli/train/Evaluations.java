// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.gradstream.cli.options.Failures;
import io.gradstream.cli.train.Evaluator.Outcome;

/**
 * Evaluates the model while it is trained, in a thread of its own: servers may be away, and the thread that polls this
 * object starts them again. One evaluation at a time; evaluations that come due meanwhile are left out.
 */
final class Evaluations implements AutoCloseable
{
    private static final long CLOSE_TIMEOUT_S = 10;
    private static final long NONE = -1;

    private final Measurement measurement;
    private final long interval;
    private final Consumer<Outcome> onOutcome;
    private final Consumer<String> onProblem;
    private final ExecutorService thread;
    private Future<Outcome> underWay;
    private long nextBatches;
    /** Of the last evaluation that said something. */
    private long lastBatches = NONE;
    private int count;
    private boolean isStopped;

    /** Evaluates a model. */
    @FunctionalInterface
    interface Measurement
    {
        /**
         * Evaluate it as it is now.
         *
         * @param batches that all workers have pushed.
         */
        Outcome evaluate(long batches) throws IOException;
    }

    /**
     * Nothing is evaluated yet.
     *
     * @param interval  batches from one evaluation to the next, 0 for none.
     * @param onOutcome told what each said, by the thread that polls.
     * @param onProblem told why one said nothing; training goes on.
     */
    Evaluations(
        final Measurement measurement,
        final long interval,
        final Consumer<Outcome> onOutcome,
        final Consumer<String> onProblem)
    {
        this.measurement = measurement;
        this.interval = interval;
        this.onOutcome = onOutcome;
        this.onProblem = onProblem;
        nextBatches = interval;
        thread = Executors.newSingleThreadExecutor((task) ->
        {
            final Thread daemon = new Thread(task, "evaluation");
            daemon.setDaemon(true);
            return daemon;
        });
    }

    /**
     * Begin an evaluation if one is due, and take what the last one said.
     *
     * @param batches that all workers have pushed.
     * @param planned batches of all workers; the evaluation after the last one is that of {@link #finish}.
     * @return true once, when it is time to stop.
     */
    boolean poll(final long batches, final long planned)
    {
        final boolean wasStopped = isStopped;
        if (null != underWay && underWay.isDone())
        {
            // after the last batch there is nothing left to stop
            isStopped |= take() && batches < planned;
        }
        if (interval > 0 && null == underWay && !isStopped && batches >= nextBatches && batches < planned)
        {
            nextBatches = (batches / interval + 1) * interval;
            underWay = thread.submit(() -> measurement.evaluate(batches));
        }
        return isStopped && !wasStopped;
    }

    /**
     * Evaluate the last model too, if any was to be and it was not evaluated yet. Training is over, whatever it says.
     *
     * @param batches of all workers.
     */
    void finish(final long batches)
    {
        if (null != underWay)
        {
            take();
        }
        if (interval > 0 && batches != lastBatches)
        {
            underWay = thread.submit(() -> measurement.evaluate(batches));
            take();
        }
    }

    /** Evaluations that said something. */
    int count()
    {
        return count;
    }

    /** True if an evaluation has ended training before its last batch. */
    boolean isStopped()
    {
        return isStopped;
    }

    @Override
    public void close()
    {
        thread.shutdownNow();
        try
        {
            // what it waits for at the servers has a limit of its own, and it notices the interrupt
            thread.awaitTermination(CLOSE_TIMEOUT_S, TimeUnit.SECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns true if it says that it is time to stop. */
    private boolean take()
    {
        try
        {
            final Outcome outcome = underWay.get();
            count++;
            lastBatches = outcome.batches();
            onOutcome.accept(outcome);
            return outcome.isStop();
        }
        catch (final ExecutionException ex)
        {
            if (ex.getCause() instanceof final Error error)
            {
                throw error;
            }
            onProblem.accept("an evaluation failed, and training goes on: " + Failures.oneLine(ex.getCause()));
            return false;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the model was evaluated", ex);
        }
        finally
        {
            underWay = null;
        }
    }
}
