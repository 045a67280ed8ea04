// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.aeron.Aeron;
import io.gradstream.driver.client.HostClock;
import io.gradstream.driver.client.HostDriverException;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import static io.gradstream.driver.client.HostDriverException.Reason.AERON_DIRECTORY_IN_USE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** A driver whose clock differs from the wall clock is one that started before the wall clock was set. */
@Timeout(20)
class HostClockTest
{
    private static final long TOLERANCE_MS = 1_000;

    private final Path aeronDirectory = AeronDirectory.newDefault();

    @AfterEach
    void removeAeronDirectory()
    {
        IoUtil.delete(aeronDirectory.toFile(), true);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1})
    void shouldConnectWhenTheWallClockWasSetSinceTheDriverStarted(final long hours)
    {
        try (HostDriver host = launch(hours);
            Aeron aeron = Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(host.aeronDirectoryName())
                .epochClock(HostClock.of(host.aeronDirectoryName()))))
        {
            assertThat(aeron.addSubscription("aeron:ipc", 1).isClosed()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1})
    void shouldLeaveALivingDriverAloneWhenTheWallClockWasSetSinceItStarted(final long hours)
    {
        try (HostDriver host = launch(hours))
        {
            final HostDriverException refusal = catchThrowableOfType(HostDriverException.class,
                () -> HostDriver.launch(new HostDriver.Context().aeronDirectory(aeronDirectory)).close());

            assertThat(refusal.reason()).isEqualTo(AERON_DIRECTORY_IN_USE);
            assertThat(host.isTerminated()).isFalse();
        }
    }

    @Test
    void shouldShowTheWallClockWhereTheDriverIsNotOurs()
    {
        assertThat(HostClock.of(aeronDirectory.toString()).time())
            .isBetween(System.currentTimeMillis() - TOLERANCE_MS, System.currentTimeMillis() + TOLERANCE_MS);
    }

    private HostDriver launch(final long hoursApart)
    {
        final HostDriver.Context ctx = new HostDriver.Context().aeronDirectory(aeronDirectory);
        ctx.clock = new HostClock(aeronDirectory, System.currentTimeMillis() - HostClock.monotonicMs() +
            TimeUnit.HOURS.toMillis(hoursApart));

        return HostDriver.launch(ctx);
    }
}
