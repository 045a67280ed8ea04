/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
