// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.gradstream.launcher.process.ChildProcess;
import io.gradstream.perf.measure.InterruptedRunException;
import io.gradstream.perf.measure.Summary;
import io.gradstream.benchmarks.PeersSettings.PeerCase;
import org.agrona.CloseHelper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures ps-lite, a parameter server in C++: by its own benchmark if the user has built it, else by figures of an
 * earlier run.
 * <p>
 * The benchmark starts as many transfers as there are keys, waits for all of them, and so on. Its server keeps what is
 * pushed first and does no arithmetic.
 */
final class PsLite
{
    static final String TITLE = "ps-lite, its benchmark";
    /** The program, below the directory of ps-lite. */
    static final String BENCHMARK = "tests/test_benchmark";

    private static final String NOTE = "no arithmetic; windows in a row; p50 is the mean of each";
    private static final String QUOTED_NOTE =
        "quoted: an earlier run on the machine of the first design, whose server applied; --ps-lite DIR measures it";
    private static final Pattern WINDOW =
        Pattern.compile("Application goodput: ([-+.0-9e]+) Gbps\\.\\s+Avg latency = ([-+.0-9e]+)");
    private static final String[] ROLES = {"scheduler", "server", "worker"};
    private static final int PUSH_ONLY = 2;
    private static final int PULL_ONLY = 3;
    private static final double MEGABYTES_PER_GIGABIT = 125;
    private static final double BYTES_PER_MEGABYTE = 1e6;
    /** Expected speed of a case without a quoted figure, MB/s. */
    private static final double USUAL_SPEED = 500;
    private static final long LOOK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    /** Factor by which the benchmark may be slower than expected. */
    private static final int MAX_SLOWNESS = 10;

    private final List<Double> latenciesUs = new ArrayList<>();
    private final List<Double> speeds = new ArrayList<>();
    private final PeersSettings settings;

    PsLite(final PeersSettings settings)
    {
        this.settings = settings;
    }

    static Path benchmark(final Path directory)
    {
        return directory.resolve(BENCHMARK).toAbsolutePath();
    }

    /** The quoted figures of an earlier run, or none. */
    static PeerResult quoted(final PeerCase of)
    {
        final Quote quote = Quote.of(of);
        return null == quote ? PeerResult.skipped(TITLE, of, "--ps-lite DIR measures a built ps-lite") :
            new PeerResult(TITLE, of.measure(), of.size(), of.depth(), Summary.of(quote.p50Us()),
                Summary.of(quote.megabytesPerSecond()), PeerResult.Origin.QUOTED, QUOTED_NOTE);
    }

    /**
     * Run the benchmark.
     *
     * @throws IllegalStateException if it ends, or takes too long, before it has reported all windows.
     */
    PeerResult run(final PeerCase of) throws IOException
    {
        final List<ChildProcess> processes = new ArrayList<>();
        final int port = freePort();
        try
        {
            for (final String role : ROLES)
            {
                processes.add(ChildProcess.start("ps-lite " + role, command(of, role, port)));
            }
            follow(processes);
        }
        finally
        {
            // it knows no other way to stop early
            processes.forEach(ChildProcess::kill);
            CloseHelper.closeAll(processes);
        }
        // the first window is for warming up; time by key is no latency where several are under way
        return new PeerResult(TITLE, of.measure(), of.size(), of.depth(),
            1 == of.depth() ? summary(latenciesUs) : PeerResult.NONE, summary(speeds),
            PeerResult.Origin.MEASURED, NOTE);
    }

    private List<String> command(final PeerCase of, final String role, final int port)
    {
        final long sweeps = sweeps(of);
        return List.of("sh", "-c", "exec \"$@\" 2>&1", "sh", "env",
            "DMLC_ROLE=" + role, "DMLC_NUM_SERVER=1", "DMLC_NUM_WORKER=1",
            "DMLC_PS_ROOT_URI=127.0.0.1", "DMLC_PS_ROOT_PORT=" + port, "DMLC_NODE_HOST=127.0.0.1",
            "DMLC_INTERFACE=lo", "SKIP_DEV_ID_CHECK=1", "NUM_KEY_PER_SERVER=" + of.depth(),
            "LOG_DURATION=" + sweeps, "TOTAL_DURATION=" + sweeps * (settings.windows() + 1),
            benchmark(settings.psLite()).toString(), Integer.toString(of.size()), "1",
            Integer.toString(PeerMeasure.PUSH == of.measure() ? PUSH_ONLY : PULL_ONLY));
    }

    /** Rounds over all keys after which the benchmark reports its speed: as many as should take a window. */
    private long sweeps(final PeerCase of)
    {
        final Quote quote = Quote.of(of);
        final double bytesPerNs = (null == quote ? USUAL_SPEED : quote.megabytesPerSecond()) * BYTES_PER_MEGABYTE / 1e9;
        return Math.max(1, Math.round(bytesPerNs * settings.windowNs() / of.size() / of.depth()));
    }

    private void follow(final List<ChildProcess> processes)
    {
        final long beginNs = System.nanoTime();
        final long timeoutNs = START_TIMEOUT_NS + MAX_SLOWNESS * (settings.windows() + 1L) * settings.windowNs();
        while (speeds.size() < settings.windows() + 1)
        {
            if (Thread.interrupted())
            {
                throw new InterruptedRunException();
            }
            int workCount = 0;
            for (final ChildProcess process : processes)
            {
                workCount += process.poll(this::onLine);
                // a worker that has told of everything may end before the others
                checkAlive(process, System.nanoTime() - beginNs > timeoutNs);
            }
            if (0 == workCount)
            {
                LockSupport.parkNanos(LOOK_INTERVAL_NS);
            }
        }
    }

    private void checkAlive(final ChildProcess process, final boolean isTooLate)
    {
        if (speeds.size() <= settings.windows() && (isTooLate || process.hasFailed()))
        {
            throw new IllegalStateException(process.name() + (isTooLate ? " is too slow" : " ended") + " after " +
                speeds.size() + " of " + (settings.windows() + 1) + " windows: does " + BENCHMARK +
                " run by itself, and is it a version whose lines tell of \"Application goodput\"?");
        }
    }

    private void onLine(final String line)
    {
        final Matcher window = WINDOW.matcher(line);
        if (window.find())
        {
            speeds.add(Double.parseDouble(window.group(1)) * MEGABYTES_PER_GIGABIT);
            // it says ns and divides by a thousand
            latenciesUs.add(Double.parseDouble(window.group(2)));
        }
    }

    private static Summary summary(final List<Double> windows)
    {
        return Summary.of(windows.stream().skip(1).mapToDouble(Double::doubleValue).toArray());
    }

    private static int freePort() throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            return socket.getLocalPort();
        }
    }

    /** A figure of an earlier run. */
    private record Quote(int size, int depth, double p50Us, double megabytesPerSecond)
    {
        private static final List<Quote> PUSHES = List.of(
            new Quote(4 << 10, 1, 240, 16),
            new Quote(4 << 10, PeersSettings.DEPTH, Double.NaN, 120),
            new Quote(64 << 10, PeersSettings.DEPTH, Double.NaN, 965),
            new Quote(1 << 20, PeersSettings.DEPTH, 3_300, 2_430));

        static Quote of(final PeerCase of)
        {
            return PeerMeasure.PULL == of.measure() ? null : PUSHES.stream()
                .filter((quote) -> quote.size == of.size() && quote.depth == of.depth())
                .findAny().orElse(null);
        }
    }
}
