// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.archive.ArchiveThreadingMode;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** A host's choice between processor time and latency: how its threads idle, and how soon it gives up a silent peer. */
public enum DriverProfile
{
    /**
     * For a shared machine: threads watch for a while after work and sleep then, and timeouts outlive the pauses of a
     * crowded scheduler.
     */
    DEV,

    /**
     * For a machine with a core to spare for the driver and one for the Archive: threads yield but never sleep, and
     * a silent peer is noticed within half a second.
     */
    LATENCY;

    private static final DriverTimeouts DEV_TIMEOUTS = new DriverTimeouts(
        TimeUnit.MILLISECONDS.toNanos(50),
        TimeUnit.MILLISECONDS.toNanos(50),
        TimeUnit.SECONDS.toNanos(1),
        TimeUnit.SECONDS.toNanos(1),
        TimeUnit.SECONDS.toNanos(2),
        TimeUnit.SECONDS.toNanos(30),
        TimeUnit.SECONDS.toNanos(35));

    private static final DriverTimeouts LATENCY_TIMEOUTS = new DriverTimeouts(
        TimeUnit.MILLISECONDS.toNanos(20),
        TimeUnit.MILLISECONDS.toNanos(20),
        TimeUnit.MILLISECONDS.toNanos(500),
        TimeUnit.MILLISECONDS.toNanos(500),
        TimeUnit.MILLISECONDS.toNanos(500),
        TimeUnit.SECONDS.toNanos(10),
        TimeUnit.SECONDS.toNanos(15));

    /**
     * The profile of a name as users write it, in any case.
     *
     * @param name such as {@code dev}.
     * @return the profile.
     * @throws IllegalArgumentException if there is no such profile; its message lists those there are.
     */
    public static DriverProfile parse(final String name)
    {
        for (final DriverProfile profile : values())
        {
            if (profile.name().equalsIgnoreCase(name))
            {
                return profile;
            }
        }

        throw new IllegalArgumentException("invalid profile=" + name + ": must be one of " +
            Arrays.stream(values()).map((p) -> p.name().toLowerCase(Locale.ROOT)).collect(Collectors.joining(", ")));
    }

    /** The timeouts that fit this profile, in nanoseconds. */
    public DriverTimeouts timeouts()
    {
        return this == DEV ? DEV_TIMEOUTS : LATENCY_TIMEOUTS;
    }

    /** A new idle strategy for an agent of this profile that has its process to itself. */
    public IdleStrategy newIdleStrategy()
    {
        return newIdleStrategy(new WakeupGroup(), WakeupGroup.MAX_DOZE_NS, () -> false);
    }

    /**
     * The idle strategy of an agent of this profile that is one of several in its process.
     *
     * @param group      of the agents.
     * @param maxSleepNs longest sleep in nanoseconds while no other agent of the group does work.
     * @param isHurried  asked by the agent's thread: may somebody outside of the group give it work now?
     * @return a new strategy.
     */
    public IdleStrategy newIdleStrategy(
        final WakeupGroup group, final long maxSleepNs, final BooleanSupplier isHurried)
    {
        return this == DEV ? group.join(maxSleepNs, isHurried) : YieldingIdleStrategy.INSTANCE;
    }

    ArchiveThreadingMode archiveThreadingMode()
    {
        return ArchiveThreadingMode.SHARED;
    }

    /**
     * The waits of a media driver that decide how soon a silent peer is given up; all in nanoseconds.
     *
     * @param timerIntervalNs         how often the driver looks at its timeouts.
     * @param statusMessageNs         how often a receiver reports; adds five of these to the time of noticing a loss.
     * @param imageLivenessNs         silence after which an image is gone.
     * @param publicationConnectionNs silence of all receivers after which a publication is not connected.
     * @param receiverNs              silence after which flow control forgets a receiver.
     * @param clientLivenessNs        silence after which the driver closes what a client owned. A long pause of a
     *                                client must stay below it, or the client is closed when it wakes.
     * @param publicationUnblockNs    age at which an unfinished claim in a log is skipped; above clientLivenessNs.
     */
    public record DriverTimeouts(
        long timerIntervalNs,
        long statusMessageNs,
        long imageLivenessNs,
        long publicationConnectionNs,
        long receiverNs,
        long clientLivenessNs,
        long publicationUnblockNs)
    {
    }
}
