// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import io.gradstream.cli.options.ClusterOptions;
import io.gradstream.cli.options.Failures;
import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.ClusterMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.util.Locale;
import java.util.concurrent.Callable;

/** Deletes a job with all that servers keep of it. */
@Command(name = "delete", description = "Delete a job: its servers delete its tables, logs and snapshots.")
public final class JobDeleteCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "The job.")
    private String name;

    @Mixin
    private ClusterOptions cluster;

    @Option(names = "--yes", description = "Confirm it: nothing brings the job back.")
    private boolean isConfirmed;

    @Override
    public Integer call()
    {
        UsageException.refuseIf(!isConfirmed, "'job delete' deletes all tables of the job: say --yes if you mean it");
        UsageException.refuseIf(ClusterMap.Job.DEFAULT_NAME.equals(name), "the job " + name +
            " lives as long as its cluster: end the cluster, and delete the directories, to delete it");
        return JobSession.run(cluster.access(), this::delete);
    }

    private int delete(final StatusSession session)
    {
        final ClusterMap.Job job = session.map().job(name);
        UsageException.refuseIf(null == job, "no job " + name + ": the cluster has " +
            session.jobs().stream().map(ClusterMap.Job::name).toList());
        if (!session.deleteJob(job.id()))
        {
            return Failures.EXIT_FAILED;
        }
        spec.commandLine().getOut().printf(Locale.ROOT,
            "job %s, number %d, is deleted; servers delete what they keep of it%n", name, job.id());

        return 0;
    }
}
