// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.recording;

import java.util.List;

import io.gradstream.cli.options.UsageException;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.recovery.recording.RecordingEntry;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options that choose one recording: by its id, or as the log of a partition. */
final class RecordingChoice
{
    @Parameters(paramLabel = "RECORDING", arity = "0..1", description = "Id of the recording, as list prints it.")
    Long recordingId;

    @Option(names = "--partition", paramLabel = "N", description = "The log of this partition.")
    Integer partition;

    @Option(names = "--job", paramLabel = "N", description = "Job of the partition. Default: the only one there is.")
    Integer jobId;

    /**
     * The recording meant.
     *
     * @throws UsageException if there is none, or it is not clear which.
     */
    RecordingEntry of(final RecordingDirectory directory)
    {
        UsageException.refuseIf(null == recordingId == (null == partition),
            "name a recording by its id or with --partition, one of the two; recordings: " +
                ids(directory));
        if (null != partition)
        {
            final int job = job(directory, jobId);
            final RecordingEntry log = directory.log(job, partition);
            UsageException.refuseIf(null == log,
                "no log of --partition=" + partition + " of job " + job + ": there are " +
                    directory.partitions(job));

            return log;
        }
        final RecordingEntry entry = directory.entry(recordingId);
        UsageException.refuseIf(null == entry, "no recording " + recordingId + ": there are " + ids(directory));

        return entry;
    }

    /** The job meant, where there may be only one. */
    static int job(final RecordingDirectory directory, final Integer named)
    {
        final List<Integer> jobs = directory.jobIds();
        if (null == named && 1 == jobs.size())
        {
            return jobs.get(0);
        }
        UsageException.refuseIf(null == named || !jobs.contains(named),
            (null == named ? "no --job named" : "no job " + named) + ": there are " + jobs);

        return named;
    }

    private static List<Long> ids(final RecordingDirectory directory)
    {
        return directory.entries().stream().map(RecordingEntry::recordingId).toList();
    }
}
