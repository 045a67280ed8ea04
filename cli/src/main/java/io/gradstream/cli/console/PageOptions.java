// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.console;

import java.io.IOException;

import io.gradstream.cli.usage.OptionGroup;
import io.gradstream.cli.options.UsageException;
import io.gradstream.console.ConsoleServer;
import io.gradstream.console.RunHistory;
import picocli.CommandLine.Option;

/** The option for the address of the page, which determines who can see the page. */
public final class PageOptions
{
    static final int MAX_PORT = 65_535;
    private static final String LOOPBACK = "127.0.0.1";

    @OptionGroup(OptionGroup.Heading.RESULTS)
    @Option(names = "--bind", paramLabel = "ADDRESS",
        description = "Address of this machine where the page and /metrics are served. Any other than loopback, such" +
            " as 0.0.0.0, shows all of it to everybody who reaches that address: without a password, not encrypted." +
            " Nothing can be changed by it. Default: 127.0.0.1.")
    private String address;

    /** True if there is an address for a page. */
    boolean isGiven()
    {
        return null != address;
    }

    /**
     * Serve a history.
     *
     * @param option that gives the port, for the error.
     * @throws UsageException if that address and port cannot be had, or this JDK has no server.
     */
    ConsoleServer serve(final String option, final int port, final RunHistory history)
    {
        final String bound = null == address ? LOOPBACK : address;
        try
        {
            return ConsoleServer.start(bound, port, history);
        }
        catch (final IOException ex)
        {
            throw new UsageException("cannot serve the page at TCP " + bound + ":" + port + " (" + ex.getMessage() +
                "): choose a free port with " + option + ", 0 for any, and an address of this machine with --bind");
        }
        catch (final LinkageError ex)
        {
            throw new UsageException("cannot serve the page (" + ex + "): use a JDK with its module jdk.httpserver");
        }
    }
}
