/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.cli.recording;

import java.util.Locale;

import io.gradstream.recovery.recording.RecordingEntry;
import io.gradstream.recovery.recording.RecordingEntry.Kind;
import io.gradstream.recovery.recording.StreamReport;
import io.gradstream.recovery.recording.StreamReport.State;

/**
 * Words for recordings and what was found in them.
 */
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

    /** What a recording is, with its job and partition. */
    static String title(final RecordingEntry entry)
    {
        return Kind.OTHER == entry.kind() ? "recording " + entry.recordingId() + ", stream " + entry.streamId() :
            "recording " + entry.recordingId() + ", " + kind(entry) + " of job " + entry.jobId() + " partition " +
            entry.partition();
    }

    /** Whether a recording is sound, and where not. */
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

    /** What is counted in a recording. */
    static String unit(final RecordingEntry entry)
    {
        return Kind.LOG == entry.kind() ? "records" : "frames";
    }

    /** A hash as 16 digits. */
    static String hash(final long hash)
    {
        return String.format(Locale.ROOT, "%016x", hash);
    }

    /** Is a recording one that a verify must fail for? */
    static boolean isBroken(final StreamReport report)
    {
        return State.BROKEN == report.state();
    }
}
