// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A run of which every process was killed at once is gone on with from its directory, on other numbers of servers and
 * partitions, and learns the same to the bit as one that nobody killed.
 */
@Tag("faults")
class ResumeIT
{
    private static final int TIMEOUT_SECONDS = 90;
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final Pattern SHARE = Pattern.compile("\\] +(\\d+)% ");
    private static final int SHARE_OF_KILL = 25;
    private static final String[] JOB = {"train", "--staleness", "0", "--examples", "20000", "--features", "4096",
        "--passes", "2", "--seed", "5"};

    @TempDir
    private Path directory;

    @Test
    void shouldGoOnWhereAKilledRunWas() throws Exception
    {
        final Command whole = run(JOB, "--json");
        final Path kept = directory.resolve("kept");
        killWhenUnderWay(with(JOB, "--pace", "60", "--dir", kept.toString()));

        final Path again = directory.resolve("again");
        killWhenUnderWay("train", "--resume", kept.toString(), "--servers", "3", "--partitions", "6", "--dir",
            again.toString());
        final Command resumed = run(new String[]{"train", "--resume", again.toString(), "--pace", "0"}, "--json");

        assertThat(resumed.text("parametersSha256")).isEqualTo(whole.text("parametersSha256"));
        assertThat(resumed.number("pushesLost")).isZero();
        assertThat(resumed.number("duplicatedPushes")).isZero();
        assertThat(resumed.number("partitions")).isEqualTo(6);
        assertThat(resumed.number("pushesSent")).as("it has not started over")
            .isLessThan(whole.number("pushesSent") * 6 / 4);
    }

    @Test
    void shouldGoOnWithOtherDataOnlyWhereTheyAreAccepted() throws Exception
    {
        final Path data = directory.resolve("tr.csv");
        final List<String> lines = new ArrayList<>(List.of("y,a"));
        IntStream.range(0, 1000).forEach((i) -> lines.add(i % 2 + "," + i));
        Files.write(data, lines);
        final Path kept = directory.resolve("kept");
        killWhenUnderWay("train", "--staleness=0", "--format=csv", "--label=y", "--number-columns=a", "--log-scale",
            "--data=" + data, "--passes=20", "--pace=60", "--dir=" + kept);
        final Path next = directory.resolve("next");
        final String[] resume = {"train", "--resume=" + kept, "--dir=" + next, "--pace=0"};

        Collections.reverse(lines.subList(1, lines.size()));
        Files.write(data, lines);
        final Command refused = Command.run(directory, TIMEOUT_SECONDS, resume);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains(data + " has another content than that run read")
            .contains("--accept-changed-data");
        Files.write(data, lines.subList(0, 900));
        assertThat(Command.run(directory, TIMEOUT_SECONDS, resume).err()).contains("bytes, where that run read");
        assertThat(next).doesNotExist();

        assertThat(run(resume, "--accept-changed-data").err()).contains("bytes, where that run read")
            .contains("accepted");
    }

    private Command run(final String[] arguments, final String... more) throws Exception
    {
        final Command command = Command.run(directory, TIMEOUT_SECONDS, with(arguments, more));
        assertThat(command.exitCode()).as(command.err()).isZero();
        return command;
    }

    private static String[] with(final String[] arguments, final String... more)
    {
        return Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new);
    }

    private void killWhenUnderWay(final String... arguments) throws Exception
    {
        final Process process = Command.start(directory, arguments);
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        try
        {
            while (share() < SHARE_OF_KILL)
            {
                assertThat(process.isAlive()).as(Files.readString(directory.resolve(Command.ERRORS))).isTrue();
                assertThat(System.nanoTime() - deadlineNs).as("time left").isNegative();
                LockSupport.parkNanos(PARK_NS);
            }
        }
        finally
        {
            final List<ProcessHandle> all =
                Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
            all.forEach(ProcessHandle::destroyForcibly);
            all.forEach((handle) -> handle.onExit().join());
        }
    }

    /** Per cent of its batches that the run has done, as it says. */
    private int share() throws IOException
    {
        int share = 0;
        final Matcher matcher = SHARE.matcher(Files.readString(directory.resolve(Command.ERRORS)));
        while (matcher.find())
        {
            share = Integer.parseInt(matcher.group(1));
        }

        return share;
    }
}
