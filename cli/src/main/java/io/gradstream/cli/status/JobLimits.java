// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import io.gradstream.cli.options.UsageException;
import io.gradstream.cli.options.ValueConverters;
import io.gradstream.codecs.JobSpec;
import picocli.CommandLine.Option;

/** Options that say what a job may take of its servers. */
public final class JobLimits
{
    @Option(names = "--max-row-bytes", paramLabel = "BYTES", converter = ValueConverters.Size.class,
        description = "Most bytes of rows and their state that the job may hold, an equal part of them in each" +
            " partition; a push that adds rows beyond that is refused. 0: no limit. Default: as it is, at first none.")
    private Long rowBytes;

    @Option(names = "--push-rate", paramLabel = "BYTES", converter = ValueConverters.Size.class,
        description = "Most bytes of pushes a second that each server takes of the job, such as 50m, at least 1m; its" +
            " workers are held back then. 0: no limit. Default: as it is, at first none.")
    private Long pushRate;

    /** True if a limit is named. */
    public boolean isGiven()
    {
        return null != rowBytes || null != pushRate;
    }

    /**
     * The limits named, and those of before where none is.
     *
     * @throws UsageException if one cannot be.
     */
    public JobSpec.Limits over(final JobSpec.Limits before)
    {
        return UsageException.refusing(() -> new JobSpec.Limits(
            null == rowBytes ? before.rowBytes() : rowBytes, null == pushRate ? before.pushRate() : pushRate));
    }
}
