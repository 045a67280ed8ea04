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
import io.gradstream.recovery.log.ReplicatedState;

import java.util.List;

/**
 * A replica's place in its chain: the coordinator's newest decision, who follows, and how far that counts in what is
 * acknowledged.
 */
final class ChainMembership
{
    /** Bytes applied here and not by a counted follower beyond which a head takes no more pushes. */
    static final long MAX_REPLICATION_LAG = 8 * 1024 * 1024;
    /** A joiner that lags by less is counted in every acknowledgement, and then admitted. */
    static final long COUNT_LAG = 1024 * 1024;

    /** An admission that the coordinator has not answered by a new chain is asked for again after so long. */
    static final long ADMIT_RETRY_NS = 500_000_000;

    private static final long NOT_COUNTED = -1;

    private final int nodeId;
    private final ReplicatedState replicated;
    private Chain chain = new Chain(0, 0, List.of(), Chain.NONE, 0);
    private Downstream successor;
    /** Where counting the joiner began. */
    private long countedFrom = NOT_COUNTED;
    private long confirmedVersion;
    private long admittedVersion;
    private long admittedNs;

    ChainMembership(final int nodeId, final ReplicatedState replicated)
    {
        this.nodeId = nodeId;
        this.replicated = replicated;
    }

    /** A newer decision; what a follower has reported in another place no longer counts. */
    void chain(final Chain newChain)
    {
        final int before = chain.successorOf(nodeId);
        final int joinerBefore = chain.joiner();
        final long versionBefore = chain.version();
        chain = newChain;
        final int next = chain.successorOf(nodeId);
        final boolean isSameFollower = next == before &&
            (next != chain.joiner() || next == joinerBefore && chain.version() == versionBefore + 1);
        if (!isSameFollower)
        {
            detach();
        }
        if (next != chain.joiner())
        {
            countedFrom = NOT_COUNTED;
        }
        if (null != successor && chain.version() != versionBefore)
        {
            successor.isAdmissionAsked(false);
        }
    }

    /**
     * Whoever follows has attached, perhaps with less than it had before: what was acknowledged while it was counted
     * then it may lack now.
     */
    void onAttached()
    {
        countedFrom = NOT_COUNTED == countedFrom ? NOT_COUNTED : replicated.cursor().position();
    }

    Chain chain()
    {
        return chain;
    }

    Role role()
    {
        return Role.of(chain, nodeId);
    }

    boolean isFollower()
    {
        return role().isFollower();
    }

    boolean isMember()
    {
        return chain.members().contains(nodeId);
    }

    int predecessor()
    {
        return chain.predecessorOf(nodeId);
    }

    boolean isFollowedBy(final int other)
    {
        return Chain.NONE != other && chain.successorOf(nodeId) == other;
    }

    /** The link to the follower, or null before anybody has attached. */
    Downstream successor()
    {
        return successor;
    }

    Downstream successor(final Downstream opened)
    {
        successor = opened;
        return successor;
    }

    void detach()
    {
        countedFrom = NOT_COUNTED;
        if (null != successor)
        {
            successor.detach();
        }
    }

    /**
     * Is whoever follows counted: a member in sync, or a joiner about to be one? Once counted, only the coordinator's
     * next decision ends that.
     */
    boolean isSuccessorCounted()
    {
        final int next = chain.successorOf(nodeId);
        return Chain.NONE != next && (next != chain.joiner() || NOT_COUNTED != countedFrom);
    }

    /** A position here, or that of the counted follower if that is lower. */
    long atMostApplied(final long own)
    {
        return isSuccessorCounted() ? Math.min(own, null == successor ? 0 : successor.applied()) : own;
    }

    long atMostRecorded(final long own)
    {
        return isSuccessorCounted() ? Math.min(own, null == successor ? 0 : successor.recorded()) : own;
    }

    long atMostCovered(final long own)
    {
        return isSuccessorCounted() ? Math.min(own, null == successor ? 0 : successor.covered()) : own;
    }

    boolean hasRoom()
    {
        final long position = replicated.cursor().position();
        return (null == successor || !successor.isHoldingBack()) &&
            position - atMostApplied(position) <= MAX_REPLICATION_LAG;
    }

    /**
     * Tell the coordinator under which membership a head acknowledges.
     */
    int confirm(final int partition, final ReplicaReports reports)
    {
        if (confirmedVersion < chain.version() && reports.confirm(partition, chain.version()))
        {
            confirmedVersion = chain.version();
            return 1;
        }

        return 0;
    }

    /**
     * The last member, head or not, admits the joiner. A joiner is counted before it is admitted: from then on nothing
     * is acknowledged without it, so it lacks nothing that was acknowledged when it has applied, and recorded,
     * everything up to the place where counting began. It is not counted before it has echoed: without its echoes
     * nobody before it holds a lease, and one that hears nothing would stop the chain.
     */
    int admitJoiner(final int partition, final ReplicaReports reports, final long nowNs)
    {
        final boolean isLive = null != successor && Downstream.State.LIVE == successor.state();
        if (!isLive || Chain.NONE == chain.joiner() || chain.joiner() != chain.successorOf(nodeId))
        {
            return 0;
        }
        final long position = replicated.cursor().position();
        if (NOT_COUNTED == countedFrom)
        {
            final boolean isNear = position - successor.applied() <= COUNT_LAG;
            countedFrom = isNear && successor.isEchoing() ? position : NOT_COUNTED;
            return 0;
        }
        final boolean isDue = admittedVersion < chain.version() || nowNs - admittedNs >= ADMIT_RETRY_NS;
        if (Math.min(successor.applied(), successor.recorded()) >= countedFrom && isDue &&
            reports.admit(partition, chain.version(), chain.joiner()))
        {
            admittedVersion = chain.version();
            admittedNs = nowNs;
            successor.isAdmissionAsked(true);
            return 1;
        }

        return 0;
    }
}
