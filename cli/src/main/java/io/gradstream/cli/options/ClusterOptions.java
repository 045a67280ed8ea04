// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import io.gradstream.codecs.ClusterMap;
import java.nio.file.Path;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of a command that asks a running cluster: where the coordinators are, and how their answers come back. */
public final class ClusterOptions
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

    @Option(names = "--job", paramLabel = "NAME",
        description = "The job that is meant. Default: that with which the cluster began.")
    private String job;

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

    /** The job that the user named, or null. */
    public String job()
    {
        return job;
    }

    private String jobName()
    {
        return null == job ? ClusterMap.Job.DEFAULT_NAME : UsageException.refusing(() -> ClusterMap.Job.checkName(job));
    }
}
