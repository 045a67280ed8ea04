// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.aeron;

import io.aeron.ChannelUriStringBuilder;
import io.aeron.CommonContext;
import io.gradstream.codecs.Check;
import io.gradstream.driver.client.ChannelMtu;

/**
 * The Aeron channels of a client.
 *
 * @param responseEndpoint host:port where answers come in.
 * @param termLength       of requests.
 * @param mtu              longest datagram of requests; 0 for what fits the interface of the endpoint.
 */
public record ChannelSettings(String responseEndpoint, int termLength, int mtu)
{
    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException if one is wrong; it names property, value and what is allowed.
     */
    public ChannelSettings
    {
        Check.that(Integer.bitCount(termLength) == 1 && termLength >= 64 * 1024, "termLength", termLength,
            "a power of two of at least 65536");
        Check.that(ChannelMtu.isAllowed(mtu), "mtu", mtu, ChannelMtu.allowed());
        Check.that(responseEndpoint.matches(".+:\\d{1,5}"), "responseEndpoint", responseEndpoint, "host:port");
        mtu = ChannelMtu.OF_INTERFACE == mtu ? ChannelMtu.of(responseEndpoint) : mtu;
    }

    /** Longest message that Aeron takes. */
    public static int maxMessageLength(final int termLength)
    {
        return Math.min(termLength / 8, 16 * 1024 * 1024);
    }

    String ingressChannel(final String endpoint)
    {
        return new ChannelUriStringBuilder()
            .media(CommonContext.UDP_MEDIA)
            .endpoint(endpoint)
            .termLength(termLength)
            .mtu(ChannelMtu.within(mtu, termLength))
            .build();
    }

    String responseChannel()
    {
        return new ChannelUriStringBuilder().media(CommonContext.UDP_MEDIA).endpoint(responseEndpoint).build();
    }
}
