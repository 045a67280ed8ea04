// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.ext.DebugSendChannelEndpoint;

import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A media driver for one process of a worker, within the test's. It can be cut off from servers: what is sent there is
 * lost from then on, also what is sent again, while everything still comes in.
 */
final class CutDriver implements AutoCloseable
{
    private final String directory;
    private final MediaDriver driver;
    private final Set<Integer> cutPorts = ConcurrentHashMap.newKeySet();
    private volatile boolean isDead;

    /**
     * Starts at once, and reaches everybody.
     *
     * @param aeronDirectory of its own.
     */
    CutDriver(final Path aeronDirectory)
    {
        directory = aeronDirectory.toString();
        driver = MediaDriver.launch(new MediaDriver.Context()
            .aeronDirectoryName(directory)
            .threadingMode(ThreadingMode.SHARED)
            .sendChannelEndpointSupplier((channel, status, context) -> new DebugSendChannelEndpoint(
                channel, status, context,
                (address, buffer, length) -> isCut(channel.remoteData().getPort()),
                (address, buffer, length) -> false))
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true));
    }

    String directory()
    {
        return directory;
    }

    /**
     * Lose what is sent to a server from now on; what it has acknowledged before has arrived.
     *
     * @param endpoint host:port of the server.
     */
    void cutOff(final String endpoint)
    {
        cutPorts.add(Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1)));
    }

    private boolean isCut(final int port)
    {
        return isDead || cutPorts.contains(port);
    }

    /** As when its process is killed: nothing is sent any more. */
    @Override
    public void close()
    {
        isDead = true;
        driver.close();
    }
}
