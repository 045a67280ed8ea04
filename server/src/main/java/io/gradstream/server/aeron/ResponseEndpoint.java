// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.aeron;

import io.aeron.ChannelUri;
import io.aeron.CommonContext;

import java.util.regex.Pattern;

/**
 * Reads where a worker wants its answers; only plain UDP to one host is accepted, since the text comes from outside.
 */
final class ResponseEndpoint
{
    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,3})(\\.\\d{1,3}){3}:(\\d{1,5})");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9.-]{0,252}:(\\d{1,5})");
    private static final Pattern IPV6 = Pattern.compile("\\[(?![fF]{2})[0-9a-fA-F:.]{2,45}]:(\\d{1,5})");
    private static final int FIRST_MULTICAST = 224;
    private static final int MAX_PORT = 65_535;

    private ResponseEndpoint()
    {
    }

    /**
     * The endpoint of a channel.
     *
     * @param channel from the worker.
     * @return host:port, or null if the channel is anything but aeron:udp with a unicast endpoint.
     */
    static String parse(final String channel)
    {
        final ChannelUri uri;
        try
        {
            uri = ChannelUri.parse(channel);
        }
        catch (final RuntimeException ex)
        {
            // whatever the parser thinks of it, it is not a channel
            return null;
        }
        final String endpoint = uri.get(CommonContext.ENDPOINT_PARAM_NAME);
        if (!uri.prefix().isEmpty() || !uri.isUdp() || null == endpoint || !isPort(endpoint))
        {
            return null;
        }

        return isUnicastNumbers(endpoint) || NAME.matcher(endpoint).matches() || IPV6.matcher(endpoint).matches() ?
            endpoint : null;
    }

    private static boolean isUnicastNumbers(final String endpoint)
    {
        if (!NUMBERS.matcher(endpoint).matches())
        {
            return false;
        }
        for (final String number : endpoint.substring(0, endpoint.indexOf(':')).split("\\."))
        {
            if (Integer.parseInt(number) > 255)
            {
                return false;
            }
        }

        final int first = Integer.parseInt(endpoint.substring(0, endpoint.indexOf('.')));
        return first > 0 && first < FIRST_MULTICAST;
    }

    private static boolean isPort(final String endpoint)
    {
        final String port = endpoint.substring(endpoint.lastIndexOf(':') + 1);
        if (!port.matches("\\d{1,5}"))
        {
            return false;
        }

        final int number = Integer.parseInt(port);
        return number > 0 && number <= MAX_PORT;
    }
}
