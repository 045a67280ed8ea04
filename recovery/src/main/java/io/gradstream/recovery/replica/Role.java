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
package io.gradstream.recovery.replica;

import io.gradstream.codecs.Chain;

/**
 * What the coordinator wants a replica to be.
 */
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
