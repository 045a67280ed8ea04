// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import io.gradstream.cli.options.ClusterAccess;
import io.gradstream.cli.options.ClusterOptions;
import io.gradstream.cli.options.Failures;
import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.JobSpec;
import io.gradstream.launcher.process.ParentLink;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.util.List;
import java.util.concurrent.Callable;

/** Says how far the slots of a job that runs may be apart from now on, and what it may take of its servers. */
@Command(name = "set", description = "Say how far the workers of a running job may be apart from now on," +
    " and what it may take of its servers.")
public final class JobSetCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions.OfJob cluster;

    @Option(names = "--staleness", paramLabel = "0|N|unbounded",
        description = "Most iterations by which another slot's pushes may be behind in what a slot pulls. Default:" +
            " as it is.")
    private String staleness;

    @Option(names = "--slots", paramLabel = "N",
        description = "Workers that others wait for: slots 0 to N - 1. Default: as it is.")
    private Integer slots;

    @Mixin
    private JobLimits limits;

    @Override
    public Integer call()
    {
        UsageException.refuseIf(null == staleness && null == slots && !limits.isGiven(),
            "nothing to set: name --staleness, --slots, --max-row-bytes or --push-rate");
        final int bound = null == staleness ? Consistency.UNBOUNDED :
            UsageException.refusing(() -> Consistency.parseStaleness(staleness));
        final ClusterAccess access = cluster.access();
        try (ParentLink parent = ParentLink.open(false);
            StatusSession session = StatusSession.open(access, parent::isStopped))
        {
            if (null == session.look(new ClusterWatch.LocalServers(List.of(), (node) -> true), null))
            {
                return Failures.EXIT_FAILED;
            }
            final JobSpec job = session.job();
            if (null == job)
            {
                throw new IllegalStateException("no job is known: a coordinator that starts defines it");
            }
            final Consistency consistency = wanted(job, bound);
            final JobSpec.Limits wanted = limits.over(job.limits());
            if (!session.setConsistency(consistency) || !session.setLimits(wanted))
            {
                return Failures.EXIT_FAILED;
            }
            final String bounds = String.format(
                Locale.ROOT, "staleness %s, slots %d", consistency.label(), consistency.slots());
            spec.commandLine().getOut().println(
                limits.isGiven() ? bounds + ", " + StatusText.limits(wanted.rowBytes(), wanted.pushRate()) : bounds);
        }

        return 0;
    }

    private Consistency wanted(final JobSpec job, final int bound)
    {
        final Consistency now = job.consistency();
        return UsageException.refusing(() -> job.with(new Consistency(null == slots ? now.slots() : slots,
            null == staleness ? now.staleness() : bound)).consistency());
    }
}
