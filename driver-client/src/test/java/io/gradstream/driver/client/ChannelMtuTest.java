// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.client;

import java.net.NetworkInterface;
import java.net.SocketException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ChannelMtuTest
{
    @Test
    void shouldTakeTheLargestThatFitsBehindTheHeaders()
    {
        assertThat(ChannelMtu.fitting(1500, false, 8192)).isEqualTo(1472);
        assertThat(ChannelMtu.fitting(1500, true, 8192)).isEqualTo(1440);
        assertThat(ChannelMtu.fitting(1400, false, 8192)).isEqualTo(1344);
        assertThat(ChannelMtu.fitting(1280, true, 8192)).isEqualTo(1216);
    }

    @Test
    void shouldTakeNoMoreThanTheDefaultWhereAnInterfaceTakesMore()
    {
        assertThat(ChannelMtu.fitting(9000, false, 8192)).isEqualTo(8192);
        assertThat(ChannelMtu.fitting(65_536, false, 8192)).isEqualTo(8192);
    }

    /** Two datagrams of each of 16 streams fit into what the kernel grants; usual networks' length does in any case. */
    @Test
    void shouldSendLongerOnesOnLoopbackWhereTheKernelGrantsMemoryForThem()
    {
        assertThat(ChannelMtu.onLoopback(2 * 1024 * 1024)).isEqualTo(ChannelMtu.MAX_LENGTH);
        assertThat(ChannelMtu.onLoopback(1024 * 1024)).isEqualTo(32 * 1024);
        assertThat(ChannelMtu.onLoopback(212_992)).isEqualTo(8192);
        assertThat(ChannelMtu.of("127.0.0.1:0")).isEqualTo(ChannelMtu.onLoopback());
        assertThat(ChannelMtu.isAllowed(ChannelMtu.onLoopback())).isTrue();
    }

    @Test
    void shouldSendNoLongerOneThanTheTermTakes()
    {
        assertThat(ChannelMtu.within(ChannelMtu.MAX_LENGTH, 1024 * 1024)).isEqualTo(ChannelMtu.MAX_LENGTH);
        assertThat(ChannelMtu.within(ChannelMtu.MAX_LENGTH, 64 * 1024)).isEqualTo(8192);
    }

    @Test
    void shouldTakeTheLeastWhereAnInterfaceTakesLess()
    {
        assertThat(ChannelMtu.fitting(576, false, 8192)).isEqualTo(ChannelMtu.MIN_LENGTH);
    }

    @Test
    void shouldFitEveryInterfaceWhereTheAddressIsOfNone() throws SocketException
    {
        assertThat(ChannelMtu.of("0.0.0.0:0")).isEqualTo(ChannelMtu.ofHost());
        for (final NetworkInterface each : NetworkInterface.networkInterfaces().toList())
        {
            if (each.isUp() && !each.isLoopback())
            {
                assertThat(ChannelMtu.ofHost()).isLessThanOrEqualTo(ChannelMtu.fitting(each.getMTU(), false, 8192));
            }
        }
    }

    @Test
    void shouldAllowMultiplesOfThirtyTwoAndTheDefault()
    {
        assertThat(ChannelMtu.isAllowed(ChannelMtu.OF_INTERFACE)).isTrue();
        assertThat(ChannelMtu.isAllowed(1472)).isTrue();
        assertThat(ChannelMtu.isAllowed(65_504)).isTrue();
        assertThat(ChannelMtu.isAllowed(1500)).isFalse();
        assertThat(ChannelMtu.isAllowed(992)).isFalse();
        assertThat(ChannelMtu.isAllowed(65_536)).isFalse();
    }
}
