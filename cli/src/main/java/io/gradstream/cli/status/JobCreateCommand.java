// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import io.gradstream.cli.options.ClusterOptions;
import io.gradstream.cli.options.Failures;
import io.gradstream.cli.options.JobShape;
import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.console.ClusterState;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.util.Comparator;
import java.util.Locale;
import java.util.concurrent.Callable;

/** Adds a job to a running cluster. */
@Command(name = "create", description = "Add a job to a running cluster: tables, slots and partitions of its own on" +
    " the same servers.")
public final class JobCreateCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "Small letters, digits and hyphens, at most 32.")
    private String name;

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private JobShape shape;

    @Mixin
    private JobLimits limits;

    @Override
    public Integer call()
    {
        UsageException.refusing(() -> ClusterMap.Job.checkName(name));
        final JobSpec job = shape
            .spec(shape.replicas(), JobSpec.DEFAULT_VIRTUAL_NODES, JobSpec.DEFAULT_REPAIR_DELAY_MS)
            .with(limits.over(JobSpec.Limits.NONE));

        return JobSession.run(cluster.access(), (session) -> create(session, job));
    }

    private int create(final StatusSession session, final JobSpec job)
    {
        check(session.map(), job);
        check(session.state(), job);
        if (!session.createJob(name, job))
        {
            return Failures.EXIT_FAILED;
        }
        final ClusterMap.Job made = session.map().job(name);
        spec.commandLine().getOut().printf(Locale.ROOT, "job %s, number %d: %d partitions, mode %s%n",
            made.name(), made.id(), made.spec().partitions(), made.spec().mode().label());

        return 0;
    }

    /** Say now what the coordinators would refuse without a word. */
    private void check(final ClusterMap map, final JobSpec job)
    {
        UsageException.refuseIf(null != map.job(name), "there is a job " + name +
            ": choose another name, or delete that job first");
        UsageException.refuseIf(map.jobs().size() >= ClusterMap.MAX_JOBS, "the cluster has " + map.jobs().size() +
            " jobs, and can have no more: delete one");
        UsageException.refuseIf(!map.job().functions().containsAll(job.functions()), "invalid --functions=" +
            job.functions() + ": must be some of those that the cluster's first job names, " + map.job().functions() +
            ", because every server has these");
        final int free = largestFree(map);
        UsageException.refuseIf(job.partitions() > free, "invalid --partitions=" + job.partitions() + ": " + free +
            " of the cluster's " + JobSpec.MAX_PARTITIONS + " are free in one piece");
    }

    private static void check(final ClusterState state, final JobSpec job)
    {
        final long servers = state.nodes().stream().filter((node) -> !node.silent() && !node.draining()).count();
        UsageException.refuseIf(servers < job.copies(), job.copies() + " copies of each partition need as many" +
            " servers, and " + servers + " are heard and not drained");
    }

    /** The longest range of partitions that no job has. */
    private static int largestFree(final ClusterMap map)
    {
        int largest = 0;
        int end = 0;
        for (final ClusterMap.Job other : map.jobs().stream()
            .sorted(Comparator.comparingInt(ClusterMap.Job::firstPartition)).toList())
        {
            largest = Math.max(largest, other.firstPartition() - end);
            end = other.endPartition();
        }

        return Math.max(largest, JobSpec.MAX_PARTITIONS - end);
    }
}
