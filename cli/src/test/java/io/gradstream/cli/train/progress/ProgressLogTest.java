// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train.progress;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.gradstream.cli.options.UsageException;
import io.gradstream.console.MetricSample;
import io.gradstream.console.ProgressEvent;
import io.gradstream.console.ProgressSample;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ProgressLogTest
{
    private static final ProgressSample SAMPLE =
        new ProgressSample(1_800_000_000_500L, 12, 100, 768, 1536.5, 0.25, 800, Double.NaN, 1.5);

    @TempDir
    private Path dir;

    @Test
    void shouldWriteALineOfEachToTwoFilesAtOnce() throws IOException
    {
        final Path log = dir.resolve("a").resolve("log");
        try (ProgressLog progress = ProgressLog.in(log))
        {
            progress.onSample(SAMPLE);
            progress.onMetric(new MetricSample(1_800_000_001_000L, 50, "auc", 0.75, true));
            progress.onEvent(new ProgressEvent(
                1_800_000_002_000L, ProgressEvent.Kind.KILL, "kill -9 of servers 0, 1"));

            assertThat(log.resolve(ProgressLog.JSON_LINES)).content().isEqualTo("""
                {"type":"sample","timeMs":1800000000500,"batches":12,"planned":100,"examples":768,\
                "examplesPerSecond":1536.500000,"loss":0.250000,"pushP50Us":800.000000,"pushP99Us":null,\
                "staleness":1.500000}
                {"type":"metric","timeMs":1800000001000,"batches":50,"name":"auc","value":0.750000,\
                "isBestSoFar":true}
                {"type":"event","timeMs":1800000002000,"kind":"KILL","text":"kill -9 of servers 0, 1"}
                """);
            assertThat(log.resolve(ProgressLog.SAMPLES)).content().isEqualTo("""
                time_ms,batches,planned,examples,examples_per_second,loss,push_p50_us,push_p99_us,staleness
                1800000000500,12,100,768,1536.500000,0.250000,800.000000,,1.500000
                """);
            assertThat(log.resolve(ProgressLog.METRICS)).content().endsWith("1800000001000,50,auc,0.750000,true\n");
            assertThat(log.resolve(ProgressLog.EVENTS)).content()
                .endsWith("1800000002000,KILL,\"kill -9 of servers 0, 1\"\n");
        }
    }

    @Test
    void shouldRefuseADirectoryThatIsNotEmpty() throws IOException
    {
        Files.writeString(dir.resolve("kept"), "");

        assertThatThrownBy(() -> ProgressLog.in(dir)).isInstanceOf(UsageException.class)
            .hasMessageContaining("is not empty");
        assertThatThrownBy(() -> ProgressLog.in(dir.resolve("kept"))).isInstanceOf(UsageException.class)
            .hasMessageContaining("is no directory");
    }

    @Test
    void shouldTellOnceThatTheDiskIsFull() throws IOException
    {
        final List<String> told = new ArrayList<>();
        final FullDisk disk = new FullDisk();
        try (ProgressLog progress = new ProgressLog((name) -> disk, told::add))
        {
            progress.onSample(SAMPLE);
            disk.isFull = true;
            progress.onSample(SAMPLE);
            disk.isFull = false;
            progress.onMetric(new MetricSample(1, 50, "auc", 0.75, true));
        }

        assertThat(told).singleElement().asString().contains("no space", "training goes on");
        assertThat(disk.toString()).contains("sample\"").doesNotContain("auc");
    }

    /** Takes nothing while it is full. */
    private static final class FullDisk extends FilterWriter
    {
        private boolean isFull;

        private FullDisk()
        {
            super(new StringWriter());
        }

        @Override
        public void write(final char[] buffer, final int offset, final int length) throws IOException
        {
            if (isFull)
            {
                throw new IOException("no space left on device");
            }
            super.write(buffer, offset, length);
        }

        @Override
        public String toString()
        {
            return out.toString();
        }
    }
}
