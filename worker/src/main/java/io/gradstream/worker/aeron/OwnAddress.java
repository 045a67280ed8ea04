// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.aeron;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** Finds the address of this machine by which others reach it, so that nobody has to name it. */
public final class OwnAddress
{
    private static final int MAX_PORT = 65_535;

    private OwnAddress()
    {
    }

    /**
     * Where answers of others can come in: the address of this machine from which it reaches the first of them that is
     * elsewhere, or else the loopback address. Nothing is sent.
     *
     * @param endpoints host:port of those who answer.
     * @return host:0, so that the system chooses the port.
     * @throws IllegalArgumentException if there is no way to any of them.
     */
    public static String facing(final List<String> endpoints)
    {
        InetAddress own = null;
        String problem = "none is named";
        for (final String endpoint : endpoints)
        {
            try
            {
                final InetAddress facing = facing(endpoint);
                own = null == own || own.isLoopbackAddress() ? facing : own;
            }
            catch (final IOException | UncheckedIOException | IllegalArgumentException ex)
            {
                problem = endpoint + ": " + ex.getMessage();
            }
        }
        if (null == own)
        {
            throw new IllegalArgumentException("no way from this machine to " + String.join(",", endpoints) + " (" +
                problem + "): say with --endpoint (responseEndpoint) where answers are to come in");
        }

        final String host = own.getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":0";
    }

    private static InetAddress facing(final String endpoint) throws IOException
    {
        final int colon = endpoint.lastIndexOf(':');
        final String port = endpoint.substring(colon + 1);
        if (colon < 1 || !port.matches("\\d{1,5}") || Integer.parseInt(port) > MAX_PORT)
        {
            throw new IllegalArgumentException("must be host:port");
        }
        final InetAddress address = InetAddress.getByName(endpoint.substring(0, colon).replaceAll("[\\[\\]]", ""));
        try (DatagramSocket socket = new DatagramSocket())
        {
            socket.connect(new InetSocketAddress(address, Math.max(1, Integer.parseInt(port))));
            return socket.getLocalAddress();
        }
    }
}
