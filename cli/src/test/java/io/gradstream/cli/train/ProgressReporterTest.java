// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

import io.gradstream.cli.worker.WorkerSession;
import io.gradstream.launcher.process.StatusLine;
import io.gradstream.console.MetricSample;
import io.gradstream.console.ProgressEvent;
import io.gradstream.console.ProgressEvent.Kind;
import io.gradstream.console.ProgressListener;
import io.gradstream.console.ProgressSample;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class ProgressReporterTest
{
    private static final long EPOCH_MS = 1_800_000_000_000L;

    private final WorkersProgress workers = new WorkersProgress(2);
    private final Heard heard = new Heard();
    private final ProgressReporter reporter = new ProgressReporter(List.of(heard), workers, 2, () -> EPOCH_MS);

    @Test
    void shouldTellASampleEachInterval()
    {
        workers.onLine(0, progress(2, 128));
        workers.onLine(1, progress(1, 64));
        reporter.poll(900);
        reporter.onBegan(1000);
        reporter.poll(1000 + ProgressReporter.SAMPLE_INTERVAL_MS - 1);
        assertThat(heard.samples).isEmpty();

        reporter.poll(1000 + ProgressReporter.SAMPLE_INTERVAL_MS);
        workers.onLine(0, progress(12, 768));
        reporter.poll(2000);

        assertThat(heard.samples).hasSize(2);
        final ProgressSample second = heard.samples.get(1);
        assertThat(second.timeMs()).isEqualTo(EPOCH_MS);
        assertThat(second.batches()).isEqualTo(13);
        assertThat(second.planned()).isEqualTo(40);
        assertThat(second.examples()).isEqualTo(832);
        assertThat(second.examplesPerSecond()).isEqualTo(640 * 1000.0 / (1000 - ProgressReporter.SAMPLE_INTERVAL_MS));
        assertThat(second.loss()).isEqualTo(0.5);
        assertThat(second.pushP50Us()).isNaN();
        assertThat(second.staleness()).isNaN();
    }

    @Test
    void shouldTellLatenciesOfTheIntervalOfAllWorkers()
    {
        workers.onLine(0, progress(1, 64).with(WorkerSession.INTERVAL_PUSHES, encoded(1_000_000, 1_000_000)));
        reporter.onBegan(0);
        reporter.poll(500);
        workers.onLine(0, progress(2, 64).with(WorkerSession.INTERVAL_PUSHES, encoded(2_000_000)));
        workers.onLine(1, progress(2, 64).with(WorkerSession.INTERVAL_PUSHES, encoded(2_000_000, 9_000_000)));
        reporter.poll(1000);

        assertThat(heard.samples.get(0).pushP99Us()).isCloseTo(1000, within(10.0));
        assertThat(heard.samples.get(1).pushP50Us()).isCloseTo(2000, within(20.0));
        assertThat(heard.samples.get(1).pushP99Us()).isCloseTo(9000, within(90.0));
    }

    @Test
    void shouldTellTheMeanStalenessOfTheInterval()
    {
        workers.onLine(0, progress(1, 64).with("pulls", 10).with("stalenessMean", 1.0));
        reporter.onBegan(0);
        reporter.poll(500);
        workers.onLine(0, progress(2, 128).with("pulls", 20).with("stalenessMean", 2.0));
        reporter.poll(1000);

        assertThat(heard.samples.get(0).staleness()).isEqualTo(1.0);
        assertThat(heard.samples.get(1).staleness()).isEqualTo(3.0);
    }

    @Test
    void shouldTellWhoLeadsOnlyWhenThatChangesInTraining()
    {
        reporter.onCluster(List.of(0, 1), 1);
        reporter.onBegan(0);
        reporter.onCluster(List.of(0, 1), 1);
        reporter.onCluster(List.of(-1, 1), 1);
        reporter.onCluster(List.of(1, 1), 1);
        reporter.onCluster(List.of(1, 1), 2);
        reporter.onEnded(100);

        assertThat(heard.events).extracting(ProgressEvent::kind)
            .containsExactly(Kind.BEGIN, Kind.FAILOVER, Kind.ELECTION, Kind.END);
        assertThat(heard.events.get(1).text()).isEqualTo("server 1 leads partition 0");
        assertThat(heard.samples).hasSize(1);
    }

    private static StatusLine progress(final long batches, final long examples)
    {
        return new StatusLine(StatusLine.PROGRESS)
            .with("batches", batches).with("planned", 20).with("examples", examples).with("loss", 0.5)
            .with("held", false).with("idle", false);
    }

    private static String encoded(final long... latenciesNs)
    {
        final Histogram histogram = WorkerSession.newIntervalHistogram();
        Arrays.stream(latenciesNs).forEach(histogram::recordValue);
        final ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        final int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    /** Keeps what it is told. */
    private static final class Heard implements ProgressListener
    {
        private final List<ProgressSample> samples = new ArrayList<>();
        private final List<ProgressEvent> events = new ArrayList<>();

        @Override
        public void onSample(final ProgressSample sample)
        {
            samples.add(sample);
        }

        @Override
        public void onMetric(final MetricSample metric)
        {
        }

        @Override
        public void onEvent(final ProgressEvent event)
        {
            events.add(event);
        }
    }
}
