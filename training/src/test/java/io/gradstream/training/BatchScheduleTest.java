// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import org.junit.jupiter.api.Test;

import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class BatchScheduleTest
{
    @Test
    void shouldCoverEachExampleOnceWhenLastBatchIsSmaller()
    {
        final BatchSchedule schedule = new BatchSchedule(1, 0, 103, 10);
        assertThat(schedule.batchCount()).isEqualTo(11);
        assertThat(schedule.batchCount(3)).isEqualTo(33);
        assertThat(schedule.batchOffset(10)).isEqualTo(100);
        assertThat(schedule.batchLength(9)).isEqualTo(10);
        assertThat(schedule.batchLength(10)).isEqualTo(3);
        assertThat(schedule.order()).containsExactlyInAnyOrder(IntStream.range(0, 103).toArray());
    }

    @Test
    void shouldBeFunctionOfSeedPassAndWorkerWhenStartedAnywhere()
    {
        final BatchSchedule schedule = new BatchSchedule(7, 2, 100, 10);
        final int[] first = schedule.order().clone();
        schedule.startPass(1);
        schedule.startPass(2);
        final BatchSchedule replacement = new BatchSchedule(7, 2, 100, 10);
        replacement.startPass(2);

        assertThat(replacement.order()).containsExactly(schedule.order()).isNotEqualTo(first);
        assertThat(new BatchSchedule(7, 1, 100, 10).order()).isNotEqualTo(first);
        assertThat(new BatchSchedule(8, 2, 100, 10).order()).isNotEqualTo(first);
    }

    @Test
    void shouldKeepItsOrderAcrossReleases()
    {
        assertThat(new BatchSchedule(42, 1, 8, 3).order()).containsExactly(4, 3, 0, 6, 2, 7, 1, 5);
    }

    @Test
    void shouldReachEachOrderEquallyOftenWhenSeedsVary()
    {
        final int[] counts = new int[27];
        for (int seed = 0; seed < 6000; seed++)
        {
            final int[] order = new BatchSchedule(seed, 0, 3, 1).order();
            counts[order[0] * 9 + order[1] * 3 + order[2]]++;
        }
        assertThat(IntStream.of(counts).filter((count) -> count > 0)).hasSize(6).allMatch((count) -> count > 880);
    }

    @Test
    void shouldPlanNothingWhenThereAreNoExamples()
    {
        final BatchSchedule schedule = new BatchSchedule(1, 0, 0, 10);
        assertThat(schedule.batchCount()).isZero();
        assertThatThrownBy(() -> schedule.batchOffset(0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldRefuseWhenArgumentIsOutOfRange()
    {
        assertThatThrownBy(() -> new BatchSchedule(1, -1, 1, 1)).hasMessageContaining("invalid worker=-1");
        assertThatThrownBy(() -> new BatchSchedule(1, 0, -1, 1)).hasMessageContaining("invalid exampleCount=-1");
        assertThatThrownBy(() -> new BatchSchedule(1, 0, 1, 0)).hasMessageContaining("invalid batchSize=0");
        assertThatThrownBy(() -> new BatchSchedule(1, 0, 1, 1).startPass(-1)).hasMessageContaining("invalid pass=-1");
    }
}
