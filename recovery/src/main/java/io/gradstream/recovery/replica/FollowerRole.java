// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

/** The role of a replica's follower in the chain; the link to it may be in any state meanwhile. */
enum FollowerRole
{
    /** There is no follower. */
    NOBODY,
    /** It joins, and nothing waits for it. */
    JOINER,
    /** It joins, and nothing is acknowledged without it until the coordinator decides again. */
    JOINER_IN_SET,
    /** The coordinator was asked to admit it: it may be a member in sync at any moment. */
    ADMISSION_ASKED,
    /** It is a member in sync. */
    MEMBER;

    boolean isInSyncSet()
    {
        return NOBODY != this && JOINER != this;
    }
}
