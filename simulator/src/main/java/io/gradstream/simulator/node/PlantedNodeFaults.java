// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.LogRecords;
import io.gradstream.codecs.log.RowsUpdatedDecoder;
import io.gradstream.recovery.chain.PeerHeartbeat;
import io.gradstream.recovery.replica.AttachAnswer;
import io.gradstream.recovery.replica.ChainLink;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.simulator.storage.SimulatedStorage;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.World;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The planted faults of what nodes tell each other; without one it changes nothing. */
final class PlantedNodeFaults
{
    private static final int AHEAD = 512;
    private static final int ENVELOPE_EPOCH = 8;

    private final World world;
    private final PlantedLeaseFaults lease;
    private final Map<Long, Long> attachedAt = new HashMap<>();
    private long previousChainHash;
    private boolean hasCorrupted;

    PlantedNodeFaults(final World world)
    {
        this.world = world;
        lease = new PlantedLeaseFaults(world);
    }

    PlantedLeaseFaults lease()
    {
        return lease;
    }

    /** Returns the heartbeat that is sent in place of another. */
    PeerHeartbeat heartbeat(final PeerHeartbeat peer)
    {
        return new PeerHeartbeat(
            peer.incarnation(), peer.sentNs(),
            // as one that hears everything would: a little ago
            world.isPlanted(PlantedFault.DEAFNESS_NOT_SEEN) ? Long.MAX_VALUE : peer.heardNs(),
            world.isPlanted(PlantedFault.DEAFNESS_NOT_SEEN) ? 0 : peer.silentNs(),
            world.isPlanted(PlantedFault.UNTOLD_HEAD_KEPT) ? Long.MAX_VALUE : peer.mapVersion());
    }

    /** A follower says it has applied what it may not have received yet. */
    long applied(final ChainLink link, final long applied)
    {
        return world.isPlanted(PlantedFault.STANDBY_ACKNOWLEDGES_EARLY) ? applied + AHEAD : applied;
    }

    long recorded(final long applied, final long recorded, final SimulatedStorage storage)
    {
        return world.isPlanted(PlantedFault.STANDBY_RECORDED_EARLY) ? applied :
            world.isPlanted(PlantedFault.LOG_WITHOUT_ITS_SNAPSHOT_COUNTS) && 0 == recorded && null != storage ?
            Math.min(applied, storage.file().recordedPosition()) : recorded;
    }

    void onAttach(final ChainLink link, final long position)
    {
        attachedAt.put(link.attachment(), position);
    }

    AttachAnswer answer(final AttachAnswer answer)
    {
        return AttachAnswer.TRUNCATE == answer && world.isPlanted(PlantedFault.DIVERGENT_TAIL_KEPT) ?
            AttachAnswer.GO_ON : answer;
    }

    long answerPosition(final ChainLink link, final AttachAnswer answer, final long position)
    {
        return answer(answer) == answer ? position : attachedAt.getOrDefault(link.attachment(), position);
    }

    /** A record whose content has changed on the way, with a checksum that fits. */
    UnsafeBuffer record(final UnsafeBuffer bytes)
    {
        if (world.isPlanted(PlantedFault.FORWARD_CORRUPTED))
        {
            if (!hasCorrupted && 0 != previousChainHash &&
                RowsUpdatedDecoder.TEMPLATE_ID == LogRecords.templateId(bytes, 0))
            {
                hasCorrupted = true;
                bytes.putByte(bytes.capacity() - 1, (byte)(bytes.getByte(bytes.capacity() - 1) ^ 1));
                LogRecords.seal(bytes, 0, bytes.capacity(), bytes.getLong(ENVELOPE_EPOCH, ByteOrder.LITTLE_ENDIAN),
                    LogRecords.index(bytes, 0), previousChainHash);
            }
            previousChainHash = LogRecords.chainHash(bytes, 0);
        }

        return bytes;
    }

    /** A joiner that is to leave first takes itself for no joiner any more, before anybody has decided so. */
    void leaveUnasked(final Replica replica)
    {
        if (world.isPlanted(PlantedFault.JOINER_WIPES_UNASKED) && Replica.State.LEAVE_CHAIN == replica.state())
        {
            final Chain chain = replica.chain();
            replica.onChain(
                new Chain(chain.epoch(), chain.version() + 1, chain.members(), Chain.NONE, chain.wanted()));
        }
    }

    /** Returns what a head says is replicated. */
    long replicated(final HostedPartition copy, final int slot, final long replicated)
    {
        final boolean isDegraded = copy.replica().chain().isDegraded();
        return world.isPlanted(PlantedFault.ACKNOWLEDGE_BEFORE_REPLICATED) ||
            isDegraded && world.isPlanted(PlantedFault.DEGRADED_ACKNOWLEDGED_AT_APPLIED) ?
            copy.partition().lastSequence(slot) : replicated;
    }

    /** A map that still speaks of an earlier life of the node passes for one of this life. */
    ChainMap mapOfThisLife(final ChainMap map, final int node, final long incarnation)
    {
        if (!world.isPlanted(PlantedFault.MAP_OF_EARLIER_LIFE) || node >= map.incarnations().size())
        {
            return map;
        }
        final List<Long> incarnations = new ArrayList<>(map.incarnations());
        incarnations.set(node, incarnation);

        return new ChainMap(map.version(), incarnations, map.chains());
    }
}
