// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.util.List;

import io.gradstream.worker.filter.FilterCounts;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class SpeedTest
{
    @Test
    void shouldPutTheWorkersTogether()
    {
        final Speed speed = Speed.of(List.of(worker(1_000_000, 4, 100), worker(3_000_000, 5, 50)), 20);

        assertThat(speed.pushP50Us()).isCloseTo(1000, within(10.0));
        assertThat(speed.pushP99Us()).isCloseTo(3000, within(30.0));
        assertThat(speed.pullP50Us()).isNaN();
        assertThat(speed.seconds()).isEqualTo(20);
        assertThat(speed.warmupSeconds()).isEqualTo(5);
        assertThat(speed.examplesPerSecond()).isEqualTo(150);
    }

    @Test
    void shouldPutTheStalenessOfWorkersTogether()
    {
        final List<WorkerResult> results = List.of(worker(1, 4, 1), worker(1, 5, 1));
        assertThat(Staleness.of("2", false, results)).isEqualTo(new Staleness("2", 2L, 0.5, 0.25, null, null));
        assertThat(Staleness.of("2", true, results)).isEqualTo(new Staleness("2", 2L, 0.5, 0.25, 140L, 60L));
    }

    @Test
    void shouldCountEachPullOfWorkersThatHavePulledMoreThanOthers()
    {
        // the second is a process that was started again when little was left
        final List<WorkerResult> results = List.of(worker(1, 4, 1, 300, 1.5), worker(1, 5, 1, 100, 0.5));
        assertThat(Staleness.of("2", false, results).stalenessMean()).isEqualTo(1.25);
        assertThat(Staleness.of("2", false, List.of(worker(1, 4, 1, 0, 0))).stalenessMean()).isZero();
    }

    private static WorkerResult worker(final long pushNs, final double warmupSeconds, final double examplesPerSecond)
    {
        return worker(pushNs, warmupSeconds, examplesPerSecond, 10, 0.5);
    }

    private static WorkerResult worker(
        final long pushNs,
        final double warmupSeconds,
        final double examplesPerSecond,
        final long pullCount,
        final double stalenessMean)
    {
        final Histogram pushes = new Histogram(3);
        pushes.recordValue(pushNs);
        return new WorkerResult(List.of(), pushes, new Histogram(3), 0, 0, 0, 0, 2, pullCount, stalenessMean,
            2_000_000_000L, 70, 30, 0, FilterCounts.NONE, 8, warmupSeconds, examplesPerSecond, null);
    }
}
