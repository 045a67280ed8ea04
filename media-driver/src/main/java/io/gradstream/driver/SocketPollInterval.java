// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import org.agrona.concurrent.NanoClock;

import java.util.concurrent.TimeUnit;

/**
 * Decides whether a socket is polled now: a socket on which nothing came for many polls is polled seldom, until a
 * datagram comes.
 */
final class SocketPollInterval
{
    /** So many empty polls in a row make a socket quiet. */
    static final int MAX_EMPTY_POLLS = 512;

    /** From one poll of a quiet socket to the next, and so the longest by which it delays a datagram. */
    static final long QUIET_INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(20);

    private final NanoClock clock;
    private int emptyPolls;
    private long quietPollNs;

    /** Of a socket that is not quiet. */
    SocketPollInterval(final NanoClock clock)
    {
        this.clock = clock;
    }

    /** True if the socket is to be polled now. */
    boolean isDue()
    {
        return emptyPolls < MAX_EMPTY_POLLS || clock.nanoTime() - quietPollNs >= QUIET_INTERVAL_NS;
    }

    /** It was polled, and there was nothing. */
    void onEmpty()
    {
        if (emptyPolls < MAX_EMPTY_POLLS)
        {
            emptyPolls++;
        }
        if (MAX_EMPTY_POLLS == emptyPolls)
        {
            quietPollNs = clock.nanoTime();
        }
    }

    /** A datagram came, or waits: poll it each time again. */
    void reset()
    {
        emptyPolls = 0;
    }
}
