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
import io.gradstream.codecs.ChainMap;
import io.gradstream.recovery.replica.ChainLink;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.recovery.replica.ReplicaReports;

import java.util.ArrayList;
import java.util.List;

/**
 * All replicas of one node among their neighbours: hands on what the coordinator decides, exchanges heartbeats,
 * suspects the silent, and tells predecessors how far its replicas have come. Pure; called in each duty cycle of the
 * one thread that owns the replicas.
 */
public final class ChainMonitor
{
    private final int nodeId;
    private final long incarnation;
    private final ChainTiming timing;
    private final List<Tended> tended = new ArrayList<>();
    private final NodePort port;
    private final ReplicaReports reports;
    private final NeighbourWatch[] watches;
    private final long[] heartbeatNs;
    private long mapVersion;
    private List<Long> incarnations = List.of();
    private long tickNs;
    private boolean hasTicked;
    private boolean isKnown;

    /**
     * Without neighbours until the coordinator names them.
     *
     * @param nodeId      of this node.
     * @param incarnation of this process.
     * @param nodes       number of nodes of the job, whose ids are 0 to nodes - 1.
     * @param timing      of heartbeats, leases and suspicion.
     * @param replicas    of this node.
     * @param port        to the neighbours.
     * @param reports     to the coordinator.
     */
    public ChainMonitor(
        final int nodeId,
        final long incarnation,
        final int nodes,
        final ChainTiming timing,
        final List<Replica> replicas,
        final NodePort port,
        final ReplicaReports reports)
    {
        this.nodeId = nodeId;
        this.incarnation = incarnation;
        this.timing = timing;
        this.port = port;
        this.reports = reports;
        watches = new NeighbourWatch[nodes];
        heartbeatNs = new long[nodes];
        replicas.forEach(this::add);
    }

    /**
     * One more replica is kept here.
     *
     * @param replica at the foot of the ladder.
     */
    public void add(final Replica replica)
    {
        tended.add(new Tended(replica, timing));
    }

    /**
     * The coordinator has decided. A map that speaks of an earlier life of this node is ignored.
     *
     * @param map   newest.
     * @param nowNs now.
     */
    public void onMap(final ChainMap map, final long nowNs)
    {
        if (map.version() <= mapVersion || nodeId >= map.incarnations().size() ||
            incarnation != map.incarnations().get(nodeId))
        {
            return;
        }
        mapVersion = map.version();
        isKnown = true;
        final boolean[] wasMet = new boolean[watches.length];
        for (int other = 0; other < wasMet.length; other++)
        {
            for (int i = 0, size = tended.size(); i < size; i++)
            {
                wasMet[other] |= isTogetherWith(other, tended.get(i).replica.chain());
            }
        }
        for (int i = 0, size = tended.size(); i < size; i++)
        {
            final Replica replica = tended.get(i).replica;
            final Chain before = replica.chain();
            final Chain chain = map.chains().get(replica.partition());
            if (chain.head() != before.head())
            {
                tended.get(i).isHeadReplaced = isAnyReplaced(before.members(), map.incarnations());
            }
            replica.onChain(chain);
            tended.get(i).claim.onChain(chain, nodeId, nowNs);
            if (chain.predecessorOf(nodeId) != before.predecessorOf(nodeId))
            {
                tended.get(i).followingSinceNs = nowNs;
            }
            if (chain.predecessorOf(nodeId) != before.predecessorOf(nodeId) || chain.head() != before.head())
            {
                tended.get(i).placedVersion = mapVersion;
                tended.get(i).placedNs = nowNs;
            }
            if (chain.joiner() != before.joiner())
            {
                tended.get(i).joinedNs = nowNs;
                tended.get(i).hasJoinerWorked = false;
            }
            meet(wasMet, chain, nowNs);
        }
        incarnations = map.incarnations();
    }

    /** Is another process one of these nodes now than was by the map before? */
    private boolean isAnyReplaced(final List<Integer> members, final List<Long> newest)
    {
        return members.stream().anyMatch((node) -> node < incarnations.size() &&
            !incarnations.get(node).equals(newest.get(node)));
    }

    /**
     * Everybody who shares a chain with this node now and shared none before may need time to connect.
     */
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

    /**
     * Does the coordinator know this process?
     *
     * @return false: register.
     */
    public boolean isKnown()
    {
        return isKnown;
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
     * May a head answer workers: can nobody have been promoted in its place? A member in the middle of a chain asks
     * the same before it stands by its predecessor.
     *
     * @param replica of this node.
     * @param nowNs   now.
     * @return true if so.
     */
    public boolean mayAnswer(final Replica replica, final long nowNs)
    {
        return replica.downstream().hasLease(timing.leaseNs(), nowNs) &&
            (Chain.NONE != replica.chain().predecessorOf(nodeId) || isPredecessorOver(replica, nowNs));
    }

    /**
     * Can the one by which this replica stood last answer nobody any more? A process that the coordinator takes for
     * dead, because another one is its node now, may live.
     */
    private boolean isPredecessorOver(final Replica replica, final long nowNs)
    {
        for (int i = 0, size = tended.size(); i < size; i++)
        {
            final Tended last = tended.get(i);
            if (last.replica == replica)
            {
                return !last.isHeadReplaced || !last.hasStood || nowNs - last.stoodNs >= timing.suspicionNs();
            }
        }

        return true;
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
            onSelfAway(nowNs);
        }
        hasTicked = true;
        tickNs = nowNs;

        int workCount = 0;
        for (int i = 0, size = tended.size(); i < size; i++)
        {
            final Replica replica = tended.get(i).replica;
            final Chain chain = replica.chain();
            workCount += sendHeartbeats(chain, nowNs);
            workCount += suspect(chain.predecessorOf(nodeId), i, nowNs);
            workCount += suspect(chain.successorOf(nodeId), i, nowNs);
            workCount += claim(i, nowNs);
            workCount += reportProgress(i, nowNs);
        }

        return workCount;
    }

    /**
     * Heartbeats go to the whole chain: whoever becomes a neighbour because those between have died is known by then,
     * and its silence too.
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
        final Tended last = tended.get(index);
        final Chain chain = last.replica.chain();
        final boolean isPredecessor = chain.predecessorOf(nodeId) == neighbour;
        final LinkComplaint complaint = isPredecessor ? last.ofPredecessor : last.ofSuccessor;
        final NeighbourWatch watch = watch(neighbour, nowNs);
        // a joiner has nothing that its predecessor could lose a place in sync for
        final boolean isMember = chain.members().contains(nodeId);
        final boolean isFailing = isPredecessor ? isMember && isLost(index, watch, nowNs) :
            isSuccessorLost(last, watch, nowNs);
        final boolean isAsked = isPromotionAskedFor(index, neighbour);
        complaint.isFailing(isFailing || isAsked, chain.version(), nowNs);
        if (!complaint.isFailing())
        {
            askForLife(watch, nowNs);
            return 0;
        }
        final boolean isAnswered = reports.isAnswered(nowNs - timing.suspicionNs() / 2);
        final boolean isHeirBehind = isPredecessor && isMember && chain.members().contains(chain.successorOf(nodeId));
        if (complaint.isDue(isAnswered, isAlone(chain, nowNs), isHeirBehind, chain.version(), nowNs) &&
            reports.suspect(last.replica.partition(), chain.version(), neighbour, isAnswered))
        {
            complaint.onTold(isAnswered, chain.version(), nowNs);
            watch.onComplaint(nowNs);
            last.askedVersion = isPredecessor && isMember ? chain.version() : last.askedVersion;
            return 1;
        }

        return 0;
    }

    /** A link that is about to be complained of: whether the coordinator hears this node should be known by then. */
    private void askForLife(final NeighbourWatch watch, final long nowNs)
    {
        final long halfNs = timing.suspicionNs() / 2;
        if (watch.isSilent(halfNs, nowNs) || watch.isDeaf(halfNs, nowNs))
        {
            reports.isAnswered(nowNs - halfNs / 2);
        }
    }

    /**
     * May the predecessor be suspected: it is silent, does not hear this node, or was not told that it has this
     * follower, and cannot hold a lease any more by what it was echoed?
     */
    private boolean isLost(final int index, final NeighbourWatch watch, final long nowNs)
    {
        final long suspicionNs = timing.suspicionNs();
        final Tended last = tended.get(index);
        return (watch.isSuspect(nowNs) || isOutOfTouch(last, watch, suspicionNs, nowNs)) &&
            nowNs - last.followingSinceNs >= suspicionNs && (!last.hasStood || nowNs - last.stoodNs >= suspicionNs);
    }

    /**
     * May the successor be suspected: it is silent, or does not hear this node? It is told a little sooner than the
     * successor can tell of this node, so that of two that hear the coordinator the one in office stays. A joiner with
     * which the link has not worked yet, and which nobody waits for, has time to connect: it comes back at once if it
     * is sent away.
     */
    private boolean isSuccessorLost(final Tended last, final NeighbourWatch watch, final long nowNs)
    {
        final Chain chain = last.replica.chain();
        final boolean isBroken = watch.isSuspect(nowNs) ||
            watch.isDeaf(timing.suspicionNs() - 2 * timing.heartbeatNs(), nowNs);
        if (chain.joiner() != chain.successorOf(nodeId) || last.replica.downstream().isInAcknowledgementSet())
        {
            // it stands by this node: what it has said of the time before is over
            return isBroken && !last.replica.downstream().hasLease(timing.leaseNs(), nowNs);
        }
        last.hasJoinerWorked |= watch.hasWorkedSince(last.joinedNs);

        return isBroken && (last.hasJoinerWorked ||
            nowNs - last.joinedNs >= NeighbourWatch.CONNECT_PATIENCE * timing.suspicionNs());
    }

    /** Does it live, and does not hear this node or, as far as this one is a member, the coordinator? */
    private boolean isOutOfTouch(
        final Tended last, final NeighbourWatch watch, final long forNs, final long nowNs)
    {
        final boolean isUntold = watch.mapVersion() < last.placedVersion && nowNs - last.placedNs >= forNs &&
            last.replica.chain().members().contains(nodeId) && watch.isHeard(timing.suspicionNs(), nowNs);
        return isUntold || watch.isDeaf(forNs, nowNs);
    }

    /**
     * Does a head hear nobody of several who share the chain? Then it may be the one that is deaf. Of the others their
     * predecessors complain before they can.
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
     * May a replica stand by its predecessor? Not when it has asked to be promoted in its place, for then it may be at
     * any moment, even if it hears it again; not when it is about to ask, because the predecessor does not hear it or
     * the coordinator; not as its heir; and not while somebody counted behind it may have asked that.
     */
    private boolean mayEcho(final int index, final long nowNs)
    {
        final Replica replica = tended.get(index).replica;
        final int predecessor = replica.chain().predecessorOf(nodeId);
        return Chain.NONE != predecessor && predecessor == replica.upstream().predecessor() &&
            !isPromotionAskedFor(index, predecessor) && !tended.get(index).claim.isOpen() &&
            mayAnswer(replica, nowNs) &&
            !isOutOfTouch(tended.get(index), watch(predecessor, nowNs), timing.leaseNs(), nowNs);
    }

    /** Has a member in sync told the coordinator under this chain that its predecessor is silent? */
    private boolean isPromotionAskedFor(final int index, final int neighbour)
    {
        final Chain chain = tended.get(index).replica.chain();
        return 0 != chain.version() && tended.get(index).askedVersion == chain.version() &&
            chain.predecessorOf(nodeId) == neighbour;
    }

    private int claim(final int index, final long nowNs)
    {
        final Tended last = tended.get(index);
        final Chain chain = last.replica.chain();
        if (last.claim.isDue(Claim.waitNs(timing, chain), nowNs) &&
            reports.claim(last.replica.partition(), chain.version()))
        {
            last.claim.onMade(nowNs);
            return 1;
        }

        return 0;
    }

    private int reportProgress(final int index, final long nowNs)
    {
        final Tended last = tended.get(index);
        final Replica replica = last.replica;
        final long attachment = replica.upstream().attachment();
        if (0 == attachment)
        {
            return 0;
        }
        final long applied = replica.replicatedPosition();
        final long recorded = replica.recordedPosition();
        final long covered = replica.snapshottedPosition();
        final long before = attachment == last.attachment ? last.echoNs : 0;
        final long echoNs = mayEcho(index, nowNs) ?
            watch(replica.upstream().predecessor(), nowNs).peerSentNs() : before;
        final boolean isNews = attachment != last.attachment || applied != last.applied ||
            recorded != last.recorded || covered != last.covered || echoNs != last.echoNs;
        if ((isNews || nowNs - last.sentNs >= timing.heartbeatNs()) &&
            port.progress(last.link(attachment), applied, recorded, covered, echoNs))
        {
            if (echoNs != before)
            {
                last.hasStood = true;
                last.stoodNs = watch(replica.upstream().predecessor(), nowNs).heardNs();
            }
            last.attachment = attachment;
            last.applied = applied;
            last.recorded = recorded;
            last.covered = covered;
            last.echoNs = echoNs;
            last.sentNs = nowNs;
            return 1;
        }

        return 0;
    }

    private void onSelfAway(final long nowNs)
    {
        for (final NeighbourWatch watch : watches)
        {
            if (null != watch)
            {
                watch.onSelfAway(nowNs);
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

    /**
     * A replica, whom it suspected, and what its predecessor was last told.
     */
    private static final class Tended
    {
        private final Replica replica;
        private final Claim claim = new Claim();
        private final LinkComplaint ofPredecessor;
        private final LinkComplaint ofSuccessor;
        /** Version of the chain under which it has told, in sync, that its predecessor is silent. */
        private long askedVersion;
        /** Since when it knows that it follows the predecessor it has now. */
        private long followingSinceNs;
        /** Version of the map by which it has its predecessor, and the chain its head, and since when it knows that. */
        private long placedVersion;
        private long placedNs;
        /** Since when there is the joiner that there is now, and whether the link to it has worked since. */
        private long joinedNs;
        private boolean hasJoinerWorked;
        /** When the newest heartbeat was heard by which it has stood by its predecessor. */
        private boolean hasStood;
        private boolean isHeadReplaced;
        private long stoodNs;
        private ChainLink link;
        private long attachment;
        private long applied;
        private long recorded;
        private long covered;
        private long echoNs;
        private long sentNs;

        private Tended(final Replica replica, final ChainTiming timing)
        {
            this.replica = replica;
            ofPredecessor = new LinkComplaint(timing);
            ofSuccessor = new LinkComplaint(timing);
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
