// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.model;

import io.gradstream.cli.options.ClusterAccess.Connection;
import io.gradstream.cli.options.ClusterAccess;
import io.gradstream.cli.options.ClusterOptions;
import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.DurationConverter;
import io.gradstream.cli.options.Failures;
import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.Consistency;
import io.gradstream.launcher.JsonText;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.OperationTimeoutException;
import io.gradstream.model.ModelFile;
import io.gradstream.model.ModelOrigin;
import io.gradstream.model.TableEntry;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code gradstream snapshot}: the whole job at one iteration, once or again and again, in a directory that keeps the
 * newest few.
 */
@Command(name = "snapshot", description = "Keep what a running job has learnt, all partitions of one iteration, in a" +
    " directory: once, or again and again while it trains.")
public final class SnapshotCommand implements Callable<Integer>
{
    static final int MAX_KEPT = 1000;
    static final long MIN_EVERY_MS = 100;

    private static final JsonText JSON = new JsonText(0);
    private static final Pattern NAME =
        Pattern.compile("(clock-(\\d{12}|finished)|no-clock-\\d{15})\\" + ModelFile.SUFFIX);
    private static final Pattern UNFINISHED = Pattern.compile("new-(\\d{1,18})\\" + ModelFile.SUFFIX + "(\\..*)?");
    private static final String FINISHED = "clock-finished" + ModelFile.SUFFIX;
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions.OfJob cluster;

    @Option(names = "--dir", paramLabel = "DIR", required = true,
        description = "Where snapshots are kept: model files, named by the iteration they are of. Made if it is not" +
            " there.")
    private Path dir;

    @Option(names = "--every", paramLabel = "DURATION", converter = DurationConverter.class,
        description = "Take one so often, until the job has finished or this process is ended. Default: one.")
    private Long everyMs;

    @Option(names = "--keep", paramLabel = "N", defaultValue = "3",
        description = "How many to keep; older ones are deleted when a new one is whole. Default: ${DEFAULT-VALUE}.")
    private int keep;

    @Option(names = "--timeout", paramLabel = "DURATION", defaultValue = "60s", converter = DurationConverter.class,
        description = "Longest time until one is whole. Default: ${DEFAULT-VALUE}.")
    private long timeoutMs;

    @Override
    public Integer call() throws IOException
    {
        final ClusterAccess access = cluster.access();
        CommonOptions.checkRange("keep", keep, 1, MAX_KEPT);
        UsageException.refuseIf(null != everyMs && everyMs < MIN_EVERY_MS,
            "invalid --every: must be at least " + MIN_EVERY_MS + "ms");
        Files.createDirectories(dir);
        deleteUnfinished();
        try (Connection connection = access.open("snapshot");
            GradstreamClient client = GradstreamClient.connect(connection.client(ClientContext.OBSERVER)))
        {
            boolean isFinished = take(client);
            while (null != everyMs && !isFinished)
            {
                rest(client);
                isFinished = take(client);
            }
        }

        return 0;
    }

    /** Returns whether it is the last: all slots have finished. */
    private boolean take(final GradstreamClient client) throws IOException
    {
        final Path part = dir.resolve("new-" + ProcessHandle.current().pid() + ModelFile.SUFFIX);
        try
        {
            final ModelOrigin origin = client.models().save(part, true, TimeUnit.MILLISECONDS.toNanos(timeoutMs));
            final boolean isFinished = Consistency.FINISHED == origin.clock();
            final Path file = dir.resolve(isFinished ? FINISHED : name(origin));
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            deleteOld();
            tell(file, origin);

            return isFinished;
        }
        catch (final OperationTimeoutException ex)
        {
            if (null == everyMs)
            {
                throw ex;
            }
            System.err.println("gradstream snapshot: " + Failures.oneLine(ex) + "; trying again");

            return false;
        }
        finally
        {
            Files.deleteIfExists(part);
        }
    }

    /** Names a model by its iteration or, if the job's workers end no iterations, by the time of its export. */
    private static String name(final ModelOrigin origin)
    {
        return ModelOrigin.NO_CLOCK == origin.clock() ?
            String.format(Locale.ROOT, "no-clock-%015d%s", origin.exportedAtMs(), ModelFile.SUFFIX) :
            String.format(Locale.ROOT, "clock-%012d%s", origin.clock(), ModelFile.SUFFIX);
    }

    /** Deletes leftovers of killed snapshot runs: no process writes them, and they are older than a snapshot takes. */
    private void deleteUnfinished() throws IOException
    {
        for (final Path file : files(UNFINISHED))
        {
            final Matcher unfinished = UNFINISHED.matcher(file.getFileName().toString());
            if (unfinished.matches() && ProcessHandle.of(Long.parseLong(unfinished.group(1))).isEmpty() &&
                System.currentTimeMillis() - Files.getLastModifiedTime(file).toMillis() > timeoutMs)
            {
                Files.deleteIfExists(file);
            }
        }
    }

    private List<Path> files(final Pattern name) throws IOException
    {
        try (Stream<Path> files = Files.list(dir))
        {
            return files.filter((file) -> name.matcher(file.getFileName().toString()).matches())
                .collect(Collectors.toCollection(ArrayList::new));
        }
    }

    private void deleteOld() throws IOException
    {
        final List<Path> newestFirst = files(NAME);
        // by when they were taken: a job that was started over has fewer iterations than one before it
        final Map<Path, FileTime> times = new HashMap<>();
        for (final Path file : newestFirst)
        {
            times.put(file, Files.getLastModifiedTime(file));
        }
        newestFirst.sort(Comparator.<Path, FileTime>comparing(times::get).thenComparing(Path::getFileName).reversed());
        for (final Path file : newestFirst.subList(Math.min(keep, newestFirst.size()), newestFirst.size()))
        {
            Files.delete(file);
        }
    }

    private void tell(final Path file, final ModelOrigin origin) throws IOException
    {
        final Map<String, Object> json = new LinkedHashMap<>();
        try (ModelFile model = ModelFile.open(file))
        {
            json.put("file", file.toString());
            json.put("clock", ModelSummary.clockOrNull(origin));
            json.put("rows", model.tables().stream().mapToLong(TableEntry::rows).sum());
            json.put("bytes", Files.size(file));
            json.put("parametersSha256", model.parametersSha256());
        }
        spec.commandLine().getOut().println(JSON.of(json));
        spec.commandLine().getOut().flush();
    }

    private void rest(final GradstreamClient client)
    {
        final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(everyMs);
        while (System.nanoTime() - endNs < 0)
        {
            if (0 == client.poll())
            {
                LockSupport.parkNanos(PARK_NS);
            }
        }
    }
}
