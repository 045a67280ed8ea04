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
 * A replica's place in its chain: the coordinator's newest decision, and what the coordinator must be told under it.
 */
final class ChainMembership
{
    /** An admission that the coordinator has not answered by a new chain is asked for again after so long. */
    static final long ADMIT_RETRY_NS = 500_000_000;

    private final int nodeId;
    private final Downstream downstream;
    private Chain chain = new Chain(0, 0, List.of(), Chain.NONE, 0);
    private int predecessor = Chain.NONE;
    private Role role = Role.NONE;
    private long confirmedVersion;
    private long admittedVersion;
    private long admittedNs;

    ChainMembership(final int nodeId, final Downstream downstream)
    {
        this.nodeId = nodeId;
        this.downstream = downstream;
    }

    /** A newer decision. */
    void chain(final Chain newChain)
    {
        final Chain before = chain;
        chain = newChain;
        predecessor = newChain.predecessorOf(nodeId);
        role = Role.of(newChain, nodeId);
        downstream.onChain(before, newChain);
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

    boolean isMember()
    {
        return chain.members().contains(nodeId);
    }

    int predecessor()
    {
        return predecessor;
    }

    /** Tell the coordinator under which membership a head acknowledges. */
    int confirm(final int partition, final ReplicaReports reports)
    {
        if (confirmedVersion < chain.version() && reports.confirm(partition, chain.version()))
        {
            confirmedVersion = chain.version();
            return 1;
        }

        return 0;
    }

    /** The last member, head or not, has the coordinator admit the joiner. */
    int admitJoiner(final int partition, final ReplicaReports reports, final long nowNs)
    {
        final boolean isDue = admittedVersion < chain.version() || nowNs - admittedNs >= ADMIT_RETRY_NS;
        if (isDue && downstream.mayBeAdmitted() && reports.admit(partition, chain.version(), chain.joiner()))
        {
            admittedVersion = chain.version();
            admittedNs = nowNs;
            downstream.onAdmissionAsked();
            return 1;
        }

        return 0;
    }
}
