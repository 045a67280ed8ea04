// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import io.gradstream.perf.measure.Summary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PeersTest
{
    private static final String GOODPUT = new Work(true, 64 * 1024, 8).goodput();
    private static final String LATENCY = new Work(true, 4 * 1024, 1).latency();

    private static final Machine MACHINE = new Machine("one", "17", "commit");

    private final Peers peers = new Peers();

    @Test
    void shouldPutTheHighestGoodputBesideOurs()
    {
        peers.add(GOODPUT, "slow", 400);
        peers.add(GOODPUT, "fast", 500);
        peers.add(GOODPUT, "other", 450);
        peers.add(new Work(true, 1024 * 1024, 8).goodput(), "large", 9_000);

        final List<TargetLine> lines = peers.join(List.of(line("T3", GOODPUT, 610, Bound.atLeast(0.75))));

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0).bestPeer()).isEqualTo(500);
        assertThat(lines.get(0).isMet()).isFalse();
        assertThat(lines.get(0).note()).isEqualTo("best peer: fast");
        assertThat(lines.get(1).ratio()).isEqualTo(1.22);
        assertThat(lines.get(1).bound()).isEqualTo(Bound.atLeast(1.2));
        assertThat(peers.most(GOODPUT)).isEqualTo(500);
    }

    @Test
    void shouldPutTheLowestLatencyBesideOurs()
    {
        peers.add(LATENCY, "fast", 10);
        peers.add(LATENCY, "slow", 20);

        final List<TargetLine> lines = peers.join(List.of(line("T1", LATENCY, 12, Bound.atMost(1.3))));

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0).bestPeer()).isEqualTo(10);
        assertThat(lines.get(1).isMet()).isFalse();
        assertThat(lines.get(1).measure()).isEqualTo("push 4 KiB, depth 1, p50, beside fast");
    }

    @Test
    void shouldSayThatNoPeerWasMeasuredOnlyWhereATargetAsksForOne()
    {
        final TargetLine pull = line("T4", new Work(false, 64 * 1024, 8).goodput(), 1, Bound.atLeast(0.75));

        final List<TargetLine> lines = peers.join(List.of(line("T3", GOODPUT, 610, Bound.atLeast(0.75)), pull));

        assertThat(lines.get(0).note()).isEqualTo("no peer was measured");
        assertThat(lines.get(0).bestPeer()).isNaN();
        assertThat(lines.get(1)).isEqualTo(pull);
        assertThat(peers.most(GOODPUT)).isNaN();
    }

    @Test
    void shouldReadWhatWasMeasuredFromTheLastLineOfAFile(@TempDir final Path directory) throws IOException
    {
        final Path file = write(directory, "fast", "measured");

        final Peers read = Peers.read(file, MACHINE, "dev");

        assertThat(read.most(GOODPUT)).isEqualTo(500);
        assertThat(read.join(List.of(line("T1", LATENCY, 12, Bound.atMost(1.3)))).get(0).bestPeer()).isEqualTo(9.5);
    }

    @Test
    void shouldCompareWithNothingThatIsQuotedOrSkipped(@TempDir final Path directory) throws IOException
    {
        assertThat(Peers.read(write(directory, "ps-lite", "quoted"), MACHINE, "dev").most(GOODPUT)).isNaN();
    }

    @Test
    void shouldRefuseAFileOfOtherConditions(@TempDir final Path directory) throws IOException
    {
        final Path file = write(directory, "fast", "measured");

        assertThatThrownBy(() -> Peers.read(file, MACHINE, "latency"))
            .hasMessageContaining("the profile 'dev', and this run has 'latency': measure the peers again");
        assertThatThrownBy(() -> Peers.read(file, new Machine("another", "17", "c"), "dev"))
            .hasMessageContaining("the machine 'one', and this run has 'another'");
        assertThatThrownBy(() -> Peers.read(file, new Machine("one", "21", "c"), "dev"))
            .hasMessageContaining("the JDK '17'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no JSON", "{\"measurement\":\"load\"}", "{\"measurement\":\"peers\"}"})
    void shouldRefuseAFileWithoutResults(final String text, @TempDir final Path directory) throws IOException
    {
        final Path file = Files.writeString(directory.resolve("peers.txt"), text);

        assertThatThrownBy(() -> Peers.read(file, MACHINE, "dev")).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("--peers=" + file + ": its last line must be the JSON object of benchmarks/");
    }

    private static Path write(final Path directory, final String peer, final String origin) throws IOException
    {
        final String result = "{\"peer\":\"%s\",\"measure\":\"push\",\"size\":%d,\"depth\":%d," +
            "\"origin\":\"%s\",\"p50Us\":{\"median\":%s},\"megabytesPerSecond\":{\"median\":%s},\"note\":\"\"}";
        return Files.writeString(directory.resolve("peers.txt"), "a table\n\n" +
            "{\"measurement\":\"peers\",\"profile\":\"dev\",\"machine\":\"one\",\"jdk\":\"17\",\"results\":[" +
            String.format(result, peer, 65_536, 8, origin, "88.0", "500.0") + "," +
            String.format(result, peer, 4_096, 1, origin, "9.5", "40.0") + "]}\n");
    }

    private static TargetLine line(final String id, final String measure, final double ours, final Bound bound)
    {
        return TargetLine.target(id, measure, "MB/s", new Summary(ours, ours, ours), 1_000, bound, "");
    }
}
