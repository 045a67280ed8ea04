/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.cli;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.gradstream.codecs.PartitionMap;

/**
 * Addresses that processes listen on: checked before anything opens, and chosen for a local cluster.
 */
final class Endpoints
{
    static final String LOOPBACK = "127.0.0.1";
    static final int MAX_COORDINATORS = 3;

    private static final int MAX_PORT = 65_535;
    private static final int MIN_RANGE_PORT = 20_000;
    private static final int MIN_SERVER_PORT = 26_000;
    private static final int MAX_SERVER_PORT = 32_000;

    private Endpoints()
    {
    }

    /**
     * Check a list of servers and make the static map of it.
     *
     * @throws UsageException if an address is malformed, or not of this machine and plain text was not accepted.
     */
    static PartitionMap partitionMap(final String servers, final int partitions, final boolean isPlaintextAccepted)
    {
        final PartitionMap map;
        try
        {
            map = PartitionMap.fixed(partitions, servers);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new UsageException(ex.getMessage());
        }
        for (final PartitionMap.Node node : map.nodes())
        {
            check(node.endpoint(), isPlaintextAccepted);
        }

        return map;
    }

    /**
     * Check that an address is of this machine only, unless plain text was accepted.
     *
     * @return the address, resolved.
     */
    static InetSocketAddress check(final String endpoint, final boolean isPlaintextAccepted)
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
            if (!address.isLoopbackAddress() && !isPlaintextAccepted)
            {
                throw new UsageException("endpoint '" + endpoint + "' is not a loopback address: Aeron's UDP is not" +
                    " encrypted or authenticated; use it on a private network only and say --accept-plaintext");
            }
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
     * @throws UsageException if the port is in use or the address is not of this machine.
     */
    static void checkFree(final InetSocketAddress address)
    {
        try (DatagramSocket socket = new DatagramSocket(address))
        {
            socket.getLocalPort();
        }
        catch (final IOException ex)
        {
            throw new UsageException("cannot listen on UDP " + address.getAddress().getHostAddress() + ":" +
                address.getPort() + " (" + ex.getMessage() + "): choose a free port of this machine");
        }
    }

    /**
     * Choose free UDP ports of the loopback address for servers. They are below those that the system gives away by
     * itself: nobody else gets the port of a server that is to be started again.
     *
     * @param count of ports.
     * @return host:port of each.
     * @throws IOException if there are none.
     */
    static List<String> freeLoopback(final int count) throws IOException
    {
        return freeRanges(count, 1, MIN_SERVER_PORT, MAX_SERVER_PORT);
    }

    /**
     * Choose free ranges of UDP ports of the loopback address, apart from those for servers.
     *
     * @param count of ranges.
     * @param width consecutive ports of each.
     * @return host:port of the first port of each.
     * @throws IOException if there are none.
     */
    static List<String> freeLoopbackRanges(final int count, final int width) throws IOException
    {
        return freeRanges(count, width, MIN_RANGE_PORT, MIN_SERVER_PORT);
    }

    private static List<String> freeRanges(final int count, final int width, final int min, final int max)
        throws IOException
    {
        final List<String> endpoints = new ArrayList<>();
        final int ranges = (max - min) / width;
        final int first = new Random().nextInt(ranges);
        for (int i = 0; i < ranges && endpoints.size() < count; i++)
        {
            final int port = min + (first + i) % ranges * width;
            if (isRangeFree(port, width))
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

    private static boolean isRangeFree(final int port, final int width)
    {
        for (int i = 0; i < width; i++)
        {
            try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(LOOPBACK, port + i)))
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

    /**
     * Check a list of coordinators.
     *
     * @return host:port of each, by member id.
     * @throws UsageException if there are not one or three, or an address is wrong.
     */
    static List<String> coordinators(final String hostPorts, final boolean isPlaintextAccepted)
    {
        final List<String> endpoints = List.of(hostPorts.split(","));
        if (1 != endpoints.size() && MAX_COORDINATORS != endpoints.size())
        {
            throw new UsageException("invalid coordinators '" + hostPorts + "': name one or three, as host:port,...");
        }
        endpoints.forEach((endpoint) -> check(endpoint, isPlaintextAccepted));

        return endpoints;
    }
}
