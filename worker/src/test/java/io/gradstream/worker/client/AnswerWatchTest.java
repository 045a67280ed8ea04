// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AnswerWatchTest
{
    @Test
    void shouldBeginAnewWithAServerThatWasAway()
    {
        final AnswerWatch watch = new AnswerWatch();
        watch.onUnanswered(0);
        assertThat(watch.pollDue(AnswerWatch.LIMIT_NS)).isFalse();
        watch.onUnanswered(AnswerWatch.LIMIT_NS);
        assertThat(watch.pollDue(AnswerWatch.LIMIT_NS)).isFalse();
        long nowNs = AnswerWatch.LIMIT_NS;
        while (nowNs < 2 * AnswerWatch.LIMIT_NS)
        {
            nowNs += AnswerWatch.AWAY_NS / 2;
            watch.onUnanswered(nowNs);
        }
        assertThat(watch.pollDue(nowNs)).isTrue();
        assertThat(watch.pollDue(nowNs + 1)).isFalse();
        watch.onAnswered();
        assertThat(watch.isUnanswered(nowNs + 1)).isFalse();
    }
}
