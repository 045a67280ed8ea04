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
    void shouldSayHowManyPushesWereRefused()
    {
        output(false).print(new StatusLine(StatusLine.RESULT).with("slot", 4).with("batches", 9).with("examples", 900)
            .with("seconds", 2.0).with("loss", 0.25).with("refused", 7).with("push", "AAAA"));

        assertThat(text()).contains("7 pushes refused").doesNotContain("AAAA");
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
            .with("examples", 100 * batches).with("loss", 0.5).with("held", false);
    }
}
