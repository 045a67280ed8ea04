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
package io.gradstream.simulation;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;

import io.gradstream.codecs.coordinator.AliveDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.SnapshotChainDecoder;
import io.gradstream.codecs.coordinator.SnapshotChainEncoder;
import io.gradstream.codecs.coordinator.SuspectDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.WorkerReachDecoder;
import io.gradstream.codecs.coordinator.WorkerReachEncoder;
import io.gradstream.coordinator.client.CoordinatorLink;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The planted faults of the coordinator; without one it changes nothing.
 */
final class PlantedCoordinatorFaults
{
    private final World world;
    private final List<ChainMap> told = new ArrayList<>();
    /** What everybody takes for the map of a version, where that is not what was decided. */
    private final Map<Long, ChainMap> lied = new HashMap<>();

    PlantedCoordinatorFaults(final World world)
    {
        this.world = world;
    }

    /** What everybody is to take for a decision. */
    ChainMap decide(final ChainMap decided)
    {
        final ChainMap map = decided.chains().isEmpty() ? decided : lie(decided);
        if (map != decided)
        {
            lied.put(decided.version(), map);
        }

        return map;
    }

    /** What a client takes for a map that it was sent. */
    ChainMap map(final ChainMap sent)
    {
        return lied.getOrDefault(sent.version(), sent);
    }

    /** What is left of what a client says. */
    UnsafeBuffer command(final UnsafeBuffer message)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        if (world.isPlanted(PlantedFault.COMPLAINT_BELIEVED_UNANSWERED) &&
            SuspectDecoder.TEMPLATE_ID == header.wrap(message, 0).templateId())
        {
            message.putByte(MessageHeaderDecoder.ENCODED_LENGTH + SuspectDecoder.isAnsweredEncodingOffset(), (byte)1);
        }
        if (world.isPlanted(PlantedFault.COMMANDS_NOT_REPEATED) &&
            AliveDecoder.TEMPLATE_ID == header.wrap(message, 0).templateId())
        {
            final AliveDecoder alive = new AliveDecoder().wrapAndApplyHeader(message, 0, header);
            int offset = alive.limit() + AliveDecoder.ReplicasDecoder.HEADER_SIZE;
            for (int left = alive.replicas().count(); left > 0; left--)
            {
                message.putByte(offset + AliveDecoder.ReplicasDecoder.saidEncodingOffset(), (byte)0);
                offset += AliveDecoder.ReplicasDecoder.sbeBlockLength();
            }
        }

        return message;
    }

    /** What a member takes of a message: one that believes a single worker does not ask who reaches a head. */
    UnsafeBuffer taken(final UnsafeBuffer message)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        if (!world.isPlanted(PlantedFault.HEIR_ON_ONE_WORD) ||
            message.capacity() < MessageHeaderDecoder.ENCODED_LENGTH ||
            WorkerReachDecoder.TEMPLATE_ID != header.wrap(message, 0).templateId())
        {
            return message;
        }
        final WorkerReachDecoder reach = new WorkerReachDecoder().wrapAndApplyHeader(message, 0, header);
        final long incarnation = reach.incarnation();
        final int slot = reach.slot();
        final Map<Integer, Boolean> nodes = new TreeMap<>();
        reach.nodes().forEach((node) -> nodes.put(node.nodeId(), 0 != node.isReached()));
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final WorkerReachEncoder encoder = new WorkerReachEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        CoordinatorLink.encodeReach(encoder, slot, incarnation, nodes.containsValue(false) ? nodes : Map.of());

        return CoordinatorEntry.copy(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength());
    }

    /** Does a node take it for granted that the coordinators hear it? */
    boolean isAnswered()
    {
        return world.isPlanted(PlantedFault.COMPLAINT_WITHOUT_PROOF);
    }

    /** The time at which a new leader is taken to begin. */
    long termTime(final long timestampMs)
    {
        return world.isPlanted(PlantedFault.DEADLINES_KEPT) ? 0 : timestampMs;
    }

    /** What a member reads of a message of its snapshot. */
    UnsafeBuffer snapshotMessage(final UnsafeBuffer message)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        if (SnapshotChainDecoder.TEMPLATE_ID != header.wrap(message, 0).templateId())
        {
            return message;
        }
        if (world.isPlanted(PlantedFault.SNAPSHOT_LOSES_EPOCHS))
        {
            final UnsafeBuffer copy = CoordinatorEntry.copy(message, 0, message.capacity());
            copy.putLong(MessageHeaderDecoder.ENCODED_LENGTH + SnapshotChainDecoder.epochEncodingOffset(), 0,
                ByteOrder.LITTLE_ENDIAN);
            return copy;
        }

        return world.isPlanted(PlantedFault.SNAPSHOT_LOSES_IN_SYNC_SETS) ?
            withoutInSyncSets(new SnapshotChainDecoder().wrapAndApplyHeader(message, 0, header)) : message;
    }

    private static UnsafeBuffer withoutInSyncSets(final SnapshotChainDecoder chain)
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final SnapshotChainEncoder encoder = new SnapshotChainEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).partition(chain.partition())
            .epoch(chain.epoch()).version(chain.version()).joiner(chain.joiner()).wanted(chain.wanted());
        final SnapshotChainDecoder.HomesDecoder homes = chain.homes();
        final SnapshotChainEncoder.HomesEncoder homesEncoder = encoder.homesCount(homes.count());
        homes.forEach((home) -> homesEncoder.next().nodeId(home.nodeId()));
        final SnapshotChainDecoder.MembersDecoder members = chain.members();
        final SnapshotChainEncoder.MembersEncoder membersEncoder = encoder.membersCount(members.count());
        members.forEach((member) -> membersEncoder.next().nodeId(member.nodeId()));
        chain.required().forEach((node) -> node.nodeId());
        encoder.requiredCount(0);
        chain.deposed().forEach((node) -> node.nodeId());
        encoder.deposedCount(0);
        final SnapshotChainDecoder.ReportsDecoder reports = chain.reports();
        final SnapshotChainEncoder.ReportsEncoder reportsEncoder = encoder.reportsCount(reports.count());
        reports.forEach((report) ->
            reportsEncoder.next().epoch(report.epoch()).position(report.position()).nodeId(report.nodeId()));
        final SnapshotChainDecoder.LeftDecoder left = chain.left();
        final SnapshotChainEncoder.LeftEncoder leftEncoder = encoder.leftCount(left.count());
        left.forEach((node) -> leftEncoder.next().version(node.version()).nodeId(node.nodeId()));

        return CoordinatorEntry.copy(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength());
    }

    private ChainMap lie(final ChainMap decided)
    {
        told.add(decided);
        return switch (world.planted)
        {
            case EPOCH_NOT_RAISED -> chains(decided, PlantedCoordinatorFaults::withFirstEpoch);
            case JOINER_ADMITTED_EARLY -> chains(decided, PlantedCoordinatorFaults::withJoinerIn);
            case JOINER_PROMOTED -> chains(decided, PlantedCoordinatorFaults::withJoinerFirst);
            case STALE_MAP_APPLIED -> told.size() > 8 && 0 == told.size() % 4 ? stale(decided) : decided;
            default -> decided;
        };
    }

    private ChainMap stale(final ChainMap decided)
    {
        final ChainMap old = told.get(told.size() - 5);
        final List<Chain> chains = new ArrayList<>();
        for (int i = 0; i < old.chains().size(); i++)
        {
            final Chain chain = old.chains().get(i);
            chains.add(new Chain(chain.epoch(), decided.chains().get(i).version(), chain.members(), chain.joiner(),
                chain.wanted()));
        }

        return new ChainMap(decided.version(), decided.incarnations(), chains);
    }

    private static Chain withFirstEpoch(final Chain chain)
    {
        return new Chain(Math.min(1, chain.epoch()), chain.version(), chain.members(), chain.joiner(), chain.wanted());
    }

    private static Chain withJoinerIn(final Chain chain)
    {
        final List<Integer> members = new ArrayList<>(chain.members());
        if (Chain.NONE != chain.joiner())
        {
            members.add(chain.joiner());
        }

        return new Chain(chain.epoch(), chain.version(), members, Chain.NONE, chain.wanted());
    }

    private static Chain withJoinerFirst(final Chain chain)
    {
        return Chain.NONE == chain.joiner() || 0 != chain.version() % 3 ? chain :
            new Chain(chain.epoch() + 1, chain.version(), List.of(chain.joiner()), Chain.NONE, chain.wanted());
    }

    private static ChainMap chains(final ChainMap map, final UnaryOperator<Chain> change)
    {
        return new ChainMap(map.version(), map.incarnations(), map.chains().stream().map(change).toList());
    }
}
