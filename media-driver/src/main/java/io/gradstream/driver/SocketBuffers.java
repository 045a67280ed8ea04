// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.gradstream.driver.client.ChannelMtu;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;

/**
 * The socket buffers the kernel grants of those the settings ask for: a receiver window larger than its buffer is
 * refused by Aeron when the first image comes, long after the start.
 *
 * @param receiveLength bytes granted for receiving.
 * @param sendLength    bytes granted for sending.
 */
record SocketBuffers(int receiveLength, int sendLength)
{
    /**
     * Bytes that each sender may be ahead of what is read: a share of the buffer, but the longest datagrams must fit.
     *
     * @param mtuLength of the driver; others may send as long ones as are usual somewhere, on this machine too.
     */
    int windowLength(final int mtuLength)
    {
        final int longest = Math.max(Math.max(mtuLength, ChannelMtu.onLoopback()), 2 * ChannelMtu.MAX_DEFAULT_LENGTH);
        return Math.max(longest, receiveLength / ChannelMtu.STREAMS_AT_ONCE);
    }

    /** One line that says what to do where the kernel grants less than was asked for, or null. */
    String advice(final int wantedLength)
    {
        return receiveLength >= wantedLength ? null : "the kernel grants sockets " + receiveLength + " of " +
            wantedLength + " bytes to receive in: streams are slower, and lose more under load. Allow more with" +
            " sysctl -w net.core.rmem_max=" + wantedLength + " net.core.wmem_max=" + wantedLength;
    }

    static SocketBuffers granted(final int wantedLength) throws IOException
    {
        try (DatagramChannel channel = DatagramChannel.open())
        {
            return new SocketBuffers(
                granted(channel, StandardSocketOptions.SO_RCVBUF, wantedLength),
                granted(channel, StandardSocketOptions.SO_SNDBUF, wantedLength));
        }
    }

    private static int granted(
        final DatagramChannel channel, final SocketOption<Integer> option, final int wantedLength) throws IOException
    {
        channel.setOption(option, wantedLength);
        return Math.min(wantedLength, channel.getOption(option));
    }
}
