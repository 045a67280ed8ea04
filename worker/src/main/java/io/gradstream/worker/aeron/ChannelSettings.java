// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.aeron;

import io.aeron.ChannelUriStringBuilder;
import io.aeron.CommonContext;
import io.gradstream.codecs.Streams;
import io.gradstream.driver.client.ChannelMtu;

import static io.gradstream.worker.client.ClientSettings.check;

/**
 * The Aeron channels and streams of a client.
 *
 * @param ingressStreamId  of requests.
 * @param responseStreamId of answers.
 * @param responseEndpoint host:port where answers come in.
 * @param termLength       of requests.
 * @param mtu              longest datagram of requests; 0 for what fits the interface of the endpoint.
 */
public record ChannelSettings(
    int ingressStreamId, int responseStreamId, String responseEndpoint, int termLength, int mtu)
{
    /** Stream of requests unless set otherwise. */
    public static final int INGRESS_STREAM_ID = Streams.INGRESS;
    /** Stream of answers unless set otherwise. */
    public static final int RESPONSE_STREAM_ID = Streams.RESPONSE;

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException if one is wrong; it names property, value and what is allowed.
     */
    public ChannelSettings
    {
        check(Integer.bitCount(termLength) == 1 && termLength >= 64 * 1024, "termLength", termLength,
            "a power of two of at least 65536");
        check(ChannelMtu.isAllowed(mtu), "mtu", mtu, ChannelMtu.allowed());
        check(responseEndpoint.matches(".+:\\d{1,5}"), "responseEndpoint", responseEndpoint, "host:port");
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
            .mtu(mtu)
            .build();
    }

    String responseChannel()
    {
        return new ChannelUriStringBuilder().media(CommonContext.UDP_MEDIA).endpoint(responseEndpoint).build();
    }
}
