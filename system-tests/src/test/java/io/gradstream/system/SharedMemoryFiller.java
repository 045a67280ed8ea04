// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.exceptions.RegistrationException;
import io.gradstream.driver.HostDriver;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.List;

/**
 * A process that opens streams until its media driver refuses one, and then fills the terms of all.
 */
final class SharedMemoryFiller
{
    private static final String CHANNEL = "aeron:ipc";
    private static final int MAX_STREAMS = 200;
    private static final int LENGTH = 4 * 1024;

    private SharedMemoryFiller()
    {
    }

    /**
     * Run it.
     *
     * @param args none.
     */
    public static void main(final String[] args)
    {
        try (HostDriver host = HostDriver.launch(new HostDriver.Context());
            Aeron aeron = Aeron.connect(host.aeronContext()))
        {
            final List<ExclusivePublication> opened = new ArrayList<>();
            final boolean isRefused = openAll(aeron, opened);
            for (final ExclusivePublication publication : opened)
            {
                fill(publication, aeron.addSubscription(CHANNEL, publication.streamId()));
            }
            System.out.println((isRefused ? "refused after " : "never refused, ") + opened.size() + " streams");
        }
    }

    private static boolean openAll(final Aeron aeron, final List<ExclusivePublication> opened)
    {
        try
        {
            for (int stream = 0; stream < MAX_STREAMS; stream++)
            {
                opened.add(aeron.addExclusivePublication(CHANNEL, stream));
            }

            return false;
        }
        catch (final RegistrationException refused)
        {
            return true;
        }
    }

    private static void fill(final ExclusivePublication publication, final Subscription subscription)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
        final long end = 3L * publication.termBufferLength();
        while (publication.position() < end)
        {
            publication.offer(message, 0, LENGTH);
            subscription.poll((buffer, offset, length, header) -> {}, 10);
        }
    }
}
