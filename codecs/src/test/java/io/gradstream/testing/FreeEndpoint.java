// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.testing;

import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;

/**
 * Finds UDP ports of this machine that nobody uses now.
 */
public final class FreeEndpoint
{
    private FreeEndpoint()
    {
    }

    /** Host and port, on loopback. */
    public static String any()
    {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            return "127.0.0.1:" + socket.getLocalPort();
        }
        catch (final SocketException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
