// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.aeron;

/**
 * What a node shows of each of its replicas in the counters of its media driver, where AeronStat finds it.
 */
public enum ReplicaCounter
{
    /** Ordinal of the rung, see {@link io.gradstream.recovery.replica.Replica.State}. */
    RUNG,
    /** Ordinal of the role, see {@link io.gradstream.recovery.replica.Role}. */
    ROLE,
    /** Epoch of the newest record applied. */
    EPOCH,
    /** Position up to which it has applied its log. */
    APPLIED,
    /** Position up to which its Archive has recorded, and that of everybody in the acknowledgement set behind it. */
    RECORDED,
    /** Position up to which it has applied, and everybody in the acknowledgement set behind it. */
    REPLICATED,
    /** Bytes that it has applied and somebody in the acknowledgement set behind it has not. */
    LAG,
    /** Bytes of records that wait to be sent to its follower. */
    QUEUE,
    /** 1 if it is primary and nobody can have taken its place, else 0. */
    LEASE,
    /** 1 if it may answer workers now, else 0: it holds its lease, and the coordinators know that it leads. */
    ANSWERS;

    /** Type of the first; the others follow in their order. Aeron keeps types below 1000 for itself. */
    public static final int FIRST_TYPE_ID = 17_100;

    /**
     * Type of the counter.
     *
     * @return type id.
     */
    public int typeId()
    {
        return FIRST_TYPE_ID + ordinal();
    }

    /**
     * The counter of a type.
     *
     * @param typeId of any counter.
     * @return which it is, or null if it is none of these.
     */
    public static ReplicaCounter of(final int typeId)
    {
        final int ordinal = typeId - FIRST_TYPE_ID;
        return ordinal >= 0 && ordinal < values().length ? values()[ordinal] : null;
    }
}
