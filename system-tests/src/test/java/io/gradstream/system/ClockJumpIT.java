// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The wall clock of all processes of a run is set forward and back by an hour, with libfaketime, while they train.
 */
@Tag("faults")
@Tag("alone")
class ClockJumpIT
{
    private static final long TIMEOUT_SECONDS = 240;
    private static final long PARK_NS = 50_000_000;
    private static final List<String> LIBRARIES = List.of(
        "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
        "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
        "/usr/lib64/faketime/libfaketimeMT.so.1",
        "/usr/local/lib/faketime/libfaketimeMT.so.1");
    private static final Pattern PERCENT = Pattern.compile("(\\d+)% ");
    private static final Pattern FAILOVERS = Pattern.compile("  failovers (\\d+)");

    @TempDir
    private Path directory;

    @Test
    void shouldTrainOnWhenTheClockIsSetByAnHour() throws Exception
    {
        final String library =
            LIBRARIES.stream().filter((file) -> Files.exists(Path.of(file))).findFirst().orElse(null);
        Assumptions.assumeTrue(null != library, "SKIPPED: libfaketime is not here; install the package faketime");
        final Path shift = Files.writeString(directory.resolve("shift"), "+0");
        final Jumper jumper = new Jumper(shift);
        jumper.start();

        final Command train = Command.run(directory, TIMEOUT_SECONDS, List.of(), Map.of(
            "LD_PRELOAD", library,
            "FAKETIME_TIMESTAMP_FILE", shift.toString(),
            "FAKETIME_CACHE_DURATION", "1",
            "FAKETIME_DONT_FAKE_MONOTONIC", "1",
            // else timed waits of the JVM, which are monotonic, end at once
            "FAKETIME_FORCE_MONOTONIC_FIX", "0"),
            "train", "--mode", "chain", "--servers", "3", "--coordinators", "3", "--driver", "external",
            "--examples", "40000", "--pace", "50", "--json");
        jumper.end();

        assertThat(train.exitCode()).as(train.err()).isZero();
        assertThat(jumper.jumps).isEqualTo(Jumper.SHIFTS.size());
        assertThat(train.number("pushesSent")).isPositive();
        assertThat(train.number("pushesApplied")).isEqualTo(train.number("pushesSent"));
        assertThat(train.number("pushesLost")).isZero();
        assertThat(train.number("duplicatedPushes")).isZero();
        // thirteen processes that start on few processors may take each other for dead before the clock is ever set
        assertThat(train.number("failovers")).as(train.err()).isEqualTo(jumper.failoversBefore);
        assertThat(train.number("seconds")).isLessThan(TIMEOUT_SECONDS);
    }

    /**
     * Sets the clock each time a share of the run is done.
     */
    private final class Jumper extends Thread
    {
        static final List<String> SHIFTS = List.of("+3600", "-3600", "+0");
        private static final int PERCENT_BETWEEN = 20;

        private final Path shift;
        private volatile boolean isEnded;
        private volatile int jumps;
        private volatile int failoversBefore;

        Jumper(final Path shift)
        {
            super("clock-jumper");
            setDaemon(true);
            this.shift = shift;
        }

        @Override
        public void run()
        {
            try
            {
                while (!isEnded && jumps < SHIFTS.size())
                {
                    if (last(PERCENT) >= (jumps + 1) * PERCENT_BETWEEN)
                    {
                        failoversBefore = 0 == jumps ? last(FAILOVERS) : failoversBefore;
                        Files.writeString(shift, SHIFTS.get(jumps++));
                    }
                    LockSupport.parkNanos(PARK_NS);
                }
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }

        void end() throws InterruptedException
        {
            isEnded = true;
            join();
        }

        /** The number in the newest line of progress that holds one, 0 if there is none. */
        private int last(final Pattern pattern) throws IOException
        {
            final Path progress = directory.resolve(Command.ERRORS);
            int number = 0;
            final Matcher matcher = pattern.matcher(Files.exists(progress) ? Files.readString(progress) : "");
            while (matcher.find())
            {
                number = Integer.parseInt(matcher.group(1));
            }

            return number;
        }
    }
}
