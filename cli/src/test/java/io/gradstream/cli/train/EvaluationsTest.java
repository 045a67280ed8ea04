// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

import io.gradstream.cli.train.Evaluator.Outcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class EvaluationsTest
{
    private static final long INTERVAL = 100;
    private static final long PLANNED = 1000;

    private final List<Outcome> outcomes = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final BlockingQueue<Long> begun = new LinkedBlockingQueue<>();
    private final SynchronousQueue<Boolean> verdicts = new SynchronousQueue<>();
    private volatile boolean isFailing;
    private final Evaluations evaluations = new Evaluations(this::evaluate, INTERVAL, outcomes::add, problems::add);

    @AfterEach
    void close()
    {
        evaluations.close();
    }

    @Test
    void shouldEvaluateWhenItIsDueAndLeaveOutWhatComesMeanwhile() throws InterruptedException
    {
        assertThat(evaluations.poll(99, PLANNED)).isFalse();
        assertThat(begun).isEmpty();
        evaluations.poll(101, PLANNED);
        assertThat(begun.take()).isEqualTo(101);
        evaluations.poll(250, PLANNED);
        assertThat(begun).isEmpty();
        end(false);
        awaitOutcomes(1, 299);
        assertThat(begun.take()).isEqualTo(299);
        end(false);
        awaitOutcomes(2, 299);

        assertThat(begun).as("the next one is due at 300").isEmpty();
        assertThat(outcomes).extracting(Outcome::batches).containsExactly(101L, 299L);
        assertThat(evaluations.count()).isEqualTo(2);
    }

    @Test
    void shouldSayOnceThatItIsTimeToStop() throws InterruptedException
    {
        evaluations.poll(100, PLANNED);
        end(true);
        int stops = 0;
        while (outcomes.isEmpty())
        {
            stops += evaluations.poll(200, PLANNED) ? 1 : 0;
        }
        stops += evaluations.poll(300, PLANNED) ? 1 : 0;

        assertThat(stops).isEqualTo(1);
        assertThat(evaluations.isStopped()).isTrue();
        assertThat(begun).as("none after the stop").containsExactly(100L);
    }

    @Test
    void shouldGoOnWhenOneFails() throws InterruptedException
    {
        evaluations.poll(100, PLANNED);
        assertThat(begun.take()).isEqualTo(100);
        isFailing = true;
        end(false);
        while (problems.isEmpty())
        {
            evaluations.poll(150, PLANNED);
        }
        isFailing = false;
        evaluations.poll(200, PLANNED);

        assertThat(begun.take()).isEqualTo(200);
        assertThat(problems).singleElement().asString().contains("an evaluation failed", "servers are away");
        end(false);
    }

    @Test
    void shouldEvaluateTheLastBatchOnceAndStopNothingThen() throws InterruptedException
    {
        evaluations.poll(900, PLANNED);
        end(false);
        awaitOutcomes(1, 950);
        evaluations.poll(PLANNED, PLANNED);
        assertThat(begun).as("the last one is made after all pushes").containsExactly(900L);
        finish(PLANNED, true);

        assertThat(outcomes).extracting(Outcome::batches).containsExactly(900L, PLANNED);
        assertThat(evaluations.isStopped()).as("all batches are done").isFalse();
    }

    @Test
    void shouldNotStopWhenTheVerdictComesAfterTheLastBatch() throws InterruptedException
    {
        evaluations.poll(900, PLANNED);
        end(true);
        while (outcomes.isEmpty())
        {
            assertThat(evaluations.poll(PLANNED, PLANNED)).isFalse();
        }

        assertThat(evaluations.isStopped()).isFalse();
    }

    @Test
    void shouldNotEvaluateAgainWhatWasEvaluatedLast() throws InterruptedException
    {
        evaluations.poll(300, PLANNED);
        end(true);
        awaitOutcomes(1, 300);
        evaluations.finish(300);

        assertThat(begun).containsExactly(300L);
        assertThat(evaluations.isStopped()).isTrue();
    }

    /** In a thread of its own, as it waits for the verdict. */
    private void finish(final long batches, final boolean isStop) throws InterruptedException
    {
        final Thread finishing = new Thread(() -> evaluations.finish(batches));
        finishing.start();
        end(isStop);
        finishing.join();
    }

    private void end(final boolean isStop) throws InterruptedException
    {
        assertThat(verdicts.offer(isStop, 30, TimeUnit.SECONDS)).isTrue();
    }

    private Outcome evaluate(final long batches)
    {
        begun.add(batches);
        try
        {
            final boolean isStop = verdicts.take();
            if (isFailing)
            {
                throw new IllegalStateException("servers are away");
            }
            return new Outcome(batches, Map.of("auc", 0.5), !isStop, isStop);
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private void awaitOutcomes(final int count, final long batches)
    {
        while (outcomes.size() < count)
        {
            evaluations.poll(batches, PLANNED);
        }
    }
}
