// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.process;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(20)
class LineSenderTest
{
    @Test
    void shouldSendLinesInTheirOrder() throws IOException
    {
        final PipedInputStream in = new PipedInputStream();
        final LineSender sender = LineSender.start("test", new PipedOutputStream(in));
        sender.offer("step");
        sender.offer("release");
        sender.close();

        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()).containsExactly("step", "release");
    }

    @Test
    void shouldNotWaitForAProcessThatDoesNotRead() throws IOException
    {
        final PipedInputStream in = new PipedInputStream(1);
        final LineSender sender = LineSender.start("test", new PipedOutputStream(in));
        int taken = 0;
        while (sender.offer("line " + taken))
        {
            taken++;
            assertThat(taken).isLessThanOrEqualTo(2 * LineSender.MAX_LINES);
        }

        assertThat(taken).isGreaterThanOrEqualTo(LineSender.MAX_LINES);
    }

    @Test
    void shouldTakeWhatIsSentToAProcessThatHasEnded() throws Exception
    {
        final LineSender sender = LineSender.start("test", new ByteArrayOutputStream()
        {
            @Override
            public void flush() throws IOException
            {
                throw new IOException("broken pipe");
            }
        });
        for (int i = 0; i < 2 * LineSender.MAX_LINES; i++)
        {
            while (!sender.offer("step"))
            {
                Thread.onSpinWait();
            }
        }
    }
}
