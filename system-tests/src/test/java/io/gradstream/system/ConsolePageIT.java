// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.gradstream.console.ClusterState;
import io.gradstream.console.ConsoleServer;
import io.gradstream.console.RunHistory;
import io.gradstream.console.MetricSample;
import io.gradstream.console.ProgressSample;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the page makes in a browser of what is seldom seen: no news of the cluster, and values that are no numbers.
 */
class ConsolePageIT
{
    private static final long TIMEOUT_SECONDS = 20;
    private static final long INTERVAL_MS = 500;
    private static final String STATE = "document.querySelector('#state')?.textContent";
    private static final String UNSEEN = STATE + "?.startsWith('cluster not seen for ')";

    @TempDir
    private Path directory;

    @Test
    @Timeout(90)
    void shouldSayThatTheClusterIsNotSeenAndDrawNoDotWhereThereIsNoValue() throws Exception
    {
        final Path program = Browser.find();
        Assumptions.assumeTrue(null != program, "no chromium here: apt-get install chromium");
        final RunHistory history = new RunHistory("a run", System.currentTimeMillis(), INTERVAL_MS);
        history.onSample(new ProgressSample(System.currentTimeMillis(), 1, 2, 3, 4, 0.5, 6, 7, Double.NaN));
        for (final double auc : new double[]{0.25, Double.NaN, 1e39, 0.5})
        {
            history.onMetric(new MetricSample(System.currentTimeMillis(), 1, "auc", auc, false));
        }
        history.onCluster(cluster());
        try (ConsoleServer server = ConsoleServer.start("127.0.0.1", 0, history);
            Browser browser =
                Browser.open(program, Files.createDirectory(directory.resolve("profile")), server.url()))
        {
            browser.await(UNSEEN, TIMEOUT_SECONDS);
            final String text = browser.evaluate(STATE);
            browser.await(UNSEEN + " && " + STATE + " !== '" + text + "'", TIMEOUT_SECONDS);
            assertThat(browser.evaluate("document.querySelector('#state').className")).isEqualTo("pill bad");
            assertThat(browser.evaluate("document.querySelectorAll('#nodes.stale, #partitions.stale').length"))
                .isEqualTo("2");
            assertThat(browser.evaluate("document.querySelectorAll('#chart-metric-0 circle').length"))
                .as("dots of two of four").isEqualTo("2");

            history.onCluster(cluster());
            browser.await(STATE + " === 'running' && !document.querySelector('.stale')", TIMEOUT_SECONDS);
        }
    }

    private static ClusterState cluster()
    {
        return new ClusterState(System.currentTimeMillis(), 0, "127.0.0.1:2", 1, 1, 1, 0, 0,
            new ClusterState.Job("default", 1, 1, 1, 16, 1_000, 3_000, "replay", 0, "unbounded", false, 0, 0), true,
            List.of(new ClusterState.Node(0, "127.0.0.1:1", 0, "", 12, false, 1, 1, false, 1)),
            List.of(new ClusterState.Partition(
                0, 1, 1, List.of(0), -1, 1, List.of(), List.of(), List.of(0), false, true,
                List.of(new ClusterState.Replica(0, ClusterState.Role.HEAD, "PRIMARY", 1, 96, 96, 96, 0)), Double.NaN)),
            null, null, null, null, ClusterState.Work.NONE);
    }
}
