// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import io.gradstream.cli.worker.TrainingLoop;
import io.gradstream.launcher.process.StatusLine;
import io.gradstream.worker.filter.FilterCounts;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class WorkerProgressTest
{
    @Test
    void shouldHaveBegunWhenThereIsNothingLeftToDo()
    {
        final WorkerProgress worker = new WorkerProgress();

        worker.onLine(progress(0, 0));

        assertThat(worker.hasBegun).isTrue();
    }

    @Test
    void shouldNotHaveBegunBeforeItsFirstBatch()
    {
        final WorkerProgress worker = new WorkerProgress();

        worker.onLine(progress(0, 9));
        assertThat(worker.hasBegun).isFalse();

        worker.onLine(progress(1, 9));
        assertThat(worker.hasBegun).isTrue();
    }

    @Test
    void shouldCountTheBatchesOfAWorkerThatJoinsButPlanOnlyThoseOfTheFirstOnes()
    {
        final WorkersProgress workers = new WorkersProgress(1);
        workers.onLine(0, progress(20, 100));

        workers.add();
        assertThat(workers.haveBegun()).isTrue();
        assertThat(workers.areDone()).isFalse();
        workers.onLine(1, progress(30, 100));

        assertThat(workers.shareDone()).isEqualTo(0.5);
        assertThat(workers.planned()).isEqualTo(100);
        assertThat(workers.batches()).isEqualTo(50);
        assertThat(workers.batchesOfAdded()).containsExactly(30L);
        assertThat(workers.count()).isEqualTo(2);
    }

    @Test
    void shouldTakeIdleWorkersForHeldOnlyIfOneHoldsTheLastBatchesBack()
    {
        final WorkersProgress workers = new WorkersProgress(2);

        workers.onLine(0, progress(20, 100, false, true));
        workers.onLine(1, progress(20, 100, false, true));
        assertThat(workers.areHeld()).isFalse();

        workers.onLine(1, progress(79, 100, true, false));
        assertThat(workers.areHeld()).isTrue();

        workers.onLine(0, progress(21, 100));
        assertThat(workers.areHeld()).isFalse();
        workers.of(0).result = new WorkerResult(List.of(), new Histogram(3), new Histogram(3), 0, 0, 0, 0, 2, 10, 0.5,
            1, 70, 30, 0, FilterCounts.NONE, 8, 0, 0, null);
        assertThat(workers.areHeld()).as("one has finished, the other one holds all that is left").isTrue();
    }

    @Test
    void shouldCountTheRowsThatWorkersHeldBackWhenTheyDied()
    {
        final WorkersProgress workers = new WorkersProgress(2);
        workers.onLine(0, progress(20, 100).with(TrainingLoop.ROWS_HELD_NOW, 7));
        workers.onLine(0, progress(21, 100).with(TrainingLoop.ROWS_HELD_NOW, 5));
        assertThat(workers.rowsHeldLost()).isZero();
        workers.of(0).onRestart();
        workers.of(0).onRestart();
        workers.onLine(0, progress(22, 100).with(TrainingLoop.ROWS_HELD_NOW, 3));
        workers.onLine(1, progress(22, 100).with(TrainingLoop.ROWS_HELD_NOW, 2));
        workers.of(1).onRestart();
        assertThat(workers.rowsHeldLost()).isEqualTo(7);
    }

    private static StatusLine progress(final long batches, final long planned)
    {
        return progress(batches, planned, false, false);
    }

    private static StatusLine progress(
        final long batches, final long planned, final boolean isHeld, final boolean isIdle)
    {
        return new StatusLine(StatusLine.PROGRESS).with("slot", 0).with("batches", batches).with("planned", planned)
            .with("examples", 0).with("loss", 0.5).with("held", isHeld).with("idle", isIdle);
    }
}
