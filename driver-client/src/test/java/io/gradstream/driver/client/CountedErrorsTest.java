// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.client;

import io.aeron.cluster.client.ClusterEvent;
import io.aeron.exceptions.AeronEvent;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class CountedErrorsTest
{
    private final List<String> lines = new ArrayList<>();
    private long nowNs = TimeUnit.HOURS.toNanos(1);
    private final CountedErrors errors =
        new CountedErrors("media driver", Throwable::toString, lines::add, () -> nowNs);

    @Test
    void shouldTellAKindOnceAMinuteWithHowOftenItCame()
    {
        for (int i = 0; i < 91_383; i++)
        {
            errors.onError(unreachable(19_000 + i));
        }
        assertThat(lines).containsExactly("media driver: " + unreachable(19_000));

        nowNs += CountedErrors.LINE_INTERVAL_NS;
        errors.onError(unreachable(7));

        assertThat(lines).hasSize(2);
        assertThat(lines.get(1)).isEqualTo("media driver: " + unreachable(7) +
            " (and 91382 more like it since it was told last, 91384 in all)");
        assertThat(errors.total()).isEqualTo(91_384);
    }

    @Test
    void shouldTellEachKindAtOnce()
    {
        errors.onError(new IllegalStateException("a"));
        errors.onError(new IllegalStateException("b"));
        errors.onError(new IllegalArgumentException("b"));
        errors.onError(new IllegalArgumentException("b", new IllegalStateException("c")));
        errors.onError(new IllegalArgumentException());

        assertThat(lines).hasSize(5);
    }

    @Test
    void shouldBoundTheKinds()
    {
        for (int i = 0; i < 3 * CountedErrors.MAX_KINDS; i++)
        {
            errors.onError(new IllegalStateException("x".repeat(i)));
        }

        assertThat(lines).hasSize(CountedErrors.MAX_KINDS + 1);
        assertThat(lines.get(CountedErrors.MAX_KINDS)).contains("errors of further kinds, such as");
        assertThat(errors.total()).isEqualTo(3 * CountedErrors.MAX_KINDS);
    }

    @Test
    void shouldNotTellWhatSoundRunsReportToo()
    {
        for (int i = 0; i < 5; i++)
        {
            errors.onError(new ClusterEvent("inactive follower quorum"));
            nowNs += 2 * CountedErrors.LINE_INTERVAL_NS;
        }

        assertThat(lines).isEmpty();
        assertThat(errors.total()).isEqualTo(5);
    }

    @Test
    void shouldTellWhatSoundRunsReportTooWhenItGoesOn()
    {
        for (int second = 0; second < 100; second++)
        {
            errors.onError(new ClusterEvent("inactive follower quorum"));
            nowNs += TimeUnit.SECONDS.toNanos(1);
        }

        assertThat(lines).hasSize(1);
        assertThat(lines.get(0)).contains("inactive follower quorum").contains("60 more like it since it began");
    }

    private static AeronEvent unreachable(final int port)
    {
        return new AeronEvent("failed to send datagram to /10.9.0." + port % 256 + ":" + port +
            ", cause: java.io.IOException: Network is unreachable");
    }
}
