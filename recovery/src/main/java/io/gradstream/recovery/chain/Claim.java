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
package io.gradstream.recovery.chain;

import io.gradstream.codecs.Chain;

/**
 * What the heir of a chain does to take the lead from a head that lives. From the moment it is named it stands by its
 * predecessor no longer. When it has not for a lease of each member that may be before it, none of them can hold one,
 * as if it had not heard them: then it claims the lead, and the coordinator promotes it.
 */
final class Claim
{
    /** A claim that the coordinator has not answered by a new chain is made again after so long. */
    static final long RETRY_NS = 500_000_000;

    private boolean isOpen;
    private boolean isMade;
    private long version;
    private long sinceNs;
    private long madeNs;

    /**
     * The coordinator has decided.
     */
    void onChain(final Chain chain, final int nodeId, final long nowNs)
    {
        final boolean isHeir = chain.heir() == nodeId && chain.members().indexOf(nodeId) > 0;
        if (isHeir && (!isOpen || version != chain.version()))
        {
            sinceNs = nowNs;
            isMade = false;
        }
        isOpen = isHeir;
        version = chain.version();
    }

    /**
     * Is it the heir? Then it stands by nobody.
     */
    boolean isOpen()
    {
        return isOpen;
    }

    /**
     * How long an heir waits: until those before it are without a lease, and two heartbeats for clocks that run
     * differently; never longer than if they were silent.
     */
    static long waitNs(final ChainTiming timing, final Chain chain)
    {
        final int before = Math.max(chain.wanted(), chain.members().size()) - 1;
        return Math.min(timing.suspicionNs(), before * timing.leaseNs() + 2 * timing.heartbeatNs());
    }

    /**
     * Can nobody before it hold a lease any more, and is that to be told now?
     */
    boolean isDue(final long waitNs, final long nowNs)
    {
        return isOpen && nowNs - sinceNs >= waitNs && (!isMade || nowNs - madeNs >= RETRY_NS);
    }

    /**
     * The coordinator is told.
     */
    void onMade(final long nowNs)
    {
        isMade = true;
        madeNs = nowNs;
    }
}
