// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.scaling;

import io.gradstream.codecs.Check;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.ClusterMapCodec;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.TableSpec;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.coordinator.client.WorkSpec;
import io.gradstream.perf.goal.ProcessGauge;
import io.gradstream.perf.load.CpuLoad;
import io.gradstream.perf.load.MeasuredCluster;
import io.gradstream.perf.measure.Await;
import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.RunOptions;
import io.gradstream.perf.report.TargetLine;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.aeron.ClusterChannel;
import io.gradstream.worker.aeron.DriverConnection;
import io.gradstream.worker.session.AckLevel;
import org.agrona.ExpandableArrayBuffer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The messages of a cluster of a given size, the log of its coordinators, its map and its streams: what grows with
 * nodes, partitions, jobs, tables, workers and units of work.
 */
@Command(name = "scaling", description = {
    "Count messages, entries of the coordinators' log, streams and bytes of a cluster of a given size.",
    "Servers are processes on this machine, all workers are in this one. About 30 s."})
public final class ScalingRun extends Measurement
{
    private static final int MAX_SERVERS = 16;
    private static final int MAX_WORKERS = 128;
    private static final int MAX_PARTITIONS = 256;
    private static final int MAX_TABLES = 64;
    private static final int ROWS = 4096;
    private static final int DIM = 64;
    private static final int PARTITIONS_OF_JOB = 2;
    private static final int DRAINABLE = 3;
    /** Log buffers are read so often: before the messages in them are overwritten. */
    private static final long READ_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long STEP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(120);
    private static final double SELDOM = 0.02;
    private static final double NS_PER_SECOND = 1e9;
    private static final double SECONDS_PER_HOUR = 3_600;
    private static final double MB = 1e6;

    @Option(names = "--servers", defaultValue = "1", paramLabel = "N",
        description = "Servers; a partition has two copies if there are two or more. Default: ${DEFAULT-VALUE}.")
    private int servers;

    @Option(names = "--partitions", defaultValue = "1", paramLabel = "N",
        description = "Partitions of the first job. Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(names = "--jobs", defaultValue = "1", paramLabel = "N",
        description = "Jobs; each after the first has 2 partitions. Default: ${DEFAULT-VALUE}.")
    private int jobs;

    @Option(names = "--tables", defaultValue = "0", paramLabel = "N",
        description = "Tables of the first job, of 4,096 rows of 64 floats. Default: ${DEFAULT-VALUE}.")
    private int tables;

    @Option(names = "--workers", defaultValue = "0", paramLabel = "N",
        description = "Workers of the first job, all in this process. Default: ${DEFAULT-VALUE}.")
    private int workers;

    @Option(names = "--units", defaultValue = "0", paramLabel = "N",
        description = "Units of one batch that the workers share; each ends 20 batches a second. " +
            "Default: ${DEFAULT-VALUE}.")
    private long units;

    @Option(names = "--drain", description = "Then empty the last server, and count until it has no places.")
    private boolean isDrained;

    private final List<TargetLine> lines = new ArrayList<>();
    private final List<GradstreamClient> clients = new ArrayList<>();
    private final List<UnitLoad> loads = new ArrayList<>();
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private MeasuredCluster cluster;
    private SentMessages sent;
    private CoordinatorLink link;
    private ClusterMap map;
    private long readNs;

    public ScalingRun()
    {
        super(new RunOptions(1, 10, RunOptions.NONE));
    }

    @Override
    protected void check()
    {
        super.check();
        Check.range("--servers", servers, 1, MAX_SERVERS);
        Check.range("--partitions", partitions, 1, MAX_PARTITIONS);
        Check.range("--jobs", jobs, 1, ClusterMap.MAX_JOBS);
        Check.range("--tables", tables, 0, MAX_TABLES);
        Check.range("--workers", workers, 0, MAX_WORKERS);
        Check.range("--units", units, 0, WorkSpec.MAX_BATCHES);
        Check.that(0 == units || workers > 0, "--workers", workers, "1 or more with --units");
        Check.that(0 == tables || workers > 0, "--workers", workers, "1 or more with --tables: a worker makes them");
        Check.that(!isDrained || servers >= DRAINABLE, "--servers", servers,
            DRAINABLE + " or more with --drain: two copies need two servers");
    }

    @Override
    public List<TargetLine> measure() throws IOException
    {
        lines.clear();
        try (MeasuredCluster started = MeasuredCluster.start(
            settings, MeasuredCluster.plan(settings, servers, partitions, ROWS)))
        {
            cluster = started;
            try (SentMessages counted = new SentMessages(
                Path.of(cluster.processes().serverAeronDirectory(0)), "server-0"))
            {
                sent = counted;
                inCluster();
            }
        }

        return List.copyOf(lines);
    }

    private void inCluster() throws IOException
    {
        link = ClusterChannel.link(DriverConnection.of(cluster.aeron()), cluster.coordinators(), "127.0.0.1:0",
            (ex) -> System.err.println("gradstream perf scaling: " + ex.getMessage()));
        try
        {
            await("a map", () -> null != map && !map.jobs().isEmpty());
            addJobs();
            addWorkers();
            Await.rest(SETTLE_NS, this::poll);
            windows("idle");
            addUnits();
            memory();
            drain();
        }
        finally
        {
            link.close();
        }
    }

    private void addJobs()
    {
        final JobSpec spec = map.job();
        final JobSpec small = new JobSpec(PARTITIONS_OF_JOB, spec.copies(), spec.nodes(), spec.virtualNodes(),
            spec.rowCapacity(), spec.repairDelayMs(), spec.mode());
        for (int job = 1; job < jobs; job++)
        {
            final String name = "job-" + job;
            final boolean[] isAsked = new boolean[1];
            await("a job", () ->
            {
                isAsked[0] = isAsked[0] || link.createJob(map.clusterId(), name, small);
                return null != map.job(name);
            });
        }
        await("all jobs to be served", () -> cluster.processes().isWhole() &&
            map.assignment().size() == partitions + PARTITIONS_OF_JOB * (jobs - 1));
    }

    private void addWorkers()
    {
        for (int slot = 0; slot < workers; slot++)
        {
            clients.add(cluster.connect(slot, AckLevel.APPLIED));
            poll();
        }
        for (int table = 0; table < tables; table++)
        {
            clients.get(0).createTable(TableSpec.dense(table, "scaling-" + table, ROWS, DIM, "sgd/1 rate=0.001"));
            poll();
        }
    }

    private void addUnits()
    {
        if (units > 0)
        {
            final WorkSpec spec = new WorkSpec(1, units, 1, 1, true);
            for (final GradstreamClient client : clients)
            {
                loads.add(new UnitLoad(client, spec));
                poll();
            }
            await("a unit to be done", () -> loads.get(0).done() > 0);
            final long done = loads.get(0).done();
            final long beginNs = System.nanoTime();
            windows("units");
            lines.add(line("units: batches done", "1/s",
                (loads.get(0).done() - done) * NS_PER_SECOND / (System.nanoTime() - beginNs), ""));
            loads.clear();
        }
    }

    /** Messages a second, by sender and kind, in each window. */
    private void windows(final String phase)
    {
        final Map<String, double[]> rates = new TreeMap<>();
        final Map<String, double[]> bytes = new TreeMap<>();
        final double[] serverCores = new double[settings.windows()];
        for (int window = 0; window < settings.windows(); window++)
        {
            final Map<String, SentMessages.Count> before = counted();
            final CpuLoad.Meter meter = new CpuLoad.Meter(cluster.serverPids());
            final long beginNs = System.nanoTime();
            Await.rest(settings.windowNs(), this::poll);
            final double seconds = (System.nanoTime() - beginNs) / NS_PER_SECOND;
            serverCores[window] =
                100 * meter.read().servers().stream().mapToDouble(Double::doubleValue).average().orElseThrow();
            for (final Map.Entry<String, SentMessages.Count> entry : counted().entrySet())
            {
                final SentMessages.Count earlier = before.get(entry.getKey());
                final SentMessages.Count now = entry.getValue();
                rates.computeIfAbsent(entry.getKey(), (kind) -> new double[settings.windows()])[window] =
                    (now.messages() - (null == earlier ? 0 : earlier.messages())) / seconds;
                bytes.computeIfAbsent(entry.getKey(), (kind) -> new double[settings.windows()])[window] =
                    (now.bytes() - (null == earlier ? 0 : earlier.bytes())) / seconds;
            }
        }
        rates.forEach((kind, each) ->
        {
            final Summary summary = Summary.of(each);
            if (summary.max() > SELDOM)
            {
                lines.add(TargetLine.figure(phase + ": " + kind, "1/s", summary, Double.NaN,
                    bytesText(kind, Summary.of(bytes.get(kind)).median())));
            }
        });
        final double logBytes = bytes.entrySet().stream().filter((entry) -> isLog(entry.getKey()))
            .mapToDouble((entry) -> Summary.of(entry.getValue()).median()).sum();
        lines.add(line(phase + ": coordinators' log", "MB/h", logBytes * SECONDS_PER_HOUR / MB, ""));
        lines.add(TargetLine.figure(phase + ": processor time of a server", "% core", Summary.of(serverCores)));
    }

    private void memory() throws IOException
    {
        final int length = new ClusterMapCodec().encode(map, buffer, 0);
        lines.add(line("map of the cluster", "bytes", length, ""));
        final Map<String, List<SentMessages.Buffers>> byRole = new TreeMap<>();
        sent.buffers().forEach((name, buffers) ->
            byRole.computeIfAbsent(SentMessages.role(name), (role) -> new ArrayList<>()).add(buffers));
        byRole.forEach((role, all) ->
        {
            lines.add(line("streams that a " + role + " sends", "",
                all.stream().mapToInt(SentMessages.Buffers::sent).average().orElseThrow(), ""));
            lines.add(line("streams that a " + role + " receives", "",
                all.stream().mapToInt(SentMessages.Buffers::received).average().orElseThrow(), ""));
            lines.add(line("log buffers of a " + role, "MB",
                all.stream().mapToLong(SentMessages.Buffers::bytes).average().orElseThrow() / MB, ""));
        });
        final List<Long> pids = cluster.serverPids();
        final double[] anonymous = new double[pids.size()];
        for (int i = 0; i < anonymous.length; i++)
        {
            anonymous[i] = new ProcessGauge(pids.get(i)).anonymousBytes() / MB;
        }
        lines.add(TargetLine.figure("memory of a server that is no file's", "MB", Summary.of(anonymous)));
    }

    /** The messages of a whole move, from the command on. */
    private void drain()
    {
        if (!isDrained)
        {
            return;
        }
        final int node = servers - 1;
        final long places = map.chains().chains().stream().filter((chain) -> chain.holds(node)).count();
        final Map<String, SentMessages.Count> before = counted();
        final long version = map.version();
        final long beginNs = System.nanoTime();
        await("the command", () -> link.drain(map.clusterId(), node, true));
        await("an empty server", () ->
            map.chains().chains().stream().noneMatch((chain) -> chain.holds(node) || chain.isDegraded()));
        final double seconds = (System.nanoTime() - beginNs) / NS_PER_SECOND;
        lines.add(line("drain: places that move", "", places, String.format(Locale.ROOT, "in %.1f s", seconds)));
        lines.add(line("drain: maps that are decided", "", map.version() - version, ""));
        counted().forEach((kind, now) ->
        {
            final SentMessages.Count earlier = before.get(kind);
            final long messages = now.messages() - (null == earlier ? 0 : earlier.messages());
            if (messages > 0)
            {
                lines.add(line("drain: " + kind, "", messages,
                    now.bytes() - (null == earlier ? 0 : earlier.bytes()) + " bytes in all"));
            }
        });
    }

    private Map<String, SentMessages.Count> counted()
    {
        read();
        return sent.counts();
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        Await.until(what, STEP_TIMEOUT_NS, condition, this::poll);
    }

    private void poll()
    {
        final long nowNs = System.nanoTime();
        clients.forEach(GradstreamClient::poll);
        loads.forEach((load) -> load.doWork(nowNs));
        link.doWork(nowNs);
        final ClusterMap newest = link.poll();
        map = null == newest ? map : newest;
        if (nowNs - readNs >= READ_NS)
        {
            readNs = nowNs;
            read();
        }
        cluster.processes().poll();
        cluster.processes().idle();
    }

    private void read()
    {
        try
        {
            sent.read();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static boolean isLog(final String kind)
    {
        return kind.startsWith(SentMessages.LOG + " ");
    }

    private static String bytesText(final String kind, final double bytesPerSecond)
    {
        return isLog(kind) ? String.format(Locale.ROOT, "%.2f MB/h", bytesPerSecond * SECONDS_PER_HOUR / MB) :
            String.format(Locale.ROOT, "%.0f bytes/s", bytesPerSecond);
    }

    private static TargetLine line(final String measure, final String unit, final double value, final String note)
    {
        return TargetLine.figure(measure, unit, Summary.of(value), Double.NaN, note);
    }
}
