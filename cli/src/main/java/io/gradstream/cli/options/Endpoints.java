// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;

import io.gradstream.driver.client.HostDriverException;
import picocli.CommandLine.Option;

/**
 * Checks addresses that processes listen on, before anything opens: they are loopback unless plain text is accepted.
 */
public final class Endpoints
{
    static final int MAX_COORDINATORS = 3;

    private static final int MAX_PORT = 65_535;

    @Option(names = "--accept-plaintext", description = "Allow addresses that are not loopback.")
    private boolean isPlaintextAccepted;

    /**
     * Check that an address is of this machine only, unless plain text was accepted.
     *
     * @return the address, resolved.
     */
    public InetSocketAddress check(final String endpoint)
    {
        final int colon = endpoint.lastIndexOf(':');
        final String host = colon < 0 ? "" : endpoint.substring(0, colon).replaceAll("[\\[\\]]", "");
        final String port = endpoint.substring(colon + 1);
        if (host.isEmpty() || !port.matches("\\d{1,5}") || Integer.parseInt(port) > MAX_PORT)
        {
            throw new UsageException("invalid endpoint '" + endpoint + "': must be host:port with a port up to " +
                MAX_PORT);
        }

        try
        {
            final InetAddress address = InetAddress.getByName(host);
            UsageException.refuseIf(!address.isLoopbackAddress() && !isPlaintextAccepted,
                "endpoint '" + endpoint + "' is not a loopback address: Aeron's UDP is not" +
                    " encrypted or authenticated; use it on a private network only and say --accept-plaintext");
            return new InetSocketAddress(address, Integer.parseInt(port));
        }
        catch (final UnknownHostException ex)
        {
            throw new UsageException("unknown host in endpoint '" + endpoint + "': name a host that resolves");
        }
    }

    /**
     * Check that nothing listens on an address of this machine.
     *
     * @throws UsageException      if the address is not of this machine.
     * @throws HostDriverException if the port is in use, which is the failure that it is in a coordinator.
     */
    public static void checkFree(final InetSocketAddress address)
    {
        try (DatagramSocket socket = new DatagramSocket(address))
        {
            socket.getLocalPort();
        }
        catch (final IOException ex)
        {
            final String what =
                "cannot listen on UDP " + address.getAddress().getHostAddress() + ":" + address.getPort();
            UsageException.refuseIf(!isOfThisMachine(address.getAddress()),
                what + ": this machine has no such address: give one of its own");
            throw new HostDriverException(HostDriverException.Reason.PORT_IN_USE, what + " (" + ex.getMessage() +
                "); stop what uses it or choose another port", ex);
        }
    }

    private static boolean isOfThisMachine(final InetAddress address)
    {
        try
        {
            return address.isAnyLocalAddress() || address.isLoopbackAddress() ||
                null != NetworkInterface.getByInetAddress(address);
        }
        catch (final SocketException ignore)
        {
            // nobody can say: what the system said of the port must do
            return true;
        }
    }

    /**
     * Check a list of coordinators.
     *
     * @return host:port of each, by member id.
     * @throws UsageException if there are not one or three, or an address is wrong.
     */
    public List<String> coordinators(final String hostPorts)
    {
        final List<String> endpoints = List.of(hostPorts.split(","));
        UsageException.refuseIf(1 != endpoints.size() && MAX_COORDINATORS != endpoints.size(),
            "invalid coordinators '" + hostPorts + "': name one or three, as host:port,...");
        endpoints.forEach(this::check);

        return endpoints;
    }
}
