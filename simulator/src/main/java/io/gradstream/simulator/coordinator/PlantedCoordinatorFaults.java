// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.coordinator;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.NodeReportDecoder;
import io.gradstream.codecs.coordinator.SnapshotChainDecoder;
import io.gradstream.codecs.coordinator.SnapshotChainEncoder;
import io.gradstream.codecs.coordinator.SnapshotReachDecoder;
import io.gradstream.codecs.coordinator.SnapshotReachEncoder;
import io.gradstream.codecs.coordinator.SnapshotStateDecoder;
import io.gradstream.codecs.coordinator.WorkerReachDecoder;
import io.gradstream.codecs.coordinator.WorkerReachEncoder;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.coordinator.client.LogEnd;
import io.gradstream.coordinator.client.NodeReport;
import io.gradstream.coordinator.client.NodeReportCodec;
import io.gradstream.coordinator.client.ReplicaReport.Status;
import io.gradstream.coordinator.client.ReplicaReport;
import io.gradstream.coordinator.client.Suspicion;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.World;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** The planted faults of the coordinator; without one it changes nothing. */
public final class PlantedCoordinatorFaults
{
    private final World world;
    private final PlantedSlotFaults slots;
    private final PlantedJobFaults jobs;
    private final List<ChainMap> told = new ArrayList<>();
    /** By version the map that everybody takes for it, where that is not what was decided. */
    private final Map<Long, ChainMap> lied = new HashMap<>();
    /** All that processes have said of their replicas. */
    private final Set<List<?>> said = new HashSet<>();
    /** By node, process and partition: whom it has suspected last. */
    private final Map<List<Long>, List<Suspicion>> suspicions = new HashMap<>();

    PlantedCoordinatorFaults(final World world)
    {
        this.world = world;
        slots = new PlantedSlotFaults(world);
        jobs = new PlantedJobFaults(world);
    }

    /** Returns the mistakes of slots and work. */
    PlantedSlotFaults slots()
    {
        return slots;
    }

    /** Returns the mistakes of jobs. */
    PlantedJobFaults jobs()
    {
        return jobs;
    }

    /** Returns the map that everybody is to take for a decision. */
    ChainMap decide(final ChainMap decided)
    {
        final ChainMap map = decided.chains().isEmpty() ? decided : lie(decided);
        if (map != decided)
        {
            lied.put(decided.version(), map);
        }

        return map;
    }

    /** True if anybody was told anything else than was decided. */
    public boolean hasLied()
    {
        return !lied.isEmpty();
    }

    /** Returns what a client takes for a map that it was sent. */
    public ChainMap map(final ChainMap sent)
    {
        final ChainMap map = lied.getOrDefault(sent.version(), sent);
        return switch (world.planted())
        {
            case HEAD_GOES_ON_UNCONFIRMED -> chains(map, (chain) -> withNeeded(chain, List.of()));
            case NEEDED_JOINER_FOLLOWS -> chains(map, (chain) -> withNeeded(chain,
                chain.requiredReplicas().stream().filter((node) -> node != chain.joiner()).toList()));
            default -> map;
        };
    }

    /** Returns what is left of a client's message. */
    UnsafeBuffer command(final UnsafeBuffer message)
    {
        return switch (world.planted())
        {
            case COMPLAINT_BELIEVED_UNANSWERED -> changed(message, (report) -> replicas(report, (replica) ->
                new ReplicaReport(replica.partition(), replica.status(), replica.chainVersion(), replica.logEnd(),
                    replica.joiner(), replica.suspicions().stream()
                    .map((suspicion) -> new Suspicion(suspicion.nodeId(), true)).toList(), replica.positions())));
            case REPORT_NOT_REPEATED -> changed(message, (report) -> replicas(report, (replica) ->
                said.add(List.of(report.nodeId(), report.incarnation(), replica.partition(), replica.status(),
                    replica.chainVersion(), replica.joiner(), replica.suspicions())) ? replica :
                    new ReplicaReport(replica.partition(), Status.NONE, replica.chainVersion(), LogEnd.NONE, Chain.NONE,
                    List.of(), replica.positions())));
            default -> slots.command(message);
        };
    }

    /** Returns what the coordinators make of a message that arrives while this is their newest decision. */
    UnsafeBuffer arrived(final UnsafeBuffer message, final ClusterMap decided)
    {
        return switch (world.planted())
        {
            case SUSPICION_NOT_TAKEN_BACK -> changed(message, (report) -> replicas(report, (replica) ->
                isKnown(replica, decided) ? suspicious(
                    report, replica, decided.chains().chains().get(replica.partition()).version()) : replica));
            case REPORT_OF_ANOTHER_JOB_COUNTS ->
                changed(message, (report) -> replicas(report, jobs::ofJobOfNow));
            case REPORT_OF_EARLIER_LIFE_COUNTS -> changed(message, (report) -> ofThisLife(report, decided));
            case SHORT_LOG_OPENED -> changed(message, (report) -> replicas(report, (replica) ->
                isKnown(replica, decided) && 0 == replica.logEnd().epoch() ? withEnd(replica, new LogEnd(
                    decided.chains().chains().get(replica.partition()).epoch(), replica.logEnd().position())) :
                    replica));
            default -> message;
        };
    }

    /** True if there is a chain of the partition: its job may be deleted. */
    private static boolean isKnown(final ReplicaReport replica, final ClusterMap decided)
    {
        return replica.partition() < decided.chains().chains().size();
    }

    private static ReplicaReport withEnd(final ReplicaReport replica, final LogEnd logEnd)
    {
        return new ReplicaReport(replica.partition(), replica.status(), replica.chainVersion(), logEnd,
            replica.joiner(), replica.suspicions(), replica.positions());
    }

    private ReplicaReport suspicious(final NodeReport report, final ReplicaReport replica, final long version)
    {
        final List<Long> key = List.of((long)report.nodeId(), report.incarnation(), (long)replica.partition());
        if (!replica.suspicions().isEmpty())
        {
            suspicions.put(key, replica.suspicions());
        }

        return !replica.suspicions().isEmpty() || !suspicions.containsKey(key) ? replica :
            new ReplicaReport(replica.partition(), replica.status(), version, replica.logEnd(), replica.joiner(),
            suspicions.get(key), replica.positions());
    }

    private static NodeReport ofThisLife(final NodeReport report, final ClusterMap decided)
    {
        final List<Long> incarnations = decided.chains().incarnations();
        final long now = report.nodeId() < incarnations.size() ? incarnations.get(report.nodeId()) : 0;
        return new NodeReport(report.nodeId(), Math.max(now, report.incarnation()), report.number(),
            report.isAnswered(), report.endpoint(), report.replicas());
    }

    private static NodeReport replicas(final NodeReport report, final UnaryOperator<ReplicaReport> change)
    {
        return new NodeReport(report.nodeId(), report.incarnation(), report.number(), report.isAnswered(),
            report.endpoint(), report.replicas().stream().map(change).toList());
    }

    private static UnsafeBuffer changed(final UnsafeBuffer message, final UnaryOperator<NodeReport> change)
    {
        if (NodeReportDecoder.TEMPLATE_ID != new MessageHeaderDecoder().wrap(message, 0).templateId())
        {
            return message;
        }
        final NodeReportCodec codec = new NodeReportCodec();
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final int length = codec.encode(change.apply(codec.decode(message, 0, message.capacity())), buffer);

        return CoordinatorEntry.copy(buffer, 0, length);
    }

    /** Returns what a member takes of a message: one that believes a single worker does not ask who reaches a head. */
    UnsafeBuffer taken(final UnsafeBuffer message)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        if (!world.isPlanted(PlantedFault.TRANSFEREE_ON_ONE_WORD) ||
            message.capacity() < MessageHeaderDecoder.ENCODED_LENGTH ||
            WorkerReachDecoder.TEMPLATE_ID != header.wrap(message, 0).templateId())
        {
            return slots.taken(message);
        }
        final WorkerReachDecoder reach = new WorkerReachDecoder().wrapAndApplyHeader(message, 0, header);
        final long incarnation = reach.incarnation();
        final int slot = reach.slot();
        final Map<Integer, Boolean> nodes = new TreeMap<>();
        reach.nodes().forEach((node) -> nodes.put(node.nodeId(), 0 != node.isReached()));
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final WorkerReachEncoder encoder = new WorkerReachEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).jobId(reach.jobId());
        CoordinatorLink.encodeReach(encoder, slot, incarnation, nodes.containsValue(false) ? nodes : Map.of());

        return CoordinatorEntry.copy(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength());
    }

    /** True if a node takes it for granted that the coordinators hear it, or that the one it is connected to does. */
    public boolean isAnswered(final long connection)
    {
        return world.isPlanted(PlantedFault.COMPLAINT_WITHOUT_PROOF) ||
            0 != connection && world.isPlanted(PlantedFault.CONNECTION_PASSES_FOR_ANSWER);
    }

    /** The time at which a new leader is taken to begin. */
    long termTime(final long timestampMs)
    {
        return world.isPlanted(PlantedFault.DEADLINES_KEPT) ? 0 : timestampMs;
    }

    /** Returns what a member reads of a message of its snapshot. */
    UnsafeBuffer snapshotMessage(final UnsafeBuffer message)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        if (SnapshotReachDecoder.TEMPLATE_ID == header.wrap(message, 0).templateId() &&
            world.isPlanted(PlantedFault.SNAPSHOT_LOSES_WHO_IS_ANSWERED))
        {
            final UnsafeBuffer copy = CoordinatorEntry.copy(message, 0, message.capacity());
            new SnapshotReachEncoder().wrapAndApplyHeader(copy, 0, new MessageHeaderEncoder()).nodesCount(0);
            return copy;
        }
        if (SnapshotChainDecoder.TEMPLATE_ID != header.wrap(message, 0).templateId())
        {
            return slots.snapshotMessage(message);
        }
        if (world.isPlanted(PlantedFault.SNAPSHOT_LOSES_EPOCHS))
        {
            return withLong(message, SnapshotChainDecoder.epochEncodingOffset(), 0);
        }

        if (world.isPlanted(PlantedFault.SNAPSHOT_LOSES_SINCE_WHEN_HEADS_LEAD))
        {
            return withLong(message, SnapshotChainDecoder.ledMsEncodingOffset(), 0);
        }

        return world.isPlanted(PlantedFault.SNAPSHOT_LOSES_IN_SYNC_SETS) ?
            withoutInSyncSets(new SnapshotChainDecoder().wrapAndApplyHeader(message, 0, header)) : message;
    }

    /** True if a member goes on with a state in which a mistake was made, beside an entry of a kind. */
    boolean isStateChanged(final CoordinatorEntry.Kind kind)
    {
        return CoordinatorEntry.Kind.TIMER == kind &&
            (jobs.isStateChanged() || world.isPlanted(PlantedFault.LEAD_HANDED_OVER_TOO_SOON)) ||
            slots.isStateChanged(kind);
    }

    /** True if a message of a member's snapshot shows that the mistake can be made. */
    boolean isReady(final UnsafeBuffer message)
    {
        return !world.config().isOfUnits() || slots.isReady(message);
    }

    /** Returns what a member that makes such a mistake knows in place of a message of its snapshot. */
    UnsafeBuffer changedState(final UnsafeBuffer message)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder().wrap(message, 0);
        if (!world.isPlanted(PlantedFault.LEAD_HANDED_OVER_TOO_SOON))
        {
            return jobs.isMistaken() ? jobs.changedState(message) : slots.changedState(message);
        }
        if (SnapshotStateDecoder.TEMPLATE_ID == header.templateId())
        {
            return withLong(message, SnapshotStateDecoder.settledMsEncodingOffset(), 1);
        }
        if (SnapshotChainDecoder.TEMPLATE_ID != header.templateId())
        {
            return message;
        }
        final SnapshotChainDecoder chain = new SnapshotChainDecoder().wrapAndApplyHeader(message, 0, header);

        return Chain.NONE != chain.transferee() ? message : withLong(
            withLong(message, SnapshotChainDecoder.ledMsEncodingOffset(), 1),
            SnapshotChainDecoder.movedMsEncodingOffset(), 1);
    }

    private static UnsafeBuffer withLong(final UnsafeBuffer message, final int offset, final long value)
    {
        final UnsafeBuffer copy = CoordinatorEntry.copy(message, 0, message.capacity());
        copy.putLong(MessageHeaderDecoder.ENCODED_LENGTH + offset, value, ByteOrder.LITTLE_ENDIAN);

        return copy;
    }

    private static UnsafeBuffer withoutInSyncSets(final SnapshotChainDecoder chain)
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final SnapshotChainEncoder encoder = new SnapshotChainEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).partition(chain.partition())
            .epoch(chain.epoch()).version(chain.version()).joiner(chain.joiner()).wanted(chain.wanted())
            .transferee(chain.transferee()).movedMs(chain.movedMs()).confirmedEpoch(chain.confirmedEpoch())
            .isConfirmed(chain.isConfirmed()).isHandOver(chain.isHandOver()).ledMs(chain.ledMs())
            .awaited(chain.awaited()).awaitedPosition(chain.awaitedPosition()).awaitedMs(chain.awaitedMs())
            .stalled(chain.stalled()).stalledMs(chain.stalledMs());
        final SnapshotChainDecoder.AssignmentDecoder assignment = chain.assignment();
        final SnapshotChainEncoder.AssignmentEncoder assigned = encoder.assignmentCount(assignment.count());
        assignment.forEach((node) -> assigned.next().nodeId(node.nodeId()));
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
            reportsEncoder.next().epoch(report.epoch()).position(report.position()).nodeId(report.nodeId())
                .isLossAccepted(report.isLossAccepted()));
        final SnapshotChainDecoder.LeftDecoder left = chain.left();
        final SnapshotChainEncoder.LeftEncoder leftEncoder = encoder.leftCount(left.count());
        left.forEach((node) -> leftEncoder.next().version(node.version()).nodeId(node.nodeId()));

        return CoordinatorEntry.copy(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength());
    }

    private ChainMap lie(final ChainMap decided)
    {
        told.add(decided);
        return switch (world.planted())
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
        for (int i = 0; i < Math.min(old.chains().size(), decided.chains().size()); i++)
        {
            final Chain chain = old.chains().get(i);
            chains.add(new Chain(chain.epoch(), decided.chains().get(i).version(), chain.members(), chain.joiner(),
                chain.wanted()));
        }

        return new ChainMap(decided.version(), decided.incarnations(), chains);
    }

    private static Chain withNeeded(final Chain chain, final List<Integer> required)
    {
        return new Chain(
            chain.epoch(), chain.version(), chain.members(), chain.joiner(), chain.wanted(), chain.transferee(),
            chain.staleReplicas(), required);
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
