// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.client;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Collections;

/**
 * The length of the datagrams of a UDP channel, chosen so that IP need not cut them: one lost fragment loses all of a
 * datagram. A longer message travels as several fragments of Aeron's, of which a lost one is sent again alone.
 * <p>
 * The length of a log's frames is another thing: it is the same wherever a log is kept, whatever the network.
 */
public final class ChannelMtu
{
    /** In a setting: take what fits the interface. */
    public static final int OF_INTERFACE = 0;
    /** Shortest: less than any interface for IPv6 takes. */
    public static final int MIN_LENGTH = 1024;
    /** Longest that Aeron sends. */
    public static final int MAX_LENGTH = 65_504;
    /** Longest unless it is set, also where an interface takes more, as loopback does. */
    public static final int MAX_DEFAULT_LENGTH = 8192;

    private static final int ALIGNMENT = 32;
    private static final int IPV4_AND_UDP_HEADERS = 28;
    private static final int IPV6_AND_UDP_HEADERS = 48;

    private ChannelMtu()
    {
    }

    /**
     * The longest datagram that fits the interface that holds an address.
     *
     * @param hostPort of this machine, as in a channel; with an address of no interface, as 0.0.0.0, any interface may
     *                 be used.
     * @return a multiple of 32 from {@link #MIN_LENGTH} to {@link #MAX_DEFAULT_LENGTH}.
     */
    public static int of(final String hostPort)
    {
        final String host = hostPort.substring(0, hostPort.lastIndexOf(':')).replaceAll("[\\[\\]]", "");
        try
        {
            final InetAddress address = InetAddress.getByName(host);
            final NetworkInterface owner = NetworkInterface.getByInetAddress(address);
            return null == owner ? ofHost() : fitting(owner.getMTU(), address instanceof Inet6Address);
        }
        catch (final UnknownHostException | SocketException ex)
        {
            return ofHost();
        }
    }

    /**
     * The longest datagram that fits every interface of this machine that leads out of it.
     *
     * @return a multiple of 32 from {@link #MIN_LENGTH} to {@link #MAX_DEFAULT_LENGTH}.
     */
    public static int ofHost()
    {
        int length = MAX_DEFAULT_LENGTH;
        try
        {
            for (final NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces()))
            {
                if (each.isUp() && !each.isLoopback())
                {
                    final boolean isIpv6 = each.inetAddresses().anyMatch((address) -> address instanceof Inet6Address);
                    length = Math.min(length, fitting(each.getMTU(), isIpv6));
                }
            }
            return length;
        }
        catch (final SocketException ex)
        {
            return MIN_LENGTH;
        }
    }

    /** True for {@link #OF_INTERFACE} and for what channels take. */
    public static boolean isAllowed(final int length)
    {
        return OF_INTERFACE == length || length >= MIN_LENGTH && length <= MAX_LENGTH && 0 == length % ALIGNMENT;
    }

    /** The values that {@link #isAllowed} allows, as a phrase that follows "must be". */
    public static String allowed()
    {
        return "a multiple of " + ALIGNMENT + " from " + MIN_LENGTH + " to " + MAX_LENGTH +
            " (1472 fits Ethernet), or " + OF_INTERFACE + " for what fits the interface";
    }

    static int fitting(final int interfaceMtu, final boolean isIpv6)
    {
        final int payload = interfaceMtu - (isIpv6 ? IPV6_AND_UDP_HEADERS : IPV4_AND_UDP_HEADERS);
        return Math.max(MIN_LENGTH, Math.min(MAX_DEFAULT_LENGTH, payload - payload % ALIGNMENT));
    }
}
