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
package io.gradstream.worker;

import io.aeron.ChannelUriStringBuilder;
import io.aeron.CommonContext;
import io.gradstream.codecs.PartitionMap;
import io.gradstream.codecs.Streams;
import io.gradstream.driver.ChannelMtu;

import java.util.List;

/**
 * Which Aeron channels and streams a client uses.
 */
final class ChannelSettings
{
    int ingressStreamId = Streams.INGRESS;
    int responseStreamId = Streams.RESPONSE;
    /** Null for this machine's address towards those who answer. */
    String responseEndpoint;
    String coordinatorResponseEndpoint;
    int termLength = 1024 * 1024;
    int mtu = ChannelMtu.OF_INTERFACE;

    void conclude(final PartitionMap map)
    {
        responseEndpoint = null != responseEndpoint ? responseEndpoint :
            OwnAddress.facing(map.nodes().stream().map(PartitionMap.Node::endpoint).toList());
        ClientContext.check(Integer.bitCount(termLength) == 1 && termLength >= 64 * 1024, "termLength", termLength,
            "a power of two of at least 65536");
        ClientContext.check(ChannelMtu.isAllowed(mtu), "mtu", mtu, ChannelMtu.allowed());
        ClientContext.check(responseEndpoint.matches(".+:\\d{1,5}"), "responseEndpoint",
            responseEndpoint, "host:port");
        mtu = ChannelMtu.OF_INTERFACE == mtu ? ChannelMtu.of(responseEndpoint) : mtu;
    }

    String coordinatorResponseEndpoint(final List<String> coordinators)
    {
        return null != coordinatorResponseEndpoint ? coordinatorResponseEndpoint : OwnAddress.facing(coordinators);
    }

    int maxMessageLength()
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

    String responseChannel(final String endpoint)
    {
        return new ChannelUriStringBuilder().media(CommonContext.UDP_MEDIA).endpoint(endpoint).build();
    }
}
