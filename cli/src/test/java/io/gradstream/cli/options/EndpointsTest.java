// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
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
            .isInstanceOf(UsageException.class).hasMessageContaining("this machine has no such address");
    }
}
