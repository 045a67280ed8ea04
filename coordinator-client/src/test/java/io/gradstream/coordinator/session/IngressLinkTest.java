// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.session;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import org.agrona.ErrorHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class IngressLinkTest
{
    private static final String ENDPOINT = "127.0.0.1:0";
    private static final int STREAM_ID = 101;
    private static final long CONNECTION_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);

    private final ErrorHandler errorHandler = (error) ->
    {
        throw new AssertionError(error);
    };

    @Test
    void shouldTakeANewStreamWhenTheMemberLostTheOneItHad()
    {
        try (MediaDriver driver = MediaDriver.launchEmbedded(new MediaDriver.Context()
                .threadingMode(ThreadingMode.SHARED)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .publicationConnectionTimeoutNs(CONNECTION_TIMEOUT_NS));
            Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
            // as a cluster's member listens
            Subscription member = aeron.addSubscription("aeron:udp?rejoin=false|endpoint=" + ENDPOINT, STREAM_ID))
        {
            await(() -> null != member.tryResolveChannelEndpointPort());
            try (IngressLink link = new IngressLink(
                aeron, errorHandler, member.tryResolveChannelEndpointPort(), STREAM_ID, RETRY_NS))
            {
                await(() -> null != link.poll(System.nanoTime()) && 1 == member.imageCount());
                final ExclusivePublication lost = link.poll(System.nanoTime());
                member.imageAtIndex(0).reject("lost");
                await(() -> !lost.isConnected());

                await(() -> null != link.poll(System.nanoTime()));
                assertThat(link.poll(System.nanoTime())).isNotSameAs(lost);
                assertThat(lost.isClosed()).isTrue();
            }
        }
    }

    private static void await(final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
            Thread.yield();
        }
    }
}
