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
package io.gradstream.worker.session;

import io.gradstream.codecs.SlotRole;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long a process of a slot that is backed up waits for what the other one has not pushed.
 */
class WelcomeCheckTest
{
    private static final long HELD_OFF_NS = 30_000_000_000L;

    private final Spool spool = new Spool(1024, 8);
    private final Welcome.Check check =
        new Welcome.Check(3, new WorkerIdentity(1, 7, 5, SlotRole.backup(1)), AckLevel.RECORDED);
    private final Welcome welcome = new Welcome(5, 1, 2, 1, 4);

    @Test
    void shouldWaitThirtySecondsForTheOtherProcessAndThenSayWhatGetsTheSlotGoing()
    {
        spool.startAt(4);
        final long longestNs = Welcome.Check.MOST_AWAITED * SessionTiming.DEFAULT.helloRetryNs();
        assertThat(longestNs).isGreaterThanOrEqualTo(HELD_OFF_NS);
        for (int i = 0; i < Welcome.Check.MOST_AWAITED; i++)
        {
            assertThat(check.judge(welcome, spool, 4)).isNull();
            assertThat(check.isAwaited()).isTrue();
        }

        assertThat(check.judge(welcome, spool, 4).detail())
            .contains("expects sequence=2", "oldest kept is 4", "neither backedUp nor backup")
            .doesNotContain("acknowledged", "start it once more");
    }
}
