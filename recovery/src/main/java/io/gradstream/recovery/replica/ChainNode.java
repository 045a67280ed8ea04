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
import io.gradstream.codecs.ChainMap;

import java.util.ArrayList;
import java.util.List;

/**
 * All replicas of one node among their neighbours: hands on what the coordinator decides, exchanges heartbeats,
 * suspects the silent, and tells predecessors how far its replicas have come. Pure; called in each duty cycle of the
 * one thread that owns the replicas.
 */
public final class ChainNode
{
    /** A suspicion that the coordinator has not answered by a new chain is told again after so long. */
    static final long SUSPECT_RETRY_NS = 500_000_000;

    private final int nodeId;
    private final long incarnation;
    private final ChainTiming timing;
    private final List<Tended> tended = new ArrayList<>();
    private final NodePort port;
    private final ReplicaReports reports;
    private final NeighbourWatch[] watches;
    private final long[] heartbeatNs;
    private long mapVersion;
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
    public ChainNode(
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
        tended.add(new Tended(replica));
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
        for (int i = 0, size = tended.size(); i < size; i++)
        {
            final Replica replica = tended.get(i).replica;
            final Chain before = replica.chain();
            final Chain chain = map.chains().get(replica.partition());
            replica.onChain(chain);
            tended.get(i).claim.onChain(chain, nodeId, nowNs);
            if (chain.predecessorOf(nodeId) != before.predecessorOf(nodeId))
            {
                tended.get(i).followingSinceNs = nowNs;
            }
            meet(before, chain, nowNs);
        }
    }

    /**
     * Everybody who shares a chain with this node now and did not before may need time to connect.
     */
    private void meet(final Chain before, final Chain chain, final long nowNs)
    {
        for (int other = 0; other < watches.length; other++)
        {
            if (isTogetherWith(other, chain) && !isTogetherWith(other, before))
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
     * @param from            its node id.
     * @param peerIncarnation of its process.
     * @param sentNs          by its clock.
     * @param nowNs           now.
     */
    public void onHeartbeat(final int from, final long peerIncarnation, final long sentNs, final long nowNs)
    {
        if (isNode(from))
        {
            watch(from, nowNs).onHeartbeat(peerIncarnation, sentNs, nowNs);
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
        return replica.progress().hasLease(timing.leaseNs(), nowNs);
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
            port.heartbeat(other, nowNs))
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
        int workCount = 0;
        final Tended last = tended.get(index);
        final Replica replica = last.replica;
        final long version = replica.chain().version();
        final boolean isDue = last.suspectedVersion < version || nowNs - last.suspectedNs >= SUSPECT_RETRY_NS;
        final boolean isSuspect =
            watch(neighbour, nowNs).isSuspect(nowNs) && hasFollowedLongEnough(index, neighbour, nowNs);
        if (isDue && (isSuspect || isPromotionAskedFor(index, neighbour)) &&
            reports.suspect(replica.partition(), version, neighbour))
        {
            last.suspectedVersion = version;
            last.suspectedNs = nowNs;
            last.askedVersion = replica.chain().predecessorOf(nodeId) == neighbour &&
                replica.chain().members().contains(nodeId) ? version : last.askedVersion;
            workCount++;
        }

        return workCount;
    }

    /**
     * A predecessor that has just become one may hold a lease by the echoes of those who were between: it is not
     * suspected before that is over, however long it has been silent here.
     */
    private boolean hasFollowedLongEnough(final int index, final int neighbour, final long nowNs)
    {
        return tended.get(index).replica.chain().predecessorOf(nodeId) != neighbour ||
            nowNs - tended.get(index).followingSinceNs >= timing.suspicionNs();
    }

    /**
     * May a replica stand by its predecessor? Not when it has asked to be promoted in its place, for then it may be at
     * any moment, even if it hears it again; not as its heir; and not while somebody counted behind it may have asked
     * that.
     */
    private boolean mayEcho(final int index, final long nowNs)
    {
        final Replica replica = tended.get(index).replica;
        final int predecessor = replica.chain().predecessorOf(nodeId);
        return Chain.NONE != predecessor && predecessor == replica.progress().predecessor() &&
            !isPromotionAskedFor(index, predecessor) && !tended.get(index).claim.isOpen() &&
            mayAnswer(replica, nowNs);
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
        final long attachment = replica.progress().attachment();
        if (0 == attachment)
        {
            return 0;
        }
        final long applied = replica.progress().replicatedPosition();
        final long recorded = replica.progress().recordedPosition();
        final long covered = replica.progress().coveredPosition();
        final long before = attachment == last.attachment ? last.echoNs : 0;
        final long echoNs = mayEcho(index, nowNs) ?
            watch(replica.progress().predecessor(), nowNs).peerSentNs() : before;
        final boolean isNews = attachment != last.attachment || applied != last.applied ||
            recorded != last.recorded || covered != last.covered || echoNs != last.echoNs;
        if ((isNews || nowNs - last.sentNs >= timing.heartbeatNs()) &&
            port.progress(last.link(attachment), applied, recorded, covered, echoNs))
        {
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
        private long suspectedVersion;
        private long suspectedNs;
        /** Version of the chain under which it has told, in sync, that its predecessor is silent. */
        private long askedVersion;
        /** Since when it knows that it follows the predecessor it has now. */
        private long followingSinceNs;
        private ChainLink link;
        private long attachment;
        private long applied;
        private long recorded;
        private long covered;
        private long echoNs;
        private long sentNs;

        private Tended(final Replica replica)
        {
            this.replica = replica;
        }

        ChainLink link(final long newAttachment)
        {
            if (null == link || link.attachment() != newAttachment)
            {
                link = new ChainLink(replica.progress().predecessor(), replica.partition(), newAttachment);
            }

            return link;
        }
    }
}
