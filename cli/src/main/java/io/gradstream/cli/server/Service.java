// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.server;

/**
 * What one of the long-running commands runs: a server, a coordinator or a media driver.
 */
interface Service extends AutoCloseable
{
    /** One duty cycle. */
    default void poll(final long nowNs)
    {
    }

    /** Has it ended by itself? */
    boolean isTerminated();

    /** Having ended: may it be started anew, if this process stood still? */
    default boolean isRestartable()
    {
        return true;
    }

    /** Why it ended by itself. */
    default RuntimeException failure(final String name)
    {
        return new IllegalStateException("the " + name + " ended by itself: start it again");
    }

    /** How long it may rest between two duty cycles. */
    default long parkNs()
    {
        return ServiceOptions.PARK_NS;
    }

    @Override
    void close();
}
