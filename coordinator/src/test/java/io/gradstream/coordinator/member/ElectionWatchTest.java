// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import io.aeron.cluster.ElectionState;
import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** When a member counts as stuck in an election. */
class ElectionWatchTest
{
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LOOKS = ElectionWatch.STUCK_NS / STEP_NS;

    private final ElectionWatch watch = new ElectionWatch();
    private long nowNs = Long.MIN_VALUE / 2;
    private long errors = 7;

    @Test
    void shouldBeStuckThatWaitsForALogForTooLong()
    {
        assertThat(look(ElectionState.FOLLOWER_LOG_AWAIT, LOOKS, 0)).isNull();
        assertThat(look(ElectionState.FOLLOWER_LOG_AWAIT, 1, 0)).contains("log of a leader that has ended");
    }

    @Test
    void shouldNotBeStuckThatWaitsForALogAgainAndAgain()
    {
        for (int i = 0; i < 5; i++)
        {
            assertThat(look(ElectionState.FOLLOWER_LOG_AWAIT, LOOKS - 1, 0)).isNull();
            assertThat(look(ElectionState.CANVASS, 1, 0)).isNull();
        }
    }

    @Test
    void shouldBeStuckThatFailsAgainAndAgainInAnElection()
    {
        String problem = look(ElectionState.INIT, 1, 0);
        for (int i = 0; i < 2 * LOOKS && null == problem; i++)
        {
            problem = look(0 == i % 2 ? ElectionState.FOLLOWER_REPLAY : ElectionState.INIT, 1, 1);
        }
        assertThat(problem).contains("cannot replay its log");
    }

    @Test
    void shouldNotBeStuckThatFindsNoMajorityForHours()
    {
        final long minutes = 300;
        for (int i = 0; i < minutes; i++)
        {
            assertThat(look(ElectionState.CANVASS, LOOKS, 0)).isNull();
            errors += ElectionWatch.STUCK_ERRORS;
        }
    }

    @Test
    void shouldNotBeStuckThatReplaysALongLogWithoutErrors()
    {
        assertThat(look(ElectionState.FOLLOWER_REPLAY, 100 * LOOKS, 0)).isNull();
    }

    @Test
    void shouldNotBeStuckWhateverErrorsItHasOnceTheElectionIsOver()
    {
        assertThat(look(ElectionState.CLOSED, 10 * LOOKS, 10)).isNull();
        assertThat(look(ElectionState.CANVASS, LOOKS, 0)).isNull();
    }

    @Test
    void shouldNotCountTheTimeForWhichTheProcessStoodStill()
    {
        look(ElectionState.FOLLOWER_LOG_AWAIT, 1, 0);
        nowNs += TimeUnit.HOURS.toNanos(1);
        assertThat(look(ElectionState.FOLLOWER_LOG_AWAIT, 1, 0)).isNull();
    }

    private String look(final ElectionState state, final long count, final long newErrors)
    {
        String problem = null;
        for (long i = 0; i < count; i++)
        {
            problem = watch.look(nowNs, state, errors);
            nowNs += STEP_NS;
            errors += newErrors;
        }

        return problem;
    }
}
