// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.aeron.Aeron;
import io.aeron.DriverProxy;
import io.aeron.status.HeartbeatTimestamp;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.status.CountersReader;

/**
 * Clients that a killed process has left to a media driver which outlived it.
 * <p>
 * The driver keeps their streams until it gives the clients up, up to 30 s later. For so long the next process at the
 * same endpoint hears nothing of the senders that were there before: the receiver waits for the slowest of its
 * subscribers, and a dead one reads nothing.
 */
public final class AbandonedClients
{
    /** Longest wait for the driver, which looks at its clients every second. */
    static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long POLL_MS = 10;

    private AbandonedClients()
    {
    }

    /**
     * Close the clients of a name as their process would have closed them, and wait until the driver has removed their
     * streams. A client that was killed within half a second of its start has shown no name yet, and stays until it
     * times out.
     *
     * @param directory of a driver that runs.
     * @param name      that all clients of a process have, and those of no process that lives.
     * @return how many there were; the driver may not have removed all of them, if it needs more than 5 s.
     */
    public static int close(final String directory, final String name)
    {
        final Aeron.Context probe = new Aeron.Context();
        try
        {
            probe.aeronDirectoryName(directory).epochClock(HostClock.of(directory)).conclude();
            final CountersReader counters =
                new CountersReader(probe.countersMetaDataBuffer(), probe.countersValuesBuffer());
            final List<Long> clients = clientsOf(counters, name);
            clients.forEach((clientId) -> new DriverProxy(probe.toDriverBuffer(), clientId).clientClose());
            awaitGone(counters, name);

            return clients.size();
        }
        finally
        {
            probe.close();
        }
    }

    private static void awaitGone(final CountersReader counters, final String name)
    {
        final SleepingMillisIdleStrategy idleStrategy = new SleepingMillisIdleStrategy(POLL_MS);
        final long deadlineNs = System.nanoTime() + CLOSE_TIMEOUT_NS;
        while (!clientsOf(counters, name).isEmpty() && System.nanoTime() - deadlineNs < 0)
        {
            idleStrategy.idle();
        }
    }

    private static List<Long> clientsOf(final CountersReader counters, final String name)
    {
        final List<Long> clients = new ArrayList<>();
        final String shown = " name=" + name + " ";
        counters.forEach((counterId, typeId, key, label) ->
        {
            if (HeartbeatTimestamp.HEARTBEAT_TYPE_ID == typeId && label.contains(shown))
            {
                clients.add(key.getLong(HeartbeatTimestamp.REGISTRATION_ID_OFFSET));
            }
        });

        return clients;
    }
}
