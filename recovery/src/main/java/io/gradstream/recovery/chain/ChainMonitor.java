// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.chain;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.recovery.replica.ChainLink;
import io.gradstream.recovery.replica.Replica;
import org.agrona.collections.Int2ObjectHashMap;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.LongPredicate;

/**
 * Watches the neighbours of all replicas of one node: hands the coordinator's decisions to the replicas, exchanges
 * heartbeats, suspects silent and deaf neighbours, and tells predecessors how far the replicas have come. Pure; called
 * in each duty cycle of the one thread that owns the replicas.
 */
public final class ChainMonitor
{
    private final int nodeId;
    private final long incarnation;
    private final ChainTiming timing;
    private final List<ReplicaNeighbours> neighbourhoods = new ArrayList<>();
    private final Int2ObjectHashMap<ReplicaNeighbours> byPartition = new Int2ObjectHashMap<>();
    private final NodePort port;
    private final LongPredicate isAnswered;
    private final NeighbourWatch[] watches;
    private final long[] heartbeatNs;
    private long mapVersion;
    private List<Long> incarnations = List.of();
    private long tickNs;
    private boolean hasTicked;
    private long changes;

    /**
     * Without neighbours until the coordinator names them.
     *
     * @param nodeId      of this node.
     * @param incarnation of this process.
     * @param nodes       number of nodes of the job, whose ids are 0 to nodes - 1.
     * @param timing      of heartbeats, leases and suspicion.
     * @param replicas    of this node.
     * @param port        to the neighbours.
     * @param isAnswered  true if the coordinators have answered this node since a time by its clock; else it asks them.
     */
    public ChainMonitor(
        final int nodeId,
        final long incarnation,
        final int nodes,
        final ChainTiming timing,
        final List<Replica> replicas,
        final NodePort port,
        final LongPredicate isAnswered)
    {
        this.nodeId = nodeId;
        this.incarnation = incarnation;
        this.timing = timing;
        this.port = port;
        this.isAnswered = isAnswered;
        watches = new NeighbourWatch[nodes];
        heartbeatNs = new long[nodes];
        replicas.forEach(this::add);
    }

    /** One more replica is kept here, which has not loaded anything yet. */
    public void add(final Replica replica)
    {
        final ReplicaNeighbours neighbourhood = new ReplicaNeighbours(replica, timing);
        neighbourhoods.add(neighbourhood);
        byPartition.put(replica.partition(), neighbourhood);
    }

    /**
     * A replica is no longer kept here.
     *
     * @param partition that it kept.
     */
    public void remove(final int partition)
    {
        neighbourhoods.remove(byPartition.remove(partition));
    }

    /**
     * The coordinator has decided. A map that speaks of an earlier life of this node is ignored.
     *
     * @param map   newest; the same again for replicas that were added since.
     * @param nowNs now.
     */
    public void onMap(final ChainMap map, final long nowNs)
    {
        if (map.version() < mapVersion || nodeId >= map.incarnations().size() ||
            incarnation != map.incarnations().get(nodeId))
        {
            return;
        }
        mapVersion = map.version();
        final boolean[] wasMet = new boolean[watches.length];
        for (int other = 0; other < wasMet.length; other++)
        {
            for (int i = 0, size = neighbourhoods.size(); i < size; i++)
            {
                wasMet[other] |= isTogetherWith(other, neighbourhoods.get(i).replica.chain());
            }
        }
        for (int i = 0, size = neighbourhoods.size(); i < size; i++)
        {
            final Replica replica = neighbourhoods.get(i).replica;
            final Chain before = replica.chain();
            final Chain chain = map.chains().get(replica.partition());
            if (chain.head() != before.head())
            {
                neighbourhoods.get(i).isHeadReplaced = isAnyReplaced(before.members(), map.incarnations());
            }
            replica.onChain(chain);
            if (chain.version() != before.version())
            {
                neighbourhoods.get(i).chainToldBy = mapVersion;
            }
            neighbourhoods.get(i).claim.onChain(chain, nodeId, nowNs);
            if (chain.predecessorOf(nodeId) != before.predecessorOf(nodeId))
            {
                neighbourhoods.get(i).followingSinceNs = nowNs;
            }
            if (chain.predecessorOf(nodeId) != before.predecessorOf(nodeId) || chain.head() != before.head())
            {
                neighbourhoods.get(i).placedVersion = mapVersion;
                neighbourhoods.get(i).placedNs = nowNs;
            }
            if (chain.successorOf(nodeId) != before.successorOf(nodeId))
            {
                neighbourhoods.get(i).followedVersion = mapVersion;
                neighbourhoods.get(i).followedNs = nowNs;
            }
            if (chain.joiner() != before.joiner())
            {
                neighbourhoods.get(i).joinedNs = nowNs;
            }
            meet(wasMet, chain, nowNs);
        }
        incarnations = map.incarnations();
    }

    /** True if one of these nodes is another process now than it was by the map before. */
    private boolean isAnyReplaced(final List<Integer> members, final List<Long> newest)
    {
        return members.stream().anyMatch((node) -> node < incarnations.size() &&
            !incarnations.get(node).equals(newest.get(node)));
    }

    /** Every node that shares a chain with this node now and shared none before may need time to connect. */
    private void meet(final boolean[] wasMet, final Chain chain, final long nowNs)
    {
        for (int other = 0; other < watches.length; other++)
        {
            if (isTogetherWith(other, chain) && !wasMet[other])
            {
                watch(other, nowNs).onNeighbour(nowNs);
            }
        }
    }

    private boolean isTogetherWith(final int other, final Chain chain)
    {
        return other != nodeId && chain.holds(other) && chain.holds(nodeId);
    }

    /** A follower has attached: it grants a lease by a heartbeat that is sent after that. */
    public void onAttached(final int from, final long nowNs)
    {
        if (isNode(from))
        {
            watch(from, nowNs);
            heartbeatNs[from] = nowNs - timing.heartbeatNs();
        }
    }

    /**
     * A neighbour's heartbeat came.
     *
     * @param from  its node id.
     * @param peer  what it says.
     * @param nowNs now.
     */
    public void onHeartbeat(final int from, final PeerHeartbeat peer, final long nowNs)
    {
        if (isNode(from))
        {
            watch(from, nowNs).onHeartbeat(peer, nowNs);
        }
    }

    /**
     * True if a head may answer workers: no replica can have been promoted in its place. A member in the middle of a
     * chain asks the same before it grants its predecessor a lease.
     *
     * @param replica of this node.
     * @param nowNs   now.
     */
    public boolean holdsLease(final Replica replica, final long nowNs)
    {
        return replica.downstream().hasLease(timing.leaseNs(), nowNs) &&
            (Chain.NONE != replica.chain().predecessorOf(nodeId) || isPredecessorOver(replica, nowNs));
    }

    /**
     * True if the predecessor to which this replica granted a lease last can no longer answer anybody. A process that
     * the coordinator takes for dead, because another one is its node now, may live.
     */
    private boolean isPredecessorOver(final Replica replica, final long nowNs)
    {
        final ReplicaNeighbours own = byPartition.get(replica.partition());
        return !own.isHeadReplaced || !own.hasGranted || nowNs - own.grantedNs >= timing.suspicionNs();
    }

    /**
     * One duty cycle, after everything that came from neighbours was handled.
     *
     * @param nowNs now.
     * @return how much was done.
     */
    public int doWork(final long nowNs)
    {
        if (hasTicked && nowNs - tickNs > timing.suspicionNs() / 2)
        {
            onSelfAway(nowNs - tickNs, nowNs);
        }
        hasTicked = true;
        tickNs = nowNs;

        int workCount = 0;
        for (int i = 0, size = neighbourhoods.size(); i < size; i++)
        {
            final Replica replica = neighbourhoods.get(i).replica;
            final Chain chain = replica.chain();
            workCount += sendHeartbeats(chain, nowNs);
            workCount += suspect(chain.predecessorOf(nodeId), i, nowNs);
            workCount += suspect(chain.successorOf(nodeId), i, nowNs);
            workCount += seal(i, nowNs) + claim(i, nowNs);
            workCount += reportProgress(i, nowNs);
        }

        return workCount;
    }

    /**
     * Heartbeats go to the whole chain: a replica that becomes a neighbour because those between have died is known by
     * then, and its silence too.
     */
    private int sendHeartbeats(final Chain chain, final long nowNs)
    {
        int workCount = sendHeartbeat(chain.joiner(), chain, nowNs);
        for (int i = 0, size = chain.members().size(); i < size; i++)
        {
            workCount += sendHeartbeat(chain.members().get(i), chain, nowNs);
        }

        return workCount;
    }

    private int sendHeartbeat(final int other, final Chain chain, final long nowNs)
    {
        if (Chain.NONE != other && isTogetherWith(other, chain) && isHeartbeatDue(other, nowNs) &&
            port.heartbeat(
                other, nowNs, watch(other, nowNs).peerSentNs(), watch(other, nowNs).silentNs(nowNs), mapVersion))
        {
            heartbeatNs[other] = nowNs;
            return 1;
        }

        return 0;
    }

    private boolean isHeartbeatDue(final int other, final long nowNs)
    {
        watch(other, nowNs);
        return nowNs - heartbeatNs[other] >= timing.heartbeatNs();
    }

    private int suspect(final int neighbour, final int index, final long nowNs)
    {
        if (Chain.NONE == neighbour)
        {
            return 0;
        }
        final ReplicaNeighbours own = neighbourhoods.get(index);
        final Chain chain = own.replica.chain();
        final boolean isPredecessor = chain.predecessorOf(nodeId) == neighbour;
        final LinkSuspicion complaint = isPredecessor ? own.ofPredecessor : own.ofSuccessor;
        final NeighbourWatch watch = watch(neighbour, nowNs);
        // a joiner has nothing that its predecessor could lose a place in sync for
        final boolean isMember = chain.members().contains(nodeId);
        final boolean isFailing = isPredecessor ? isMember && isLost(index, watch, nowNs) :
            isSuccessorLost(own, watch, nowNs);
        boolean isNews = complaint.isFailing(isFailing || isPromotionAskedFor(index, neighbour), nowNs);
        final boolean isFailed = complaint.isFailing();
        final long answerNs = timing.suspicionNs() / (isFailed ? 2 : 4);
        final boolean hasAnswer = (isFailed || isAboutToFail(watch, nowNs)) && isAnswered.test(nowNs - answerNs);
        if (isFailed)
        {
            final boolean isOtherBehind =
                isPredecessor && isMember && chain.members().contains(chain.successorOf(nodeId));
            isNews |= complaint.judge(
                neighbour, hasAnswer, isAlone(chain, nowNs), isOtherBehind, chain.version(), nowNs);
        }

        return changed(isNews);
    }

    private int changed(final boolean isNews)
    {
        changes += isNews ? 1 : 0;
        return isNews ? 1 : 0;
    }

    /** Number of changes of what the coordinators are to be told: suspicions and claims. */
    public long changes()
    {
        return changes;
    }

    /**
     * True if a replica claims the lead of its chain, as the chain's transferee.
     *
     * @param partition that the replica keeps.
     */
    public boolean claims(final int partition)
    {
        return byPartition.get(partition).isClaiming;
    }

    /**
     * True if a replica claims the lead of its chain from a head that has stopped and has handed everything on.
     *
     * @param partition that the replica keeps.
     */
    public boolean takesOver(final int partition)
    {
        return claims(partition) && isHandedTheLead(byPartition.get(partition).replica);
    }

    /**
     * Name the neighbours of a replica that are out of touch under the chain that the replica was told of.
     *
     * @param partition that the replica keeps.
     * @param consumer  given each, and whether the coordinators have answered this node since the link failed.
     */
    public void forEachSuspicion(final int partition, final BiConsumer<Integer, Boolean> consumer)
    {
        final ReplicaNeighbours own = byPartition.get(partition);
        final long version = own.replica.chain().version();
        if (Chain.NONE != own.ofPredecessor.suspected(version))
        {
            consumer.accept(own.ofPredecessor.suspected(version), own.ofPredecessor.isAnswered());
        }
        if (Chain.NONE != own.ofSuccessor.suspected(version))
        {
            consumer.accept(own.ofSuccessor.suspected(version), own.ofSuccessor.isAnswered());
        }
    }

    /**
     * The coordinators are told all suspicions and claims as they are now. From here on a member may be promoted in the
     * place of the predecessor that it suspects, and grants that predecessor no lease.
     *
     * @param nowNs now.
     */
    public void onReported(final long nowNs)
    {
        for (int i = 0, size = neighbourhoods.size(); i < size; i++)
        {
            final ReplicaNeighbours own = neighbourhoods.get(i);
            final Chain chain = own.replica.chain();
            final int predecessor = own.ofPredecessor.suspected(chain.version());
            final int successor = own.ofSuccessor.suspected(chain.version());
            if (Chain.NONE != predecessor)
            {
                watch(predecessor, nowNs).onLinkSuspicion(nowNs);
                own.askedVersion = chain.members().contains(nodeId) ? chain.version() : own.askedVersion;
            }
            if (Chain.NONE != successor)
            {
                watch(successor, nowNs).onLinkSuspicion(nowNs);
            }
        }
    }

    /**
     * True if a link is about to be complained of: by then it should be known whether the coordinator hears this node.
     */
    private boolean isAboutToFail(final NeighbourWatch watch, final long nowNs)
    {
        final long halfNs = timing.suspicionNs() / 2;
        return watch.isSilent(halfNs, nowNs) || watch.isDeaf(halfNs, nowNs);
    }

    /**
     * True if the predecessor may be suspected. Then it is silent, or does not hear this node, or was not told that it
     * has this follower; and the leases that it was granted are over.
     */
    private boolean isLost(final int index, final NeighbourWatch watch, final long nowNs)
    {
        final long suspicionNs = timing.suspicionNs();
        final ReplicaNeighbours own = neighbourhoods.get(index);
        return (watch.isSuspect(nowNs) || isOutOfTouch(own, watch, suspicionNs, nowNs)) &&
            nowNs - own.followingSinceNs >= suspicionNs && (!own.hasGranted || nowNs - own.grantedNs >= suspicionNs);
    }

    /**
     * True if the successor may be suspected. Then it is silent, or does not hear this node, or was not told that it
     * follows this node and so grants it no lease. This node complains of a deaf successor a little sooner than the
     * successor can complain of it, so that of two that hear the coordinators the primary stays.
     * Nobody waits for a joiner outside the acknowledgement set, and a joiner that is sent away has to fetch everything
     * again. So it has time to connect, or to come back to itself.
     */
    private boolean isSuccessorLost(final ReplicaNeighbours own, final NeighbourWatch watch, final long nowNs)
    {
        final Chain chain = own.replica.chain();
        if (chain.joiner() != chain.successorOf(nodeId) || own.replica.downstream().isInSyncSet())
        {
            final boolean isUntold = watch.mapVersion() < own.followedVersion &&
                nowNs - own.followedNs >= timing.suspicionNs() && watch.isHeard(timing.suspicionNs(), nowNs);
            final boolean isBroken = isUntold || watch.isSuspect(nowNs) ||
                watch.isDeaf(timing.suspicionNs() - 2 * timing.heartbeatNs(), nowNs);
            // it grants a lease: what it has said of the time before is over
            return isBroken && !own.replica.downstream().hasLease(timing.leaseNs(), nowNs);
        }
        final long patienceNs = NeighbourWatch.CONNECT_PATIENCE * timing.suspicionNs();

        return nowNs - own.joinedNs >= patienceNs && watch.brokenNs(nowNs) >= patienceNs;
    }

    /** True if the neighbour lives, but does not hear this node or, where this node is a member, the coordinator. */
    private boolean isOutOfTouch(
        final ReplicaNeighbours own, final NeighbourWatch watch, final long forNs, final long nowNs)
    {
        final boolean isUntold = watch.mapVersion() < own.placedVersion && nowNs - own.placedNs >= forNs &&
            own.replica.chain().members().contains(nodeId) && watch.isHeard(timing.suspicionNs(), nowNs);
        return isUntold || watch.isDeaf(forNs, nowNs);
    }

    /**
     * True if a head hears nobody of several who share the chain. Then it may be the one that is deaf. The predecessors
     * of the other members complain of them before those members can complain.
     */
    private boolean isAlone(final Chain chain, final long nowNs)
    {
        boolean isHeard = false;
        for (int i = 0, size = chain.members().size(); i < size; i++)
        {
            final int other = chain.members().get(i);
            isHeard |= other != nodeId && watch(other, nowNs).isHeard(timing.suspicionNs() / 2, nowNs);
        }

        return !isHeard && chain.members().size() > 2 && chain.head() == nodeId;
    }

    /**
     * True if a replica may grant its predecessor a lease. A replica that has asked for the predecessor's place must
     * not, since it may be promoted at any moment, even if it hears the predecessor again. Nor may a replica that is
     * about to ask, because the predecessor is out of touch; nor the transferee. A replica without a lease of its own
     * must not either: a replica after it in the chain may have asked for this node's place.
     */
    private boolean mayGrant(final int index, final long nowNs)
    {
        final Replica replica = neighbourhoods.get(index).replica;
        final int predecessor = replica.chain().predecessorOf(nodeId);
        return Chain.NONE != predecessor && predecessor == replica.upstream().predecessor() &&
            !isPromotionAskedFor(index, predecessor) && !neighbourhoods.get(index).claim.isOpen() &&
            holdsLease(replica, nowNs) &&
            !isOutOfTouch(neighbourhoods.get(index), watch(predecessor, nowNs), timing.leaseNs(), nowNs);
    }

    /**
     * True if this node, in sync, has told the coordinator under this chain that this neighbour, its predecessor, is
     * out of touch.
     */
    private boolean isPromotionAskedFor(final int index, final int neighbour)
    {
        final Chain chain = neighbourhoods.get(index).replica.chain();
        return 0 != chain.version() && neighbourhoods.get(index).askedVersion == chain.version() &&
            chain.predecessorOf(nodeId) == neighbour;
    }

    /**
     * A head that may answer stops once its successor is to take the lead, and knows that. One that may not answer does
     * not: the lease of a head before it may not be over, which the successor has to wait for. Nor does one whose
     * successor has not heard, or one that the coordinators do not answer: nobody would serve as long as that lasts.
     */
    private int seal(final int index, final long nowNs)
    {
        final Replica replica = neighbourhoods.get(index).replica;
        final Chain chain = replica.chain();
        if (Chain.NONE == chain.transferee() || chain.successorOf(nodeId) != chain.transferee() ||
            !replica.isPrimary() || !chain.isConfirmed() || !holdsLease(replica, nowNs) ||
            watch(chain.transferee(), nowNs).mapVersion() < neighbourhoods.get(index).chainToldBy ||
            !isAnswered.test(nowNs - timing.leaseNs()))
        {
            return 0;
        }

        return replica.seal() ? 1 : 0;
    }

    private int claim(final int index, final long nowNs)
    {
        final ReplicaNeighbours own = neighbourhoods.get(index);
        final boolean wasClaiming = own.isClaiming;
        final Chain chain = own.replica.chain();
        own.isClaiming = own.claim.isMade(isHandedTheLead(own.replica), LeadershipClaim.waitNs(timing, chain), nowNs);

        return changed(own.isClaiming != wasClaiming);
    }

    /** True if the head before it has stopped, and every member holds what the head had. */
    private boolean isHandedTheLead(final Replica replica)
    {
        return replica.upstream().isSealed() && replica.chain().predecessorOf(nodeId) == replica.chain().head();
    }

    private int reportProgress(final int index, final long nowNs)
    {
        final ReplicaNeighbours own = neighbourhoods.get(index);
        final Replica replica = own.replica;
        final long attachment = replica.upstream().attachment();
        if (0 == attachment)
        {
            return 0;
        }
        final long applied = replica.replicatedPosition();
        final long recorded = replica.recordedPosition();
        final long snapshotted = replica.snapshottedPosition();
        final long before = attachment == own.attachment ? own.grantNs : 0;
        final long grantNs = mayGrant(index, nowNs) ?
            watch(replica.upstream().predecessor(), nowNs).peerSentNs() : before;
        final boolean isNews = attachment != own.attachment || applied != own.applied ||
            recorded != own.recorded || snapshotted != own.snapshotted || grantNs != own.grantNs;
        if ((isNews || nowNs - own.sentNs >= timing.heartbeatNs()) &&
            port.progress(own.link(attachment), applied, recorded, snapshotted, grantNs))
        {
            if (grantNs != before)
            {
                own.hasGranted = true;
                own.grantedNs = watch(replica.upstream().predecessor(), nowNs).heardNs();
            }
            own.attachment = attachment;
            own.applied = applied;
            own.recorded = recorded;
            own.snapshotted = snapshotted;
            own.grantNs = grantNs;
            own.sentNs = nowNs;
            return 1;
        }

        return 0;
    }

    private void onSelfAway(final long awayNs, final long nowNs)
    {
        for (final NeighbourWatch watch : watches)
        {
            if (null != watch)
            {
                watch.onSelfAway(awayNs, nowNs);
            }
        }
    }

    private boolean isNode(final int id)
    {
        return id >= 0 && id < watches.length && id != nodeId;
    }

    private NeighbourWatch watch(final int neighbour, final long nowNs)
    {
        if (null == watches[neighbour])
        {
            watches[neighbour] = new NeighbourWatch(timing, nowNs);
            heartbeatNs[neighbour] = nowNs - timing.heartbeatNs();
        }

        return watches[neighbour];
    }

    /** One replica, what it makes of its neighbours, and what its predecessor was told last. */
    private static final class ReplicaNeighbours
    {
        private final Replica replica;
        private final LeadershipClaim claim = new LeadershipClaim();
        private final LinkSuspicion ofPredecessor;
        private final LinkSuspicion ofSuccessor;
        private boolean isClaiming;
        /** Version of the chain under which it has told, in sync, that its predecessor is out of touch. */
        private long askedVersion;
        /** The time since which it knows that it follows the predecessor it has now. */
        private long followingSinceNs;
        /** Version of the map by which it has its predecessor, and the chain its head, and since when it knows that. */
        private long placedVersion;
        private long placedNs;
        /** Version of the map by which it has the successor that it has now, and since when it knows that. */
        private long followedVersion;
        private long followedNs;
        /** Version of the first map that has the chain as it is now. */
        private long chainToldBy;
        /** The time since which there is the joiner that there is now. */
        private long joinedNs;
        /** True if it has granted its predecessor a lease, and when the newest heartbeat was heard for which it has. */
        private boolean hasGranted;
        private long grantedNs;
        /** True if another process was one of the members before, when the chain's head changed last. */
        private boolean isHeadReplaced;
        private ChainLink link;
        private long attachment;
        private long applied;
        private long recorded;
        private long snapshotted;
        private long grantNs;
        private long sentNs;

        private ReplicaNeighbours(final Replica replica, final ChainTiming timing)
        {
            this.replica = replica;
            ofPredecessor = new LinkSuspicion(timing);
            ofSuccessor = new LinkSuspicion(timing);
        }

        ChainLink link(final long newAttachment)
        {
            if (null == link || link.attachment() != newAttachment)
            {
                link = new ChainLink(replica.upstream().predecessor(), replica.partition(), newAttachment);
            }

            return link;
        }
    }
}
