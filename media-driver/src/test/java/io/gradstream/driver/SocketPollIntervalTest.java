// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.gradstream.driver.SocketPollInterval.MAX_EMPTY_POLLS;
import static io.gradstream.driver.SocketPollInterval.QUIET_INTERVAL_NS;
import static org.assertj.core.api.Assertions.assertThat;

class SocketPollIntervalTest
{
    private final CachedNanoClock clock = new CachedNanoClock();
    private final SocketPollInterval pace = new SocketPollInterval(clock);

    @BeforeEach
    void letTheClockNearlyOverflow()
    {
        clock.update(Long.MAX_VALUE - QUIET_INTERVAL_NS / 2);
    }

    @Test
    void shouldPollEachTimeUntilSoManyPollsInARowWereEmpty()
    {
        pollInVain(MAX_EMPTY_POLLS);
        assertThat(pace.isDue()).isFalse();
    }

    @Test
    void shouldCountPollsInARow()
    {
        pollInVain(MAX_EMPTY_POLLS - 1);
        pace.reset();
        pollInVain(MAX_EMPTY_POLLS);
        assertThat(pace.isDue()).isFalse();
    }

    @Test
    void shouldPollAQuietSocketOnceInAnInterval()
    {
        pollInVain(MAX_EMPTY_POLLS);
        for (int i = 0; i < 3; i++)
        {
            clock.advance(QUIET_INTERVAL_NS - 1);
            assertThat(pace.isDue()).isFalse();
            clock.advance(1);
            assertThat(pace.isDue()).isTrue();
            pace.onEmpty();
            assertThat(pace.isDue()).isFalse();
        }
    }

    @Test
    void shouldPollEachTimeAgainOnceADatagramCame()
    {
        pollInVain(MAX_EMPTY_POLLS);
        clock.advance(QUIET_INTERVAL_NS);
        assertThat(pace.isDue()).isTrue();
        pace.reset();
        pollInVain(MAX_EMPTY_POLLS);
        assertThat(pace.isDue()).isFalse();
    }

    @Test
    void shouldPollAQuietSocketAtOnceIfADatagramIsKnownToWait()
    {
        pollInVain(MAX_EMPTY_POLLS);
        pace.reset();
        pollInVain(MAX_EMPTY_POLLS);
        assertThat(pace.isDue()).isFalse();
    }

    private void pollInVain(final int times)
    {
        for (int i = 0; i < times; i++)
        {
            assertThat(pace.isDue()).as("after %s empty polls", i).isTrue();
            pace.onEmpty();
        }
    }
}
