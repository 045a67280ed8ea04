// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import org.agrona.CloseHelper;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * Chooses free UDP ports of the loopback address. The process claims what it has chosen, so that no other one that
 * chooses at the same time takes it before it is used. A claim is a TCP socket with the number of the first port.
 * Nobody connects to it, and it ends with the process.
 */
public final class LoopbackPorts
{
    /** Claims that a process holds at most; then the oldest goes, whose ports are in use or over. */
    static final int MAX_CLAIMS = 64;

    private static final String LOOPBACK = "127.0.0.1";
    private static final int MIN_RANGE_PORT = 20_000;
    private static final int MIN_SERVER_PORT = 26_000;
    private static final int MAX_SERVER_PORT = 32_000;
    private static final Deque<ServerSocket> CLAIMS = new ArrayDeque<>();

    private LoopbackPorts()
    {
    }

    /**
     * Choose free UDP ports of the loopback address for servers. They are below the ports that the system assigns by
     * itself, so no other process gets the port of a server that is to be started again.
     *
     * @return host:port of each.
     * @throws IOException if there are none.
     */
    public static List<String> free(final int count) throws IOException
    {
        return free(count, 1, MIN_SERVER_PORT, MAX_SERVER_PORT);
    }

    /**
     * Choose free ranges of UDP ports of the loopback address, apart from those for servers.
     *
     * @param width consecutive ports of each.
     * @return host:port of the first port of each.
     * @throws IOException if there are none.
     */
    public static List<String> freeRanges(final int count, final int width) throws IOException
    {
        return free(count, width, MIN_RANGE_PORT, MIN_SERVER_PORT);
    }

    private static List<String> free(final int count, final int width, final int min, final int max)
        throws IOException
    {
        final List<String> endpoints = new ArrayList<>();
        final int ranges = (max - min) / width;
        final int first = new Random().nextInt(ranges);
        for (int i = 0; i < ranges && endpoints.size() < count; i++)
        {
            final int port = min + (first + i) % ranges * width;
            if (isClaimed(port, width))
            {
                endpoints.add(LOOPBACK + ":" + port);
            }
        }
        if (endpoints.size() < count)
        {
            throw new IOException("no " + count + " free ranges of " + width + " UDP ports from " + min + " to " +
                max);
        }

        return endpoints;
    }

    /** True if the ports are free, and claimed from now on. */
    private static synchronized boolean isClaimed(final int port, final int width)
    {
        final ServerSocket claim;
        try
        {
            claim = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
        }
        catch (final IOException ex)
        {
            return false;
        }
        if (!isRangeFree(port, width))
        {
            CloseHelper.close(claim);
            return false;
        }
        CLAIMS.add(claim);
        if (CLAIMS.size() > MAX_CLAIMS)
        {
            CloseHelper.close(CLAIMS.remove());
        }

        return true;
    }

    private static boolean isRangeFree(final int port, final int width)
    {
        for (int i = 0; i < width; i++)
        {
            try (DatagramSocket socket = new DatagramSocket(port + i, InetAddress.getLoopbackAddress()))
            {
                socket.getLocalPort();
            }
            catch (final IOException ex)
            {
                return false;
            }
        }

        return true;
    }
}
