// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import io.gradstream.launcher.process.StatusLine;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WorkerOutputTest
{
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long nowNs;

    @Test
    void shouldPrintTheLineItselfForAParent()
    {
        output(true).print(progress(1));

        assertThat(text()).isEqualTo(progress(1) + System.lineSeparator());
    }

    @Test
    void shouldTellAPersonAtMostOnceASecondAndTheEnd()
    {
        final WorkerOutput output = output(false);
        output.print(progress(1));
        nowNs = WorkerOutput.PERSON_INTERVAL_NS - 1;
        output.print(progress(2));
        assertThat(text()).isEmpty();

        nowNs++;
        output.print(progress(3));
        output.print(progress(9));

        assertThat(text().lines()).hasSize(2).first().isEqualTo("slot 4: 3 of 9 batches, loss 0.5000, 300 examples/s");
    }

    @Test
    void shouldNotTakeForItsOwnSpeedWhatProcessesBeforeHaveDone()
    {
        nowNs = 5;
        final WorkerOutput output = output(false);
        nowNs += WorkerOutput.PERSON_INTERVAL_NS;
        output.print(progress(8).with("examples", 800).with("ownExamples", 50));
        output.print(result(900, 150));

        assertThat(text().lines()).containsExactly("slot 4: 8 of 9 batches, loss 0.5000, 50 examples/s",
            "slot 4: ended: 9 batches, 900 examples of the slot; this process has trained on 150 in 2.0 s, mean loss" +
                " 0.2500; 7 pushes refused");
    }

    @Test
    void shouldCountAnewInAnotherSlot()
    {
        final WorkerOutput output = output(false);
        nowNs += WorkerOutput.PERSON_INTERVAL_NS;
        output.print(progress(8));
        nowNs += WorkerOutput.PERSON_INTERVAL_NS;
        output.print(progress(0).with("loss", 0.0));
        nowNs += WorkerOutput.PERSON_INTERVAL_NS;
        output.print(progress(3));

        assertThat(text().lines()).containsExactly("slot 4: 8 of 9 batches, loss 0.5000, 800 examples/s",
            "slot 4: 0 of 9 batches, loss -, 0 examples/s", "slot 4: 3 of 9 batches, loss 0.5000, 300 examples/s");
    }

    @Test
    void shouldNotTellALossOfAProcessThatHasTrainedOnNothing()
    {
        output(false).print(result(900, 0).with("loss", Double.NaN));

        assertThat(text()).contains("has trained on 0 in 2.0 s, mean loss -; 7 pushes refused");
    }

    @Test
    void shouldSayHowManyPushesWereRefused()
    {
        output(false).print(result(900, 900));

        assertThat(text()).contains("9 batches, 900 examples in 2.0 s", "7 pushes refused").doesNotContain("AAAA");
    }

    private static StatusLine result(final long examples, final long own)
    {
        return new StatusLine(StatusLine.RESULT).with("slot", 4).with("batches", 9).with("examples", examples)
            .with("ownExamples", own).with("seconds", 2.0).with("loss", 0.25).with("refused", 7).with("push", "AAAA");
    }

    private WorkerOutput output(final boolean isForParent)
    {
        return new WorkerOutput(
            new PrintStream(bytes, true, StandardCharsets.UTF_8), isForParent, () -> nowNs);
    }

    private String text()
    {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static StatusLine progress(final long batches)
    {
        return new StatusLine(StatusLine.PROGRESS).with("slot", 4).with("batches", batches).with("planned", 9)
            .with("examples", 100 * batches).with("ownExamples", 100 * batches).with("loss", 0.5).with("held", false);
    }
}
