// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code train} outlives what its cluster outlives: SIGKILL of each kind of child, and a standstill of all of them.
 * Each case prints one line.
 */
@Tag("faults")
class TrainSurvivesIT
{
    private static final String MINUTES = "gradstream.survives.minutes";
    private static final int TIMEOUT_SECONDS = 200;
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final Pattern SHARE = Pattern.compile("\\] +(\\d+)% ");
    private static final int SHARE_OF_FAULT = 15;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        worker --slot=1      | --mode replay
        worker --slot=1      | --mode replay --staleness 0
        worker --slot=0      | --mode chain --staleness 2
        worker --slot=1      | --mode stateless
        server --node-id=0   | --mode replay
        server --node-id=0   | --mode chain
        server --node-id=1   | --mode chain --staleness 0
        server --node-id=1   | --mode chain+stateless
        coordinator --member=0 | --mode chain --coordinators 3
        coordinator --member=2 | --mode chain --coordinators 3
        """)
    void shouldGoOnWhenAChildIsKilled(final String child, final String options) throws Exception
    {
        final Process train = start(options.split(" "));
        awaitUnderWay(train);
        final ProcessHandle victim = childOf(train, child);
        victim.destroyForcibly();

        final Command ended = Command.awaitEnd(train, directory, TIMEOUT_SECONDS);

        assertSurvived("kill -9 of " + child + ", " + options, ended);
        assertThat(ended.err()).contains("is started again").contains("1 of at most 3 times within 10 minutes");
    }

    @ParameterizedTest
    @ValueSource(ints = {15, 45})
    void shouldGoOnAfterAllStoodStill(final int seconds) throws Exception
    {
        allStandStill(seconds);
    }

    @Test
    @EnabledIfSystemProperty(named = MINUTES, matches = "true", disabledReason = "SKIPPED: only with -D" + MINUTES)
    void shouldGoOnAfterAllStoodStillForAMinute() throws Exception
    {
        allStandStill(60);
    }

    private void allStandStill(final int seconds) throws Exception
    {
        final Process train = start("--mode", "chain");
        awaitUnderWay(train);

        standStill(all(train), seconds);
        final Command ended = Command.awaitEnd(train, directory, TIMEOUT_SECONDS);

        assertSurvived("SIGSTOP of all for " + seconds + " s", ended);
    }

    @ParameterizedTest
    @EnabledIfSystemProperty(named = MINUTES, matches = "true", disabledReason = "SKIPPED: only with -D" + MINUTES)
    @ValueSource(strings = {"train", "worker --slot=1", "server --node-id=0"})
    void shouldGoOnAfterOneStoodStillForAMinute(final String name) throws Exception
    {
        final Process train = start("--mode", "replay");
        awaitUnderWay(train);
        final ProcessHandle one = "train".equals(name) ? train.toHandle() : childOf(train, name);

        standStill(List.of(one), 60);
        final Command ended = Command.awaitEnd(train, directory, TIMEOUT_SECONDS);

        assertSurvived("SIGSTOP of " + name + " for 60 s", ended);
    }

    @Test
    void shouldSaveTheModelAndSayHowToGoOnWhenAChildEndsTooOften() throws Exception
    {
        final Process train = start("--restarts", "0", "--dir", directory.resolve("kept").toString());
        awaitUnderWay(train);
        childOf(train, "worker --slot=1").destroyForcibly();

        final Command ended = Command.awaitEnd(train, directory, TIMEOUT_SECONDS);

        print("kill -9 of worker, --restarts 0", ended.exitCode(), "model saved: " + Files.exists(model()));
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(model()).isNotEmptyFile();
        assertThat(ended.err()).contains("the model so far is in " + model()).contains("--resume ");
    }

    @Test
    void shouldSaveTheModelWhenTheUserEndsIt() throws Exception
    {
        final Process train = start("--mode", "replay");
        awaitUnderWay(train);
        train.destroy();

        final Command ended = Command.awaitEnd(train, directory, TIMEOUT_SECONDS);

        print("SIGTERM of train", ended.exitCode(), "model saved: " + Files.exists(model()));
        assertThat(model()).isNotEmptyFile();
        assertThat(ended.err()).contains("the model so far is in " + model());
    }

    @Test
    void shouldBeResumedAfterItWasKilledItself() throws Exception
    {
        final Path kept = directory.resolve("kept");
        final Process train = start("--mode", "replay", "--dir", kept.toString());
        awaitUnderWay(train);
        final List<ProcessHandle> children = train.descendants().toList();
        train.destroyForcibly().waitFor();
        for (final ProcessHandle child : children)
        {
            child.onExit().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        }

        final Command resumed = Command.run(directory, TIMEOUT_SECONDS, "train", "--resume", kept.toString(),
            "--step-time", "0ms", "--json");

        assertThat(resumed.exitCode()).as(resumed.err()).isZero();
        print("kill -9 of train, children end by themselves, --resume", resumed.exitCode(), counts(resumed));
        assertThat(resumed.number("pushesLost")).isZero();
        assertThat(resumed.number("duplicatedPushes")).isZero();
    }

    private Process start(final String... options) throws IOException
    {
        return Command.start(directory, Stream.concat(Stream.of("train", "--json", "--examples", "20000", "--passes",
            "2", "--step-time", "50ms", "--out", model().toString()), Stream.of(options)).toArray(String[]::new));
    }

    private Path model()
    {
        return directory.resolve("saved.model");
    }

    private void assertSurvived(final String what, final Command ended)
    {
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        print(what, ended.exitCode(), counts(ended));
        assertThat(ended.number("pushesSent")).isPositive();
        assertThat(ended.number("pushesLost")).isZero();
        assertThat(ended.number("duplicatedPushes")).isZero();
        assertThat(model()).isNotEmptyFile();
    }

    private static String counts(final Command ended)
    {
        return String.format(Locale.ROOT, "%.0f sent, %.0f applied, %.0f lost, %.0f doubled, %.1f s",
            ended.number("pushesSent"), ended.number("pushesApplied"), ended.number("pushesLost"),
            ended.number("duplicatedPushes"), ended.number("seconds"));
    }

    private static void print(final String what, final int exitCode, final String result)
    {
        System.out.println("SURVIVES | " + what + " | exit " + exitCode + " | " + result);
    }

    private static void standStill(final List<ProcessHandle> processes, final int seconds)
    {
        processes.forEach((process) -> OwnProcess.pause(process.pid()));
        final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() - endNs < 0)
        {
            LockSupport.parkNanos(PARK_NS);
        }
        processes.forEach((process) -> OwnProcess.goOn(process.pid()));
    }

    private static List<ProcessHandle> all(final Process train)
    {
        final List<ProcessHandle> all = new ArrayList<>(train.descendants().toList());
        all.add(train.toHandle());
        return all;
    }

    private static ProcessHandle childOf(final Process train, final String arguments) throws IOException
    {
        for (final ProcessHandle child : train.descendants().toList())
        {
            final String line = Files.readString(
                Path.of("/proc/" + child.pid() + "/cmdline"), StandardCharsets.ISO_8859_1).replace('\0', ' ');
            if (line.contains(' ' + arguments + ' '))
            {
                return child;
            }
        }
        throw new AssertionError("no child runs " + arguments);
    }

    private void awaitUnderWay(final Process train) throws IOException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (share() < SHARE_OF_FAULT)
        {
            assertThat(train.isAlive()).as(Files.readString(directory.resolve(Command.ERRORS))).isTrue();
            assertThat(System.nanoTime() - deadlineNs).as("time left").isNegative();
            LockSupport.parkNanos(PARK_NS);
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
