// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import io.gradstream.codecs.ClusterMap;
import java.nio.file.Path;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of a command that asks a running cluster: where the coordinators are, and how their answers come back. */
public class ClusterOptions
{
    @Mixin
    private CommonOptions common;
    @Mixin
    private CoordinatorOptions coordinator;
    @Option(names = "--aeron-dir", paramLabel = "DIR",
        description = "Directory of this host's running media driver. Default: a small one is run meanwhile.")
    private Path aeronDir;
    @Option(names = "--endpoint", paramLabel = "HOST:PORT",
        description = "Where answers come in; port 0 lets the system choose. Default: this machine's address towards" +
            " the first coordinator.")
    private String endpoint;

    /** True if the user named coordinators. */
    public boolean isNamed()
    {
        return coordinator.isNamed();
    }

    /** The way to the cluster; refuses addresses that cannot be used. */
    public ClusterAccess access()
    {
        coordinator.check(endpoint);
        return new ClusterAccess(
            coordinator.endpoints(), aeronDir, endpoint, common.profile(), common.mtu(), jobName());
    }

    /** The job that is meant: that with which the cluster began. */
    protected String jobName()
    {
        return ClusterMap.Job.DEFAULT_NAME;
    }

    /** Where the cluster is, and one of its jobs. */
    public static final class OfJob extends ClusterOptions
    {
        @Option(names = "--job", paramLabel = "NAME",
            description = "The job that is meant. Default: that with which the cluster began.")
        private String job;

        /** The job that the user named, or null. */
        public String job()
        {
            return job;
        }

        @Override
        protected String jobName()
        {
            return null == job ? super.jobName() : UsageException.refusing(() -> ClusterMap.Job.checkName(job));
        }
    }
}
