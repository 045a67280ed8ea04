// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import io.gradstream.codecs.Consistency;
import io.gradstream.launcher.process.StatusLine;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SlotLivesTest
{
    private final SlotLives lives = new SlotLives();

    @Test
    void shouldCountWhatKilledProcessesPushedByTheirSequences()
    {
        begin(0, "0:0,0:0");
        lives.onRestart();
        // 5 iterations of a push each, and the push of the sixth; 5 iterations of which two had nothing for it
        begin(5, "11:5,8:5");

        assertThat(lives.isRestarted()).isTrue();
        assertThat(lives.pushedBefore(0)).isEqualTo(6);
        assertThat(lives.pushedBefore(1)).isEqualTo(3);
        assertThat(lives.sequenceBefore(0)).isEqualTo(11);

        lives.onRestart();
        // that it continues after 5, one iteration left out, and two of a push each; nothing came to the other one
        begin(8, "17:8,8:5");

        assertThat(lives.pushedBefore(0)).isEqualTo(6 + 2);
        assertThat(lives.pushedBefore(1)).isEqualTo(3);
    }

    @Test
    void shouldNotCountWhatCannotBeTold()
    {
        begin(0, "0:0");
        lives.onRestart();

        assertThat(lives.pushedBefore(0)).as("the next one never began").isEqualTo(SlotLives.UNKNOWN);
        assertThat(lives.sequenceBefore(0)).isEqualTo(SlotLives.UNKNOWN);

        begin(Consistency.FINISHED, "9:" + Consistency.FINISHED);

        assertThat(lives.pushedBefore(0)).as("it had finished").isEqualTo(SlotLives.UNKNOWN);
        assertThat(lives.sequenceBefore(0)).isEqualTo(9);
    }

    @Test
    void shouldLeaveOutOneThatEndedBeforeItBegan()
    {
        begin(0, "0:0");
        lives.onRestart();
        lives.onRestart();
        begin(5, "11:5");

        assertThat(lives.pushedBefore(0)).isEqualTo(6);
    }

    @Test
    void shouldCountWhatPartitionsMayLack()
    {
        begin(0, "0:0,0:0");
        assertThat(lives.leftOut()).isZero();

        lives.onRestart();
        begin(5, "10:5,6:3");
        assertThat(lives.leftOut()).as("two iterations of one, and the next one of both").isEqualTo(2 + 2);

        lives.onRestart();
        begin(Consistency.FINISHED, "20:" + Consistency.FINISHED + ",14:7");
        assertThat(lives.leftOut()).as("at least one more").isEqualTo(2 + 2 + 1);
    }

    private void begin(final long clock, final String before)
    {
        lives.onBegin(new StatusLine(StatusLine.READY).with("clock", clock).with("before", before));
    }
}
