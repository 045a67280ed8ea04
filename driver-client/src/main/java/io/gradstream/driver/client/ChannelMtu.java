// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.client;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
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
    /** Longest that leaves a machine unless it is set, also where an interface takes more. */
    public static final int MAX_DEFAULT_LENGTH = 8192;
    /** Bytes of a socket's buffers that drivers ask the kernel for unless told otherwise. */
    public static final int SOCKET_BUFFER_LENGTH = 2 * 1024 * 1024;
    /**
     * Streams that may come in at a socket at once without losing a datagram while nobody reads it: workers and
     * neighbours, more of them while a node catches up. What is lost is sent again and may be lost again, with the
     * heartbeats in between.
     */
    public static final int STREAMS_AT_ONCE = 16;

    private static final int ALIGNMENT = 32;
    private static final int IPV4_AND_UDP_HEADERS = 28;
    private static final int IPV6_AND_UDP_HEADERS = 48;
    /** Datagrams that a stream may have under way at least: one is read while the next one comes. */
    private static final int DATAGRAMS_UNDER_WAY = 2;
    private static final int LOOPBACK_LENGTH = ofLoopback();

    private ChannelMtu()
    {
    }

    /**
     * The longest datagram that fits the interface that holds an address. One that stays on this machine may be longer,
     * as far as the kernel grants sockets memory for it.
     *
     * @param hostPort of this machine, as in a channel; with an address of no interface, as 0.0.0.0, any interface may
     *                 be used.
     * @return a multiple of 32 from {@link #MIN_LENGTH} to {@link #MAX_DEFAULT_LENGTH}, on loopback to
     * {@link #MAX_LENGTH}.
     */
    public static int of(final String hostPort)
    {
        final String host = hostPort.substring(0, hostPort.lastIndexOf(':')).replaceAll("[\\[\\]]", "");
        try
        {
            final InetAddress address = InetAddress.getByName(host);
            final NetworkInterface owner = NetworkInterface.getByInetAddress(address);
            return null == owner ? ofHost() : fitting(owner.getMTU(), address instanceof Inet6Address,
                owner.isLoopback() ? LOOPBACK_LENGTH : MAX_DEFAULT_LENGTH);
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
                    length = Math.min(length, fitting(each.getMTU(), isIpv6, MAX_DEFAULT_LENGTH));
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

    /** The longest datagram of a channel with terms of a length: Aeron takes no message beyond an eighth of a term. */
    public static int within(final int length, final int termLength)
    {
        return Math.min(length, termLength / 8);
    }

    /** The longest datagram that processes of this machine send each other unless it is set. */
    public static int onLoopback()
    {
        return LOOPBACK_LENGTH;
    }

    static int fitting(final int interfaceMtu, final boolean isIpv6, final int maxLength)
    {
        final int payload = interfaceMtu - (isIpv6 ? IPV6_AND_UDP_HEADERS : IPV4_AND_UDP_HEADERS);
        return Math.max(MIN_LENGTH, Math.min(maxLength, payload - payload % ALIGNMENT));
    }

    static int onLoopback(final int receiveLength)
    {
        final int share = receiveLength / STREAMS_AT_ONCE / DATAGRAMS_UNDER_WAY;
        return Math.max(MAX_DEFAULT_LENGTH, Math.min(MAX_LENGTH, share - share % ALIGNMENT));
    }

    private static int ofLoopback()
    {
        // Other systems send no UDP datagram of that length, unless they are set up for it.
        if (!System.getProperty("os.name", "").startsWith("Linux"))
        {
            return MAX_DEFAULT_LENGTH;
        }
        try (DatagramChannel channel = DatagramChannel.open())
        {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_LENGTH);
            return onLoopback(Math.min(SOCKET_BUFFER_LENGTH, channel.getOption(StandardSocketOptions.SO_RCVBUF)));
        }
        catch (final IOException ex)
        {
            return MAX_DEFAULT_LENGTH;
        }
    }
}
