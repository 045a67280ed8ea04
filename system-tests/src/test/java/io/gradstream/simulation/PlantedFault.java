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
package io.gradstream.simulation;

import java.util.EnumSet;
import java.util.Set;

/**
 * Mistakes that could be made, put into the ports around the production code to show that the checks see them.
 */
enum PlantedFault
{
    /** None. */
    NONE,
    /** The server says recorded when a part is applied only. */
    ACKNOWLEDGE_BEFORE_RECORDED(Violation.Kind.WATERMARK_BEYOND_TRUTH, Violation.Kind.ACKNOWLEDGED_TOO_EARLY),
    /** Snapshots lose the table of last sequences. */
    DEDUPE_TABLE_LOST(Violation.Kind.SERVER_HALTED, Violation.Kind.INVARIANT_BROKEN, Violation.Kind.LOST),
    /** The worker lets go of what is applied only. */
    RELEASE_AT_APPLIED(Violation.Kind.ACKNOWLEDGED_TOO_EARLY),
    /** The server takes a sequence it already has for the next one. */
    DUPLICATE_ADMITTED(Violation.Kind.DOUBLED, Violation.Kind.INVARIANT_BROKEN, Violation.Kind.WORKER_HALTED),
    /** Watermarks of an older epoch pass for the new one's. */
    STALE_EPOCH_ACCEPTED(Violation.Kind.WATERMARK_BEYOND_TRUTH),
    /** Rows in a snapshot are younger than the snapshot's position. */
    NO_COPY_BEFORE_WRITE(Violation.Kind.DOUBLED),
    /** A restart finds the log shorter than it was recorded. */
    RECORDED_LOG_TRUNCATED(Violation.Kind.LOST, Violation.Kind.WORKER_HALTED),
    /** After a takeover the server still takes parts of the old incarnation that were under way. */
    OLD_INCARNATION_ADMITTED(
        Violation.Kind.LOST, Violation.Kind.DOUBLED, Violation.Kind.WORKER_HALTED, Violation.Kind.MODEL_DIFFERS,
        Violation.Kind.WRONG_OUTCOME, Violation.Kind.WATERMARK_BEYOND_TRUTH, Violation.Kind.ACKNOWLEDGED_TOO_EARLY),
    /** A takeover goes on behind parts that are applied but not recorded. */
    WELCOME_AT_UNRECORDED(Violation.Kind.WORKER_HALTED, Violation.Kind.ACKNOWLEDGED_TOO_EARLY),
    /** An answer to a dead incarnation reaches the one that took its slot over. */
    ANSWER_TO_SUCCESSOR(Violation.Kind.WORKER_HALTED, Violation.Kind.ACKNOWLEDGED_TOO_EARLY),
    /** A snapshot counts before the log has been recorded up to its position. */
    SNAPSHOT_AHEAD_OF_LOG(
        Violation.Kind.SERVER_HALTED, Violation.Kind.ACKNOWLEDGED_TOO_EARLY, Violation.Kind.WATERMARK_BEYOND_TRUTH),
    /** A new primary talks to workers before the beginning of its epoch is recorded: the epoch may be used twice. */
    EPOCH_NOT_RECORDED(Violation.Kind.WATERMARK_WENT_BACK, Violation.Kind.WORKER_HALTED);

    private final Set<Violation.Kind> expected = EnumSet.noneOf(Violation.Kind.class);

    PlantedFault(final Violation.Kind... kinds)
    {
        expected.addAll(java.util.List.of(kinds));
    }

    /**
     * As what it may show.
     */
    Set<Violation.Kind> expected()
    {
        return expected;
    }
}
