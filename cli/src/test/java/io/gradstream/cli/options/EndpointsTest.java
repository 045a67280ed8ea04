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
package io.gradstream.cli.options;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;

import io.gradstream.driver.client.HostDriverException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

class EndpointsTest
{
    @Test
    void shouldFailWithTheSameExitCodeAsACoordinatorWhereThePortIsTaken() throws Exception
    {
        try (DatagramSocket taken = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            final InetSocketAddress address =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), taken.getLocalPort());

            final Throwable refused = catchThrowable(() -> Endpoints.checkFree(address));

            assertThat(refused).isInstanceOf(HostDriverException.class)
                .hasMessageContaining("cannot listen on UDP 127.0.0.1:" + taken.getLocalPort());
            assertThat(Failures.exitCodeOf(refused)).isEqualTo(Failures.EXIT_FAILED);
        }
    }

    @Test
    void shouldRefuseAnAddressOfAnotherMachine()
    {
        assertThatThrownBy(() -> Endpoints.checkFree(new InetSocketAddress("192.0.2.1", 9)))
            .isInstanceOf(UsageException.class).hasMessageContaining("is no address of this machine");
    }
}
