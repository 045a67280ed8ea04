// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
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
