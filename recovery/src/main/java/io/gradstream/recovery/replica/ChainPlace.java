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

import java.util.List;

/**
 * A replica's place in its chain by the coordinator's newest decision.
 */
final class ChainPlace
{
    private final int nodeId;
    private final Downstream downstream;
    private Chain chain = new Chain(0, 0, List.of(), Chain.NONE, 0);
    private int predecessor = Chain.NONE;
    private Role role = Role.NONE;

    ChainPlace(final int nodeId, final Downstream downstream)
    {
        this.nodeId = nodeId;
        this.downstream = downstream;
    }

    /**
     * A decision that is not older than the last. Under one version only {@link Chain#needed()} changes: a joiner whose
     * log is needed as it is has no role before its head has confirmed.
     */
    void chain(final Chain newChain)
    {
        final Chain before = chain;
        chain = newChain;
        final Role named = Role.of(newChain, nodeId);
        role = Role.JOINER == named && isNeeded() ? Role.NONE : named;
        predecessor = newChain.predecessorOf(nodeId);
        if (newChain.version() > before.version())
        {
            downstream.onChain(before, newChain);
        }
    }

    Chain chain()
    {
        return chain;
    }

    /** What the coordinator wants this replica to be. */
    Role role()
    {
        return role;
    }

    boolean isHeadOf(final long epoch)
    {
        return Role.HEAD == role && chain.epoch() == epoch;
    }

    /** Is the partition not opened with this copy, for what it may lack? */
    boolean isRefused()
    {
        return chain.refused().contains(nodeId);
    }

    /** Must its log be kept as it is, until a head has confirmed that it acknowledges without it? */
    boolean isNeeded()
    {
        return chain.needed().contains(nodeId);
    }

    /** Must it be kept, or is there no head that goes on without it? */
    boolean mayBeNeeded()
    {
        return isNeeded() || chain.members().isEmpty();
    }

    boolean isMember()
    {
        return chain.members().contains(nodeId);
    }

    int predecessor()
    {
        return predecessor;
    }
}
