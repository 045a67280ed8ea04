// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.raw;

import io.aeron.ChannelUriStringBuilder;
import io.aeron.CommonContext;
import io.gradstream.driver.DriverProfile;
import io.gradstream.driver.client.LocalIngress;

import java.util.List;
import java.util.Locale;

/**
 * The channels between the raw rig's two processes: the same lengths and the same idling as client and server.
 *
 * @param profile     of drivers and loops.
 * @param mtu         of both directions in bytes.
 * @param termLength  of both directions in bytes.
 * @param thereEndpoint where the echo process listens, host:port.
 * @param backEndpoint  where this process listens, host:port.
 * @param sharedDriver  directory of the media driver that both processes use, or {@link #OWN_DRIVERS}.
 */
public record RawChannels(
    DriverProfile profile, int mtu, int termLength, String thereEndpoint, String backEndpoint, String sharedDriver)
{
    /** In place of a driver's directory: each process has its own, and they speak over UDP. */
    public static final String OWN_DRIVERS = "own";

    static final int THERE_STREAM_ID = 201;
    static final int BACK_STREAM_ID = 202;

    private static final int ARGUMENTS = 6;

    /** The channels that {@link #arguments()} told of. */
    static RawChannels parse(final String[] args)
    {
        if (ARGUMENTS != args.length)
        {
            throw new IllegalArgumentException("invalid arguments=" + args.length + ": must be profile, MTU, term " +
                "length, two endpoints and a driver; perf load starts this process by itself");
        }
        return new RawChannels(
            DriverProfile.parse(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]), args[3], args[4],
            args[5]);
    }

    List<String> arguments()
    {
        return List.of(profile.name().toLowerCase(Locale.ROOT), Integer.toString(mtu), Integer.toString(termLength),
            thereEndpoint, backEndpoint, sharedDriver);
    }

    boolean isSharing()
    {
        return !OWN_DRIVERS.equals(sharedDriver);
    }

    String there()
    {
        return channel(thereEndpoint);
    }

    String back()
    {
        return channel(backEndpoint);
    }

    private String channel(final String endpoint)
    {
        return isSharing() ? LocalIngress.publicationChannel(termLength) : new ChannelUriStringBuilder()
            .media(CommonContext.UDP_MEDIA)
            .endpoint(endpoint)
            .mtu(mtu)
            .termLength(termLength)
            .build();
    }
}
