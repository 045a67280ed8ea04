// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.gradstream.driver.client.HostDriverException;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;

import static io.gradstream.driver.client.HostDriverException.Reason.PORT_IN_USE;

/**
 * Asks before anything starts whether a UDP port can be had: Aeron tells only after the driver is up, with a stack
 * trace.
 */
public final class PortCheck
{
    private PortCheck()
    {
    }

    /**
     * Bind the port and let it go again.
     *
     * @param port    UDP port, 0 for none: then nothing is asked.
     * @param setting by which the user chose the port, for the message.
     * @throws IOException         if the host has no address.
     * @throws HostDriverException if the port is taken.
     */
    public static void checkFree(final String host, final int port, final String setting) throws IOException
    {
        if (0 == port)
        {
            return;
        }

        final InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(host), port);
        try (DatagramSocket socket = new DatagramSocket(null))
        {
            socket.setReuseAddress(false);
            socket.bind(address);
        }
        catch (final SocketException ex)
        {
            throw new HostDriverException(PORT_IN_USE, "cannot listen on UDP " + host + ":" + port +
                " for " + setting + " (" + ex.getMessage() + "); stop what uses it or choose another " + setting, ex);
        }
    }
}
