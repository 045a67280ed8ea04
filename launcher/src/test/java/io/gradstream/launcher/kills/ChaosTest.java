// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.gradstream.launcher.kills.Chaos.Fault;
import io.gradstream.launcher.kills.Chaos.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ChaosTest
{
    private static final long START_MS = 1_000_000;
    private static final long EVERY_MS = 30_000;
    private static final int WORKERS = 3;
    private static final List<Integer> SERVERS = List.of(0, 2);

    @Test
    void shouldDrawTheSameFaultsFromTheSameSeed()
    {
        assertThat(draw(7, true, true)).isEqualTo(draw(7, true, true)).isNotEqualTo(draw(8, true, true));
    }

    @Test
    void shouldDrawEachKindOfProcessesThatRun()
    {
        final List<Fault> faults = draw(1, true, true);

        assertThat(faults).extracting(Fault::kind).contains(Kind.values());
        assertThat(faults).allSatisfy((fault) ->
        {
            final String kind = fault.kind().name();
            assertThat(fault.pauseMs()).isBetween(kind.startsWith("STOP") ? 1_000L : 0, 20_000L);
            assertThat(fault.number()).isIn(kind.endsWith("SERVER") ? SERVERS :
                kind.endsWith("WORKER") ? List.of(0, 1, 2) : List.of(KillOrder.NEXT));
        });
    }

    @Test
    void shouldDrainNoServerThatCannotBeDoneWithout()
    {
        assertThat(draw(1, false, true)).extracting(Fault::kind).doesNotContain(Kind.DRAIN_SERVER);
        assertThat(draw(1, true, false)).as("one was drained for good").extracting(Fault::kind)
            .doesNotContain(Kind.DRAIN_SERVER);
    }

    @Test
    void shouldWaitFromTheBeginningOfOneFaultToThatOfTheNext()
    {
        final Chaos chaos = new Chaos(1, EVERY_MS, true);
        chaos.onTrainingBegan(START_MS);

        assertThat(chaos.poll(START_MS + EVERY_MS - 1, SERVERS, WORKERS, true)).isNull();
        assertThat(chaos.poll(START_MS + EVERY_MS + 5_000, SERVERS, WORKERS, true)).isNotNull();
        assertThat(chaos.poll(START_MS + 2 * EVERY_MS + 4_999, SERVERS, WORKERS, true)).isNull();
        assertThat(chaos.poll(START_MS + 2 * EVERY_MS + 5_000, SERVERS, WORKERS, true)).isNotNull();
    }

    @Test
    void shouldNameKindsAsJsonDoes()
    {
        assertThat(Chaos.names(new EnumMap<>(Map.of(Kind.KILL_SERVER, 2, Kind.STOP_COORDINATOR, 1)))
            .entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining(" ")))
            .isEqualTo("killServer=2 stopCoordinator=1");
    }

    private static List<Fault> draw(final long seed, final boolean mayDrain, final boolean hasSpare)
    {
        final Chaos chaos = new Chaos(seed, EVERY_MS, mayDrain);
        chaos.onTrainingBegan(0);
        final List<Fault> faults = new ArrayList<>();
        for (int i = 1; i <= 200; i++)
        {
            faults.add(chaos.poll(i * EVERY_MS, SERVERS, WORKERS, hasSpare));
        }

        return faults;
    }
}
