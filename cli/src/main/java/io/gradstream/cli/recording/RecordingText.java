// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.recording;

import java.util.Locale;

import io.gradstream.recovery.recording.RecordingEntry;
import io.gradstream.recovery.recording.RecordingEntry.Kind;
import io.gradstream.recovery.recording.StreamReport;
import io.gradstream.recovery.recording.StreamReport.State;

/** Words for recordings and for what was found in them. */
final class RecordingText
{
    private RecordingText()
    {
    }

    /** log, snapshot or other. */
    static String kind(final RecordingEntry entry)
    {
        return entry.kind().name().toLowerCase(Locale.ROOT);
    }

    /** The number and kind of a recording, with its job and partition, or its stream if it is of another kind. */
    static String title(final RecordingEntry entry)
    {
        return Kind.OTHER == entry.kind() ? "recording " + entry.recordingId() + ", stream " + entry.streamId() :
            "recording " + entry.recordingId() + ", " + kind(entry) + " of job " + entry.jobId() + " partition " +
            entry.partition();
    }

    /** The state of a recording, with the place and the problem if it is not sound. */
    static String state(final StreamReport report)
    {
        final String word = report.state().name().toLowerCase(Locale.ROOT);
        return switch (report.state())
        {
            case COMPLETE -> word + (StreamReport.NO_POSITION == report.standsFor() ?
                "" : ", of log position " + report.standsFor());
            case UNFINISHED -> word + ": " + report.problem();
            case TORN -> word + " at position " + report.position() + " (" + report.problem() + ")";
            case BROKEN -> word + " at position " + report.position() + ": " + report.problem();
        };
    }

    /** The unit in which a recording is counted. */
    static String unit(final RecordingEntry entry)
    {
        return Kind.LOG == entry.kind() ? "records" : "frames";
    }

    /** A hash as 16 digits. */
    static String hash(final long hash)
    {
        return String.format(Locale.ROOT, "%016x", hash);
    }

    /** True if a verify must fail for a recording. */
    static boolean isBroken(final StreamReport report)
    {
        return State.BROKEN == report.state();
    }
}
