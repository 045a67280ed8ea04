// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.session;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One member's address: a host and the first of the consecutive UDP ports it listens on.
 *
 * @param host name or address, an IPv6 one in brackets.
 * @param port the first port, on which clients speak to it.
 */
public record MemberEndpoint(String host, int port)
{
    /** Offset of the port on which clients speak to the member. */
    public static final int INGRESS = 0;
    /** Offset of the port on which members agree. */
    public static final int CONSENSUS = 1;
    /** Offset of the port of the Archive, the last one. */
    public static final int ARCHIVE = 4;
    /** Consecutive ports of a member: log and catch-up are before the last. */
    public static final int PORTS = 5;

    private static final int MAX_PORT = 65535;

    /**
     * Read the addresses of a whole cluster.
     *
     * @param setting   its name, for messages.
     * @param hostPorts {@code host:port} of each member, in the order of their ids.
     * @return the addresses.
     * @throws IllegalArgumentException if their number, one of them, or two of them together are wrong.
     */
    public static List<MemberEndpoint> parseAll(final String setting, final List<String> hostPorts)
    {
        MemberCheck.requirePresent(setting, hostPorts);
        if (1 != hostPorts.size() && 3 != hostPorts.size())
        {
            throw MemberCheck.invalid(setting, hostPorts, "must be 1 or 3 of host:port");
        }

        final List<MemberEndpoint> endpoints = new ArrayList<>(hostPorts.size());
        for (final String hostPort : hostPorts)
        {
            final MemberEndpoint endpoint = parse(setting, hostPort);
            if (endpoints.stream().anyMatch(endpoint::overlaps))
            {
                throw MemberCheck.invalid(setting, hostPorts,
                    "each member needs " + PORTS + " consecutive ports of its own, from its port on");
            }
            endpoints.add(endpoint);
        }

        return List.copyOf(endpoints);
    }

    private static MemberEndpoint parse(final String setting, final String hostPort)
    {
        final int colon = null == hostPort ? -1 : hostPort.lastIndexOf(':');
        if (colon > 0 && hostPort.indexOf(',') < 0 && hostPort.indexOf('|') < 0)
        {
            try
            {
                final int port = Integer.parseInt(hostPort.substring(colon + 1));
                if (port > 0 && port <= MAX_PORT - PORTS + 1)
                {
                    return new MemberEndpoint(hostPort.substring(0, colon), port);
                }
            }
            catch (final NumberFormatException ignore)
            {
                // Refused below, as any other wrong address.
            }
        }

        throw MemberCheck.invalid(setting, hostPort, "must be host:port, port 1.." + (MAX_PORT - PORTS + 1));
    }

    private boolean overlaps(final MemberEndpoint other)
    {
        return host.equals(other.host) && Math.abs(port - other.port) < PORTS;
    }

    /**
     * The address of one of the ports.
     *
     * @param offset such as {@link #ARCHIVE}.
     * @return {@code host:port}.
     */
    public String at(final int offset)
    {
        return host + ':' + (port + offset);
    }

    /** All members as they are named to clients, such as {@code 0=host:port,1=host:port,2=host:port}. */
    public static String ingress(final List<MemberEndpoint> members)
    {
        return IntStream.range(0, members.size()).mapToObj((id) -> id + "=" + members.get(id).at(INGRESS))
            .collect(Collectors.joining(","));
    }

    /**
     * All members as Aeron's consensus module wants them.
     *
     * @param endpoints in the order of the members' ids.
     * @return one line.
     */
    public static String clusterMembers(final List<MemberEndpoint> endpoints)
    {
        final StringBuilder members = new StringBuilder();
        for (int id = 0; id < endpoints.size(); id++)
        {
            final MemberEndpoint endpoint = endpoints.get(id);
            members.append(id);
            for (int offset = INGRESS; offset < PORTS; offset++)
            {
                members.append(',').append(endpoint.at(offset));
            }
            members.append('|');
        }

        return members.toString();
    }
}
