// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.recording;

/**
 * The findings of reading a recording from its first frame to its last.
 *
 * @param entry     of the recording.
 * @param state     tells whether it is sound.
 * @param position  where its sound part ends; if it is broken, where.
 * @param epoch     newest one in it.
 * @param count     records of a log, frames of a snapshot or of another stream.
 * @param standsFor log position that a snapshot stands for, or {@link #NO_POSITION}.
 * @param problem   one line, or null if there is nothing to say.
 */
public record StreamReport(
    RecordingEntry entry, State state, long position, long epoch, long count, long standsFor, String problem)
{
    /** The position that a recording stands for that is no snapshot. */
    public static final long NO_POSITION = -1;

    /** Tells whether a recording is sound. */
    public enum State
    {
        /** Sound to its end. */
        COMPLETE,
        /** Sound up to the write in which its process was killed. */
        TORN,
        /** A snapshot that was given up before its end; it never counted. */
        UNFINISHED,
        /** Damaged. */
        BROKEN
    }

    /** True if nothing is lost that was recorded. */
    public boolean isSound()
    {
        return State.BROKEN != state;
    }

    /** The same recording with something wrong that only another recording shows. */
    StreamReport broken(final long at, final String what)
    {
        return new StreamReport(entry, State.BROKEN, at, epoch, count, standsFor, what);
    }
}
