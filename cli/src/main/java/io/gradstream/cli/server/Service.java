// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.server;

/** The service that one of the long-running commands runs: a server, a coordinator or a media driver. */
interface Service extends AutoCloseable
{
    /** One duty cycle. */
    default void poll(final long nowNs)
    {
    }

    /** True if the service has ended by itself. */
    boolean isTerminated();

    /** True if the service, which has ended, may be started again in case this process stood still. */
    default boolean isRestartable()
    {
        return true;
    }

    /** The reason why the service ended by itself. */
    default RuntimeException failure(final String name)
    {
        return new IllegalStateException("the " + name + " ended by itself: start it again");
    }

    /** Longest rest between two duty cycles, in ns. */
    default long parkNs()
    {
        return ServiceOptions.PARK_NS;
    }

    @Override
    void close();
}
