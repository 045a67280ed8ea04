// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import io.gradstream.coordinator.session.MemberEndpoint;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds UDP ports of this machine that nobody uses now.
 */
final class FreePorts
{
    private static final int MIN_PORT = 12_000;
    private static final int MAX_PORT = 30_000;
    private static final int MAX_TRIES = 100;

    private FreePorts()
    {
    }

    /**
     * Addresses of members, each with as many free consecutive ports as a member needs.
     */
    static List<String> members(final int count) throws IOException
    {
        final int length = count * MemberEndpoint.PORTS;
        for (int i = 0; i < MAX_TRIES; i++)
        {
            final int base = ThreadLocalRandom.current().nextInt(MIN_PORT, MAX_PORT);
            if (areFree(base, length))
            {
                final List<String> members = new ArrayList<>();
                for (int id = 0; id < count; id++)
                {
                    members.add("127.0.0.1:" + (base + id * MemberEndpoint.PORTS));
                }
                return members;
            }
        }

        throw new IOException("no " + length + " consecutive UDP ports are free");
    }

    private static boolean areFree(final int base, final int length)
    {
        for (int port = base; port < base + length; port++)
        {
            try (DatagramSocket socket = new DatagramSocket(null))
            {
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            }
            catch (final IOException ex)
            {
                return false;
            }
        }

        return true;
    }
}
