// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import io.gradstream.cli.options.ClusterOptions;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.launcher.JsonText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

/** Lists the jobs of a running cluster. */
@Command(name = "list", description = "List the jobs of a running cluster.")
public final class JobListCommand implements Callable<Integer>
{
    private static final JsonText JSON = new JsonText(0);
    private static final String LINE = "%-32s  %10s  %10s  %6s  %-15s  %9s  %5s  %13s  %9s  %s%n";

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Option(names = "--json", description = "Print one JSON object, in one line.")
    private boolean isJson;

    @Override
    public Integer call()
    {
        return JobSession.run(cluster.access(), (session) ->
        {
            final PrintWriter out = spec.commandLine().getOut();
            if (isJson)
            {
                out.println(JSON.of(Map.of(
                    "jobs", session.jobs().stream().map((job) -> json(session.map(), job)).toList())));
            }
            else
            {
                out.printf(Locale.ROOT, LINE,
                    "name", "number", "partitions", "copies", "mode", "staleness", "slots",
                    "max row bytes", "push rate", "placed");
                session.jobs().forEach((job) -> print(out, session.map(), job));
            }
            out.flush();
            return 0;
        });
    }

    private static void print(final PrintWriter out, final ClusterMap map, final ClusterMap.Job job)
    {
        final JobSpec known = job.spec();
        out.printf(Locale.ROOT, LINE, job.name(), job.id(), known.partitions(), known.copies(), known.mode().label(),
            known.consistency().label(), known.consistency().slots(),
            limit(known.limits().rowBytes()), limit(known.limits().pushRate()), map.isPlaced(job) ? "yes" : "no");
    }

    private static String limit(final long bytes)
    {
        return 0 == bytes ? "-" : Long.toString(bytes);
    }

    private static Map<String, Object> json(final ClusterMap map, final ClusterMap.Job job)
    {
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", job.name());
        json.put("number", job.id());
        json.put("partitions", job.spec().partitions());
        json.put("copies", job.spec().copies());
        json.put("mode", job.spec().mode().label());
        json.put("staleness", job.spec().consistency().label());
        json.put("slots", job.spec().consistency().slots());
        json.put("rowCapacity", job.spec().rowCapacity());
        json.put("maxRowBytes", job.spec().limits().rowBytes());
        json.put("pushRate", job.spec().limits().pushRate());
        json.put("placed", map.isPlaced(job));

        return json;
    }
}
