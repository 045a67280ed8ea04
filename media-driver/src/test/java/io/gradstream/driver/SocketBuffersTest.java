// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.gradstream.driver.client.ChannelMtu;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SocketBuffersTest
{
    @Test
    void shouldLetAllSendersTogetherFillTheBufferAndNoMore()
    {
        final SocketBuffers buffers = new SocketBuffers(2 * 1024 * 1024, 2 * 1024 * 1024);

        assertThat(buffers.windowLength(1472)).isEqualTo(128 * 1024);
        assertThat(buffers.windowLength(1472) * ChannelMtu.STREAMS_AT_ONCE).isEqualTo(buffers.receiveLength());
        assertThat(buffers.advice(2 * 1024 * 1024)).isNull();
    }

    @Test
    void shouldHaveRoomForTheLongestDatagramWhereTheKernelGrantsLittle()
    {
        final SocketBuffers buffers = new SocketBuffers(212_992, 212_992);

        assertThat(buffers.windowLength(1472)).isEqualTo(Math.max(16 * 1024, ChannelMtu.onLoopback()));
        assertThat(buffers.windowLength(ChannelMtu.MAX_LENGTH)).isEqualTo(ChannelMtu.MAX_LENGTH);
        assertThat(buffers.advice(2 * 1024 * 1024)).contains("212992 of 2097152", "net.core.rmem_max=2097152");
    }
}
