// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import io.gradstream.codecs.Chain;

/** The part that the coordinator wants a replica to play in its chain. */
public enum Role
{
    /** It has no place in the chain. */
    NONE,
    /** It follows the tail and is not in sync yet: a learner. */
    JOINER,
    /** It is in sync and follows the member before it. */
    MEMBER,
    /** It is the primary. */
    HEAD;

    /** The role of a node. */
    public static Role of(final Chain chain, final int nodeId)
    {
        if (chain.head() == nodeId)
        {
            return HEAD;
        }

        return chain.members().contains(nodeId) ? MEMBER : chain.holds(nodeId) ? JOINER : NONE;
    }

    boolean isFollower()
    {
        return JOINER == this || MEMBER == this;
    }
}
