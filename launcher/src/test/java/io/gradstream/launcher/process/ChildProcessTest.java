// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class ChildProcessTest
{
    @TempDir
    private Path dir;

    private final Semaphore events = new Semaphore(0);
    private final List<String> lines = new ArrayList<>();
    private final List<String> immediate = new ArrayList<>();
    private ChildProcess child;

    @AfterEach
    void killChild()
    {
        child.kill();
    }

    @Test
    void shouldHandLinesOverWhenPolledAndOthersAtOnce() throws IOException, InterruptedException
    {
        start("cat");
        child.send("COORDINATOR one");
        child.send("two");
        child.send("three");
        while (lines.size() < 2)
        {
            assertThat(events.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
            child.poll(lines::add);
        }

        assertThat(lines).containsExactly("two", "three");
        assertThat(immediate).containsExactly("COORDINATOR one");
        assertThat(child.hasFailed()).isFalse();
    }

    @Test
    void shouldNotFailBeforeTheLastLineWasPolledWhenItEnds() throws IOException, InterruptedException
    {
        start("echo", "last");
        assertThat(child.awaitEnd(20_000)).isTrue();
        awaitLine();
        assertThat(child.hasFailed()).isFalse();
        child.poll(lines::add);
        while (!child.hasFailed())
        {
            assertThat(events.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
        }

        assertThat(lines).containsExactly("last");
    }

    @Test
    void shouldNotWaitWhenItDoesNotRead() throws IOException
    {
        start("sleep", "60");
        final String command = "x".repeat(1000);
        assertThatThrownBy(() ->
        {
            for (int i = 0; i < 2 * LineSender.MAX_LINES + 1; i++)
            {
                child.send(command);
            }
        }).isInstanceOf(IllegalStateException.class).hasMessageContaining("does not read its commands");

        child.stop();
        child.kill();
        assertThat(child.isAlive()).isFalse();
    }

    @Test
    void shouldEndItWhenStopped() throws IOException
    {
        start("cat");
        child.send("last");
        child.stop();

        assertThat(child.awaitEnd(20_000)).isTrue();
        assertThat(child.exitCode()).isZero();
    }

    @Test
    void shouldTellWhatWentWrongWhereTheLineWasTaken() throws IOException, InterruptedException
    {
        child = ChildProcess.start("test", List.of("echo", "bad"), dir.resolve("log"),
            new ChildProcess.Listener((line) ->
            {
                throw new IllegalStateException("not understood: " + line);
            }, events::release));
        assertThat(events.tryAcquire(20, TimeUnit.SECONDS)).isTrue();

        assertThatThrownBy(() -> child.poll(lines::add)).hasMessage("not understood: bad");
    }

    private void awaitLine() throws InterruptedException
    {
        assertThat(events.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
    }

    private void start(final String... command) throws IOException
    {
        child = ChildProcess.start("test", List.of(command), dir.resolve("log"), new ChildProcess.Listener(
            (line) -> line.startsWith("COORDINATOR") && immediate.add(line), events::release));
    }
}
