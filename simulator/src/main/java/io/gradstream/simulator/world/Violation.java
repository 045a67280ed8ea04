// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.world;

/** A promise that was not kept, found by a check of the simulator. */
public final class Violation extends RuntimeException
{
    /** Which promise. */
    public enum Kind
    {
        /** A (slot, sequence) was applied twice. */
        DOUBLED,
        /** A part that was recorded or applied is gone. */
        LOST,
        /** A worker let go of a push that was not safe at its level. */
        ACKNOWLEDGED_TOO_EARLY,
        /** A watermark says more than is true. */
        WATERMARK_BEYOND_TRUTH,
        /** A watermark went back within an epoch. */
        WATERMARK_WENT_BACK,
        /** Positions are out of order. */
        POSITIONS,
        /** A buffer grew beyond its limit. */
        UNBOUNDED,
        /** A refused push passed for a success, or the other way round. */
        WRONG_OUTCOME,
        /** A worker gave up. */
        WORKER_HALTED,
        /** A replica gave up. */
        REPLICA_HALTED,
        /** Two replicas of a partition could answer at the same time, or held the same epoch. */
        TWO_PRIMARIES,
        /** A head told a worker something before the coordinators knew without whom it goes on. */
        ANSWERED_UNCONFIRMED,
        /** A head confirmed while its disk lacked what was acknowledged. */
        CONFIRMED_TOO_EARLY,
        /** A copy deleted of its log what a partition may have to be opened with. */
        NEEDED_LOG_CUT,
        /** Two logs or states that stand at the same place are not the same. */
        HASH_DIFFERS,
        /** Two coordinators that have taken the same, or a coordinator and its snapshot, are not alike. */
        COORDINATORS_DIFFER,
        /** The coordinators decided what they must not, seen what they had taken. */
        DECISION_WRONG,
        /** A process was given an older map after a newer one. */
        MAP_WENT_BACK,
        /** Production code found that it is wrong. */
        INVARIANT_BROKEN,
        /** A copy and the coordinators reach each other, and a partition is served too late or no more. */
        NOT_SERVED,
        /** Faults are over and a push is still not acknowledged. */
        NO_PROGRESS,
        /** The rows are not what the issued pushes add up to. */
        MODEL_DIFFERS,
        /** A pull returned rows that lack what its caller may rely on. */
        STALE_READ,
        /** A pull returned rows without iterations that the job's staleness bound promises. */
        STALENESS_EXCEEDED,
        /** All copies of a partition are damaged, and nobody says so. */
        LOSS_NOT_TOLD,
        /** A copy, or an answer, shows something of another job. */
        OF_ANOTHER_JOB
    }

    private static final long serialVersionUID = 1L;

    private final Kind kind;

    public Violation(final Kind kind, final String detail)
    {
        this(kind, detail, null);
    }

    public Violation(final Kind kind, final String detail, final Throwable cause)
    {
        super(kind + ": " + detail, cause);
        this.kind = kind;
    }

    public Kind kind()
    {
        return kind;
    }

    public static void check(final boolean condition, final Kind kind, final String what, final long... values)
    {
        if (!condition)
        {
            throw new Violation(kind, what + " " + java.util.Arrays.toString(values));
        }
    }
}
