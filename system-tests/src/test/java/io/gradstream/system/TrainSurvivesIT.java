// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code train} outlives what its cluster outlives: SIGKILL of each kind of child, and a standstill of all of them.
 * Each case prints one line. Two run side by side, since trainings wait most of the time.
 */
@Tag("faults")
@Tag("alone")
class TrainSurvivesIT
{
    private static final String MINUTES = "gradstream.survives.minutes";
    private static final int TIMEOUT_SECONDS = 200;
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final Pattern SHARE = Pattern.compile("\\] +(\\d+)% ");
    private static final int SHARE_OF_FIRST = 15;
    /** From the first fault on, a run trains for some seconds after each. */
    private static final int EXAMPLES_OF_FAULT = 6_000;

    private static final String KILLS = """
        worker --slot=1, server --node-id=0                                | --mode replay
        worker --slot=1                                                    | --mode replay --staleness 0
        worker --slot=0                                                    | --mode chain --staleness 2
        worker --slot=1                                                    | --mode stateless
        server --node-id=1                                                 | --mode chain --staleness 0
        server --node-id=1                                                 | --mode chain+stateless
        coordinator --member=0, server --node-id=0, coordinator --member=2 | --mode chain --coordinators 3
        """;

    @TempDir
    private Path directory;

    static List<String> drawnKills()
    {
        final List<String> drawn = Draw.of(KILLS.lines().toList());
        System.out.println("drawn with -Dgradstream.draw=" + Draw.SEED + ": " + drawn);
        return drawn;
    }

    /** One after the other in one run, so that each but the last has time to come back. */
    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @MethodSource("drawnKills")
    void shouldGoOnWhenChildrenAreKilled(final String kill) throws Exception
    {
        final String children = kill.substring(0, kill.indexOf('|')).strip();
        final String options = kill.substring(kill.indexOf('|') + 1).strip();
        final List<String> victims = List.of(children.split(", "));
        final Process train = start(victims.size(), options.split(" "));
        for (int i = 0; i < victims.size(); i++)
        {
            awaitUnderWay(train, shareOf(i, victims.size()));
            childOf(train, victims.get(i)).destroyForcibly();
        }

        final Command ended = Command.awaitEnd(train, directory, TIMEOUT_SECONDS);

        assertSurvived("kill -9 of " + children + ", " + options, ended);
        for (final String child : victims)
        {
            assertThat(ended.err()).containsPattern(nameOf(child) +
                " ended .* is started again.*1 of at most 3 times within 10 minutes");
        }
    }

    /** For less and for more than what media drivers, sessions and the training itself wait for each other. */
    @Drawn
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldGoOnAfterAllStoodStillTwice() throws Exception
    {
        allStandStill(15, 45);
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    @EnabledIfSystemProperty(named = MINUTES, matches = "true", disabledReason = "SKIPPED: only with -D" + MINUTES)
    void shouldGoOnAfterAllStoodStillForAMinute() throws Exception
    {
        allStandStill(60);
    }

    private void allStandStill(final int... seconds) throws Exception
    {
        final Process train = start(seconds.length, "--mode", "chain");
        for (int i = 0; i < seconds.length; i++)
        {
            awaitUnderWay(train, shareOf(i, seconds.length));
            standStill(all(train), seconds[i]);
        }

        final Command ended = Command.awaitEnd(train, directory, TIMEOUT_SECONDS);

        assertSurvived("SIGSTOP of all for " + Arrays.toString(seconds) + " s", ended);
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @EnabledIfSystemProperty(named = MINUTES, matches = "true", disabledReason = "SKIPPED: only with -D" + MINUTES)
    @ValueSource(strings = {"train", "worker --slot=1", "server --node-id=0"})
    void shouldGoOnAfterOneStoodStillForAMinute(final String name) throws Exception
    {
        final Process train = start(1, "--mode", "replay");
        awaitUnderWay(train, shareOf(0, 1));
        final ProcessHandle one = "train".equals(name) ? train.toHandle() : childOf(train, name);

        standStill(List.of(one), 60);
        final Command ended = Command.awaitEnd(train, directory, TIMEOUT_SECONDS);

        assertSurvived("SIGSTOP of " + name + " for 60 s", ended);
    }

    @Drawn
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldSaveTheModelAndSayHowToGoOnWhenAChildEndsTooOften() throws Exception
    {
        final Process train = start(1, "--restarts", "0", "--dir", directory.resolve("kept").toString());
        awaitUnderWay(train, shareOf(0, 1));
        childOf(train, "worker --slot=1").destroyForcibly();

        final Command ended = Command.awaitEnd(train, directory, TIMEOUT_SECONDS);

        print("kill -9 of worker, --restarts 0", ended.exitCode(), "model saved: " + Files.exists(model()));
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(model()).isNotEmptyFile();
        assertThat(ended.err()).contains("the model so far is in " + model()).contains("--resume ");
    }

    @Drawn
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldSaveTheModelWhenTheUserEndsIt() throws Exception
    {
        final Process train = start(1, "--mode", "replay");
        awaitUnderWay(train, shareOf(0, 1));
        train.destroy();

        final Command ended = Command.awaitEnd(train, directory, TIMEOUT_SECONDS);

        print("SIGTERM of train", ended.exitCode(), "model saved: " + Files.exists(model()));
        assertThat(model()).isNotEmptyFile();
        assertThat(ended.err()).contains("the model so far is in " + model());
    }

    @Drawn
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void shouldBeResumedAfterItWasKilledItself() throws Exception
    {
        final Path kept = directory.resolve("kept");
        final Process train = start(1, "--mode", "replay", "--dir", kept.toString());
        awaitUnderWay(train, shareOf(0, 1));
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

    private Process start(final int faults, final String... options) throws IOException
    {
        return Command.start(directory, Stream.concat(Stream.of("train", "--json",
            "--examples", String.valueOf((1 + faults) * EXAMPLES_OF_FAULT), "--passes", "2", "--step-time", "50ms",
            "--out", model().toString()), Stream.of(options)).toArray(String[]::new));
    }

    /** Per cent of a run's batches after which a fault strikes, of so many faults from 0 on. */
    private static int shareOf(final int fault, final int faults)
    {
        return SHARE_OF_FIRST + (100 - SHARE_OF_FIRST) * fault / (faults + 1);
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

    /** As the run names it: {@code worker --slot=1} is worker-1. */
    private static String nameOf(final String child)
    {
        return child.replaceFirst(" --[a-z-]+=", "-");
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

    private void awaitUnderWay(final Process train, final int wanted) throws IOException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (share() < wanted)
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
