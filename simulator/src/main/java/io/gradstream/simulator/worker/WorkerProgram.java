// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.function.BooleanSupplier;

/**
 * The program of a worker's process: what it asks the client for, duty cycle by duty cycle, and what must come of it.
 */
interface WorkerProgram
{
    /** Runs one duty cycle of the client. */
    void poll(long nowNs);

    /** Goes on as far as the client allows now. */
    void doWork();

    /** True if everything is pushed and acknowledged. */
    boolean isDone();

    /** A partition has welcomed this process for the first time. */
    void onWelcome(int partition, long last);

    /** A message with rows has reached the client. */
    void onRows(DirectBuffer message);

    /** True if a request may leave the process now. */
    boolean mayLeave(UnsafeBuffer message);

    /** True if the death of the process would do the most harm now. */
    boolean isAtWorst();

    /** A request was sent. */
    void onSent(UnsafeBuffer message);

    /** The client would wait for a condition. */
    void await(String what, BooleanSupplier condition);
}
