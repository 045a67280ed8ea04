// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * This process's end of one connection to a peer: transfers go out in order, and come to their end in order.
 * <p>
 * One thread starts and polls; answers may come on another.
 */
abstract class PeerLink implements AutoCloseable
{
    /** Most transfers outstanding. */
    static final int MAX_OUTSTANDING = 64;
    /** Longest wait in one poll. */
    static final long MAX_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Longest wait for a connection, and for its end. */
    static final long CONNECT_TIMEOUT_MS = 20_000;

    private final float[][] targets = new float[MAX_OUTSTANDING][];
    private final AtomicLong completed = new AtomicLong();
    private long started;
    private volatile Throwable failure;

    /**
     * Start to push.
     *
     * @param gradient as many floats as the rows have.
     * @return false if {@link #MAX_OUTSTANDING} are under way.
     */
    final boolean tryPush(final int firstRow, final int rows, final float[] gradient)
    {
        return tryStart(new PeerMessage(PeerMeasure.PUSH, firstRow, rows), gradient);
    }

    /**
     * Start to pull.
     *
     * @param target that has the values once this transfer is over.
     * @return false if {@link #MAX_OUTSTANDING} are under way.
     */
    final boolean tryPull(final int firstRow, final int rows, final float[] target)
    {
        return tryStart(new PeerMessage(PeerMeasure.PULL, firstRow, rows), target);
    }

    /**
     * One duty cycle.
     *
     * @param mayWait true if there is nothing else to do until an answer comes: the cycle may then wait for
     *                {@link #MAX_WAIT_NS}.
     * @return how much was done.
     */
    final int poll(final boolean mayWait)
    {
        final int workCount = doPoll(mayWait);
        if (null != failure)
        {
            throw new IllegalStateException("the peer's connection broke: " + failure, failure);
        }

        return workCount;
    }

    /** Transfers that came to their end. */
    final long completed()
    {
        return completed.getAcquire();
    }

    /** See to it that rows can be pulled though none was pushed yet. */
    void prepare(final int rows)
    {
    }

    @Override
    public abstract void close();

    abstract void send(PeerMessage message, float[] values);

    abstract int doPoll(boolean mayWait);

    /** Where the values of the next answer belong. */
    final float[] nextTarget()
    {
        return targets[(int)(completed.getPlain() % MAX_OUTSTANDING)];
    }

    /** The next answer has come. On one thread, always the same. */
    final void onAnswer()
    {
        completed.setRelease(completed.getPlain() + 1);
    }

    /** The connection broke. */
    final void onFailure(final Throwable cause)
    {
        failure = cause;
    }

    private boolean tryStart(final PeerMessage message, final float[] values)
    {
        if (started - completed() >= MAX_OUTSTANDING)
        {
            return false;
        }
        targets[(int)(started++ % MAX_OUTSTANDING)] = values;
        send(message, values);

        return true;
    }
}
