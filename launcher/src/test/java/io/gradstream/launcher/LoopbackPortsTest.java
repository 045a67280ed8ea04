// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LoopbackPortsTest
{
    @Test
    void shouldClaimWhatItChooses() throws IOException
    {
        final int port = port(LoopbackPorts.freeRanges(1, 4).get(0));

        assertThatThrownBy(() -> new ServerSocket(port, 1, InetAddress.getLoopbackAddress()))
            .as("another process that chooses").isInstanceOf(IOException.class);
        try (DatagramSocket socket = new DatagramSocket(port, InetAddress.getLoopbackAddress()))
        {
            assertThat(socket.getLocalPort()).as("to be used").isEqualTo(port);
        }
    }

    @Test
    void shouldGiveUpTheOldestClaims() throws IOException
    {
        final int first = port(LoopbackPorts.free(1).get(0));
        final List<String> later = new ArrayList<>();
        while (later.size() < LoopbackPorts.MAX_CLAIMS)
        {
            later.addAll(LoopbackPorts.free(1));
        }

        assertThat(later).doesNotHaveDuplicates();
        try (ServerSocket claim = new ServerSocket(first, 1, InetAddress.getLoopbackAddress()))
        {
            assertThat(claim.getLocalPort()).isEqualTo(first);
        }
    }

    private static int port(final String endpoint)
    {
        return Integer.parseInt(endpoint.substring(endpoint.indexOf(':') + 1));
    }
}
