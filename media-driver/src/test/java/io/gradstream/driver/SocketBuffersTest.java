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
        assertThat(buffers.windowLength(1472) * SocketBuffers.STREAMS).isEqualTo(buffers.receiveLength());
        assertThat(buffers.advice(2 * 1024 * 1024)).isNull();
    }

    @Test
    void shouldHaveRoomForTheLongestDatagramWhereTheKernelGrantsLittle()
    {
        final SocketBuffers buffers = new SocketBuffers(212_992, 212_992);

        assertThat(buffers.windowLength(1472)).isEqualTo(16 * 1024);
        assertThat(buffers.windowLength(ChannelMtu.MAX_LENGTH)).isEqualTo(ChannelMtu.MAX_LENGTH);
        assertThat(buffers.advice(2 * 1024 * 1024)).contains("212992 of 2097152", "net.core.rmem_max=2097152");
    }
}
