// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.errors.DistinctErrorLog;

/**
 * The distinct error log of a driver, in which other parts of its process keep their errors too, until the driver
 * closes it: a part that goes on after that must not write where nothing is mapped any longer.
 */
final class ProcessErrors implements ErrorHandler, AutoCloseable
{
    private final ErrorHandler ofDriver;
    private volatile DistinctErrorLog log;

    /** Closed until the driver runs, whose own errors go to a handler, since the driver keeps them itself. */
    ProcessErrors(final ErrorHandler ofDriver)
    {
        this.ofDriver = ofDriver;
    }

    /** The driver runs. */
    void open(final DistinctErrorLog newLog)
    {
        log = newLog;
    }

    /** A handler that keeps each error here, and tells a part's own handler of it. */
    ErrorHandler keep(final ErrorHandler ofPart)
    {
        return (error) ->
        {
            record(error);
            ofPart.onError(error);
        };
    }

    /** Keep an error, if the driver runs and its log has room. */
    synchronized void record(final Throwable error)
    {
        final DistinctErrorLog open = log;
        if (null != open)
        {
            open.record(error);
        }
    }

    @Override
    public void onError(final Throwable error)
    {
        ofDriver.onError(error);
    }

    /** The driver is about to unmap the log. */
    @Override
    public synchronized void close()
    {
        log = null;
    }
}
