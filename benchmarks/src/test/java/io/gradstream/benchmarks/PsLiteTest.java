// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.gradstream.driver.DriverProfile;
import io.gradstream.benchmarks.PeersSettings.PeerCase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A script in place of the benchmark, which says what it was called with and prints lines as the real one does.
 */
class PsLiteTest
{
    private static final PeerCase PUSH = new PeerCase(PeerMeasure.PUSH, 1 << 20, 8);

    @TempDir
    private Path directory;

    @Test
    void shouldReadTheWindowsWhenTheWorkerTellsOfThem() throws IOException
    {
        script("""
            echo "$DMLC_ROLE $DMLC_PS_ROOT_URI $NUM_KEY_PER_SERVER $LOG_DURATION $TOTAL_DURATION $*" >> "$0.called"
            [ $DMLC_ROLE = worker ] || exec sleep 60
            # the run ends all three as soon as the worker has told its windows
            until [ $(($(wc -l < "$0.called") % 3)) = 0 ]; do sleep 0.01; done
            for goodput in 1 8 16 1.6e+01; do
                echo "[12:00:00] x.cc:1: [0]\tApplication goodput: $goodput Gbps.\tAvg latency = 5.5 ns per key" >&2
            done
            exec sleep 60
            """);

        final PeerResult result = new PsLite(settings()).run(PUSH);

        assertThat(result.isMeasured()).isTrue();
        assertThat(result.megabytesPerSecond().min()).as("the first window is for warming up").isEqualTo(1_000);
        assertThat(result.megabytesPerSecond().median()).isEqualTo(2_000);
        assertThat(result.p50Us().median()).as("no latency with several outstanding").isNaN();
        assertThat(new PsLite(settings()).run(new PeerCase(PeerMeasure.PULL, 4096, 1)).p50Us().median())
            .isEqualTo(5.5);
        assertThat(Files.readAllLines(directory.resolve(PsLite.BENCHMARK + ".called")))
            .hasSize(6)
            .anyMatch((line) -> line.matches("worker 127\\.0\\.0\\.1 8 290 1160 1048576 1 2"))
            .anyMatch((line) -> line.matches("server 127\\.0\\.0\\.1 1 .* 4096 1 3"));
    }

    @Test
    void shouldSayWhatToLookAtWhenTheBenchmarkEndsEarly() throws IOException
    {
        script("""
            [ $DMLC_ROLE = worker ] || exec sleep 60
            echo "Application goodput: 8 Gbps.\tAvg latency = 5.5 ns per key"
            """);

        assertThatThrownBy(() -> new PsLite(settings()).run(PUSH))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("ps-lite worker ended after 1 of 4 windows");
    }

    @Test
    void shouldRefuseADirectoryWithoutBenchmark()
    {
        assertThatThrownBy(this::settings)
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("--ps-lite=" + directory);
    }

    private PeersSettings settings()
    {
        return new PeersSettings(
            List.of(4096), 3, TimeUnit.SECONDS.toNanos(1), 0, DriverProfile.DEV, directory);
    }

    private void script(final String text) throws IOException
    {
        final Path file = PsLite.benchmark(directory);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
