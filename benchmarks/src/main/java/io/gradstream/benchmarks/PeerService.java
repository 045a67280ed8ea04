// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

/** The server's side of a peer: it applies pushes and answers pulls. */
interface PeerService extends AutoCloseable
{
    /** Longest wait in one duty cycle, and so until a command of the parent is heard. */
    long MAX_WAIT_NS = 5_000_000;

    /** Where it listens on the loopback address. */
    int port();

    /**
     * One duty cycle.
     *
     * @param isBusy true if the service must never sleep; a service with threads of its own ignores this.
     */
    void doWork(boolean isBusy);

    @Override
    void close();
}
