// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.aeron;

/**
 * A counter that a node shows for each of its replicas among the counters of its media driver, where AeronStat finds
 * it.
 */
public enum ReplicaCounter
{
    /** Ordinal of the state, see {@link io.gradstream.recovery.replica.Replica.State}. */
    STATE,
    /** Ordinal of the role, see {@link io.gradstream.recovery.replica.Role}. */
    ROLE,
    /** Epoch of the newest record applied. */
    EPOCH,
    /** Position up to which it has applied its log. */
    APPLIED,
    /**
     * Position up to which its Archive has recorded, and the Archive of each replica downstream in the acknowledgement
     * set.
     */
    RECORDED,
    /**
     * Position up to which it has applied, and each replica downstream in the acknowledgement set. For a head whose
     * chain is short, the position up to which its own Archive has recorded counts instead of the one it has applied.
     */
    REPLICATED,
    /** Bytes by which {@link #REPLICATED} is behind {@link #APPLIED}. */
    LAG,
    /** Bytes of records that wait to be sent to its follower. */
    QUEUE,
    /** 1 if it is primary and no other replica can have taken its place, else 0. */
    LEASE,
    /** 1 if it may answer workers now, else 0: it holds its lease, and the coordinators know that it leads. */
    ANSWERS;

    /** Type of the first; the others follow in their order. Aeron keeps types below 1000 for itself. */
    public static final int FIRST_TYPE_ID = 17_100;

    /** Type id of the counter. */
    public int typeId()
    {
        return FIRST_TYPE_ID + ordinal();
    }

    /**
     * The counter of a type.
     *
     * @param typeId of any counter.
     * @return the counter, or null if the type is none of these.
     */
    public static ReplicaCounter of(final int typeId)
    {
        final int ordinal = typeId - FIRST_TYPE_ID;
        return ordinal >= 0 && ordinal < values().length ? values()[ordinal] : null;
    }
}
