// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.coordinator;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.coordinator.DrainNodeDecoder;
import io.gradstream.codecs.coordinator.MapDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.NodeReportDecoder;
import io.gradstream.coordinator.client.NodeReport;
import io.gradstream.coordinator.client.NodeReportCodec;
import io.gradstream.coordinator.client.ReplicaReport;
import io.gradstream.coordinator.service.CoordinatorListener;
import io.gradstream.coordinator.state.CoordinatorState;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.World;
import org.agrona.DirectBuffer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Looks at each entry that a coordinator takes: members that have taken as much must be alike, and each decision must
 * be one that may follow the one before.
 */
public final class CoordinatorChecks implements CoordinatorListener
{
    private static final long NEVER = Long.MIN_VALUE / 2;
    /** A process that was heard within so long keeps its node. */
    private static final long STANDS_MS = 5_000;

    private final World world;
    private final PlantedCoordinatorFaults lies;
    private final List<Long> hashes = new ArrayList<>();
    private final Map<Long, Integer> toldHashes = new HashMap<>();
    private final long[] incarnations;
    private final long[] numbers;
    /** By node: when the coordinators' log last showed that it lives, or that nobody could show it. */
    private final long[] heardMs;
    private OpenedListener opened = (partition, node) -> {};
    private final long[] lastEpoch;
    /** By partition, true if a head has said that it leads. */
    private final boolean[] isConfirmed;
    /** By partition: the chain's version under which the newest entry asks that somebody loses a role, or 0. */
    private final long[] askedUnder;
    /** Of each partition the versions of its chain under which nobody was needed but its members. */
    private final List<Set<Long>> confirmed = new ArrayList<>();
    /** By partition: the version under which the newest entry says that the head has stopped, or 0. */
    private final long[] stoppedUnder;
    /** Of each partition the version under which its head says in the message of now that it leads, 0 if not. */
    private final long[] confirmedUnder;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final NodeReportCodec reports = new NodeReportCodec();
    private final DrainNodeDecoder drain = new DrainNodeDecoder();
    /** Nodes that a user has had drained, now or before. */
    private final Set<Integer> drained = new HashSet<>();
    private int taken;
    private long takenMs;
    private ClusterMap decided;
    private long decidedAt;
    private ChainMap told;
    private int moves;
    private final LeadChecks leads = new LeadChecks();
    /** The checks of slots and work, or null if the processes of workers have slots of their own. */
    private final SlotChecks slots;
    private final JobDecisions jobs;

    CoordinatorChecks(final World world, final PlantedCoordinatorFaults lies)
    {
        this.world = world;
        this.lies = lies;
        slots = world.config().isOfUnits() ? new SlotChecks(world) : null;
        jobs = new JobDecisions(lies.jobs());
        incarnations = new long[world.config().nodes()];
        numbers = new long[world.config().nodes()];
        heardMs = new long[world.config().nodes()];
        lastEpoch = new long[ScenarioConfig.MAX_PARTITIONS];
        isConfirmed = new boolean[ScenarioConfig.MAX_PARTITIONS];
        askedUnder = new long[ScenarioConfig.MAX_PARTITIONS];
        confirmedUnder = new long[ScenarioConfig.MAX_PARTITIONS];
        stoppedUnder = new long[ScenarioConfig.MAX_PARTITIONS];
        Arrays.fill(heardMs, NEVER);
        for (int partition = 0; partition < ScenarioConfig.MAX_PARTITIONS; partition++)
        {
            confirmed.add(new HashSet<>());
        }
    }

    /** The newest decision of those that any member has taken. */
    ClusterMap decided()
    {
        return decided;
    }

    /** The newest decision as everybody is told it. */
    ChainMap told()
    {
        return told;
    }

    /** How many places were given to another node. */
    int moves()
    {
        return moves;
    }

    /** Returns the checks of slots and work; null if the processes of workers have slots of their own. */
    public SlotChecks slots()
    {
        return slots;
    }

    /** Returns the checks of what is decided of jobs. */
    public JobDecisions jobs()
    {
        return jobs;
    }

    /** Returns the checks of transferees. */
    LeadChecks leads()
    {
        return leads;
    }

    void beforeApplied(final int index, final CoordinatorEntry entry)
    {
        if (index <= taken)
        {
            return;
        }
        taken = index;
        takenMs = entry.timestampMs();
        if (null != slots)
        {
            slots.before(entry);
        }
        Arrays.fill(askedUnder, 0);
        Arrays.fill(confirmedUnder, 0);
        Arrays.fill(stoppedUnder, 0);
        jobs.onEntry();
        if (CoordinatorEntry.Kind.TERM == entry.kind())
        {
            leads.onTerm(takenMs);
            for (int node = 0; node < heardMs.length; node++)
            {
                heardMs[node] = Math.max(heardMs[node], takenMs);
            }
        }
        else if (CoordinatorEntry.Kind.TIMER == entry.kind())
        {
            leads.onTimer(takenMs);
        }
        else if (CoordinatorEntry.Kind.MESSAGE == entry.kind())
        {
            onMessage(entry.bytes());
        }
    }

    private void onMessage(final DirectBuffer bytes)
    {
        jobs.onMessage(bytes);
        if (DrainNodeDecoder.TEMPLATE_ID == header.wrap(bytes, 0).templateId())
        {
            // what a user says counts, or is refused
            drained.add(drain.wrapAndApplyHeader(bytes, 0, header).nodeId());
        }
        if (null != decided && !decided.jobs().isEmpty() && decided.isPlaced(decided.jobs().get(0)))
        {
            leads.onMessage(bytes, takenMs);
        }
        if (NodeReportDecoder.TEMPLATE_ID == header.wrap(bytes, 0).templateId())
        {
            final NodeReport report = reports.decode(bytes, 0, bytes.capacity());
            final int node = report.nodeId();
            final boolean isNewProcess = report.incarnation() > incarnations[node] && !isHeldElsewhere(report);
            if (isNewProcess || report.incarnation() == incarnations[node] && report.number() > numbers[node])
            {
                incarnations[node] = report.incarnation();
                numbers[node] = report.number();
                heardMs[node] = takenMs;
                report.replicas().forEach((replica) -> onReplica(node, replica));
                if (!isNewProcess)
                {
                    jobs.onReport(report);
                }
            }
        }
    }

    private void onReplica(final int node, final ReplicaReport replica)
    {
        if (replica.partition() >= decided.chains().chains().size())
        {
            // its job was deleted
            return;
        }
        final Chain chain = decided.chains().chains().get(replica.partition());
        if (ReplicaReport.Status.LEADS == replica.status() && chain.head() == node &&
            chain.version() == replica.chainVersion())
        {
            isConfirmed[replica.partition()] = true;
            confirmedUnder[replica.partition()] = chain.version();
        }
        if (!replica.suspicions().isEmpty() || ReplicaReport.Status.CLAIMS == replica.status() ||
            ReplicaReport.Status.TAKES_OVER == replica.status() ||
            ReplicaReport.Status.LEAVES == replica.status())
        {
            askedUnder[replica.partition()] = replica.chainVersion();
        }
        if (ReplicaReport.Status.TAKES_OVER == replica.status() && chain.transferee() == node)
        {
            stoppedUnder[replica.partition()] = replica.chainVersion();
        }
    }

    /** Checks that a head which answers has confirmed the chain that it goes by. */
    public void onAnswer(final int partition, final long version)
    {
        Violation.check(lies.hasLied() || confirmed.get(partition).contains(version),
            Violation.Kind.ANSWERED_UNCONFIRMED, "partition, version", partition, version);
    }

    /**
     * True if a head of this partition has ever said that it leads. Since then no empty copy passes for a first one.
     */
    public boolean isConfirmed(final int partition)
    {
        return isConfirmed[partition];
    }

    /** Where a node is by the newest decision, or empty if by none. */
    String endpoint(final int node)
    {
        return null == decided || node >= decided.endpoints().size() ? "" : decided.endpoints().get(node);
    }

    /** True if another process is the node, and was heard not long ago. */
    private boolean isHeldElsewhere(final NodeReport report)
    {
        final int node = report.nodeId();
        final String endpoint = endpoint(node);
        return !endpoint.isEmpty() && !endpoint.equals(report.endpoint()) && takenMs - heardMs[node] <= STANDS_MS;
    }

    /** True if no member has taken so many entries before. */
    boolean isFirst(final int index)
    {
        return index > hashes.size();
    }

    /** A member has taken so many entries, and this is a hash of all that it knows. */
    void onApplied(final int member, final int index, final long hash)
    {
        if (isFirst(index))
        {
            hashes.add(hash);
        }
        Violation.check(hashes.get(index - 1) == hash, Violation.Kind.COORDINATORS_DIFFER, "member, taken", member,
            index);
    }

    @Override
    public void onCommand(final long position, final CharSequence command)
    {
        if (position == taken && world.journal().isOn() && hashes.size() < position)
        {
            world.journal().note("coordinator", command.toString());
        }
    }

    @Override
    public void onMap(final long position, final ClusterMap map, final long failovers, final long spurious)
    {
        if (position <= decidedAt)
        {
            return;
        }
        final ClusterMap before = decided;
        decided = map;
        decidedAt = position;
        told = lies.decide(map.chains());
        world.journal().note("coordinator", "decides", map.chains().format());
        for (int node = 0; node < map.chains().incarnations().size(); node++)
        {
            Violation.check(map.chains().incarnations().get(node) == incarnations[node], Violation.Kind.DECISION_WRONG,
                "not the process that has its node: node, decided, has", node,
                map.chains().incarnations().get(node), incarnations[node]);
        }
        if (null != before)
        {
            Violation.check(map.version() > before.version(), Violation.Kind.DECISION_WRONG, "version", map.version(),
                before.version());
            jobs.onMap(before, map);
            for (int partition = 0; partition < map.assignment().size(); partition++)
            {
                if (!jobs.isSame(partition, before, map))
                {
                    onBegun(partition, map.chains().chains().get(partition));
                    continue;
                }
                checkPlaces(partition, before, map);
                checkChain(partition, before.chains(), map.chains());
                checkRoles(partition, before.chains(), map);
                leads.check(map, partition, before.chains().chains().get(partition), takenMs, heardMs);
            }
        }
        leads.onDecided(map, takenMs);
    }

    /** A partition was given to a job, or has no job any more: nothing counts that was said of it before. */
    private void onBegun(final int partition, final Chain chain)
    {
        isConfirmed[partition] = false;
        lastEpoch[partition] = Math.max(lastEpoch[partition], chain.epoch());
    }

    @Override
    public void onLeader(final long leadershipTerm, final int memberId)
    {
    }

    /** Sets the listener that looks at the copy with which a partition is opened. */
    public void openedListener(final OpenedListener listener)
    {
        opened = listener;
    }

    /** Is told which copy a partition without a head is opened with. */
    @FunctionalInterface
    public interface OpenedListener
    {
        void onOpened(int partition, int node);
    }

    /**
     * A node loses a place only when it has been silent for long while somebody could have heard it. Or another node
     * gets the place while the chain is whole: then the first one keeps its role until that node is in sync. A drained
     * node that has no role, and is not needed, loses it at any time.
     */
    private void checkPlaces(final int partition, final ClusterMap mapBefore, final ClusterMap map)
    {
        final List<Integer> before = mapBefore.assignment().get(partition);
        final List<Integer> now = map.assignment().get(partition);
        final Chain chain = mapBefore.chains().chains().get(partition);
        final boolean isWhole = chain.members().size() == chain.wanted() && before.containsAll(chain.members()) &&
            chain.isConfirmed() && Chain.NONE == chain.joiner() && Chain.NONE == chain.transferee();
        for (final int node : before)
        {
            if (!now.contains(node))
            {
                moves++;
                world.journal().note("coordinator", "moves partition", partition, "from", before, "to", now);
                final boolean isSilent = takenMs - heardMs[node] > world.config().job().repairDelayMs();
                final boolean isUseless = Chain.NONE != chain.head() && !chain.holds(node) &&
                    !chain.requiredReplicas().contains(node) && drained.contains(node);
                Violation.check(isSilent || isUseless || isWhole && now.size() == before.size(),
                    Violation.Kind.DECISION_WRONG,
                    "a place was taken from a node that may live: partition, node, ms", partition, node,
                    takenMs - heardMs[node]);
            }
        }
        final long moving = IntStream.range(0, map.assignment().size())
            .filter((each) -> !map.assignment().get(each).containsAll(map.chains().chains().get(each).members()))
            .count();
        Violation.check(moving <= CoordinatorState.MAX_MOVES + CoordinatorState.MAX_REPAIRS,
            Violation.Kind.DECISION_WRONG, "too many places move at once", moving);
    }

    /** Whoever loses a place is needed until the head has confirmed that it goes on without them all. */
    private void checkNeeded(final int partition, final Chain before, final Chain now)
    {
        final Set<Integer> lacking = new HashSet<>(before.members());
        lacking.addAll(before.requiredReplicas());
        now.members().forEach(lacking::remove);
        Violation.check(Chain.NONE == now.head() || now.epoch() == before.epoch() || !now.isConfirmed(),
            Violation.Kind.DECISION_WRONG, "a new head need not confirm: partition, head", partition, now.head());
        final boolean hasConfirmed = confirmedUnder[partition] == before.version();
        Violation.check(hasConfirmed || now.requiredReplicas().containsAll(lacking), Violation.Kind.DECISION_WRONG,
            "nodes that may be needed are not: partition, number, of", partition,
            now.requiredReplicas().size(), lacking.size());
    }

    private static Chain needingNobody(final Chain chain)
    {
        return new Chain(
            chain.epoch(), chain.version(), chain.members(), chain.joiner(), chain.wanted(), chain.transferee(),
            chain.staleReplicas(), List.of());
    }

    private void checkChain(final int partition, final ChainMap mapBefore, final ChainMap map)
    {
        final Chain before = mapBefore.chains().get(partition);
        final Chain now = map.chains().get(partition);
        if (now.isConfirmed())
        {
            confirmed.get(partition).add(now.version());
        }
        checkNeeded(partition, before, now);
        if (before.members().isEmpty() && Chain.NONE != now.head())
        {
            opened.onOpened(partition, now.head());
        }
        final boolean isNews = !needingNobody(before).equals(needingNobody(now));
        Violation.check(isNews ? now.version() > before.version() : now.version() == before.version(),
            Violation.Kind.DECISION_WRONG, "chain version", partition, before.version(), now.version());
        if (Chain.NONE != now.head() && (now.head() != before.head() ||
            !map.incarnations().get(now.head()).equals(mapBefore.incarnations().get(now.head()))))
        {
            Violation.check(now.epoch() > lastEpoch[partition], Violation.Kind.DECISION_WRONG,
                "epoch of a new head: partition, before, now", partition, lastEpoch[partition], now.epoch());
            Violation.check(before.members().isEmpty() || before.members().contains(now.head()),
                Violation.Kind.DECISION_WRONG, "not in sync: partition, head", partition, now.head());
            Violation.check(now.head() == before.head() || !now.members().contains(before.head()) ||
                stoppedUnder[partition] == before.version(), Violation.Kind.DECISION_WRONG,
                "a head that has not stopped stays a member: partition, head", partition, before.head());
        }
        else
        {
            Violation.check(now.epoch() == before.epoch(), Violation.Kind.DECISION_WRONG,
                "epoch: partition, before, now", partition, before.epoch(), now.epoch());
        }
        lastEpoch[partition] = Math.max(lastEpoch[partition], now.epoch());
    }

    /**
     * A process loses a role when somebody asks for that who knows the chain as it is; a joiner with all members. A
     * member whose place has moved loses it once the chain is whole without it, or is to be longer than it may.
     */
    private void checkRoles(final int partition, final ChainMap mapBefore, final ClusterMap map)
    {
        final Chain before = mapBefore.chains().get(partition);
        final Chain now = map.chains().chains().get(partition);
        for (int node = 0; node < mapBefore.incarnations().size(); node++)
        {
            final boolean isLost = before.holds(node) && !now.holds(node) &&
                map.chains().incarnations().get(node).equals(mapBefore.incarnations().get(node));
            final boolean isReplaced = !map.assignment().get(partition).contains(node) && before.head() != node &&
                before.isConfirmed() &&
                now.members().size() >= (JobSpec.MAX_COPIES == now.wanted() ? now.wanted() - 1 : now.wanted());
            Violation.check(!isLost || isReplaced || askedUnder[partition] == before.version() ||
                before.joiner() == node && now.members().isEmpty(), Violation.Kind.DECISION_WRONG,
                "a role was taken that nobody asked for: partition, node, version, asked under", partition, node,
                before.version(), askedUnder[partition]);
        }
    }

    /** A leader tells a session: whatever has a version, all are told the same under it. */
    void onTold(final DirectBuffer buffer, final int offset, final int length)
    {
        if (MapDecoder.TEMPLATE_ID != new MessageHeaderDecoder().wrap(buffer, offset).templateId())
        {
            return;
        }
        final long version = buffer.getLong(
            offset + MessageHeaderDecoder.ENCODED_LENGTH + MapDecoder.versionEncodingOffset());
        int hash = length;
        for (int i = 0; i < length; i++)
        {
            hash = 31 * hash + buffer.getByte(offset + i);
        }
        final Integer other = toldHashes.putIfAbsent(version, hash);
        Violation.check(null == other || other == hash, Violation.Kind.COORDINATORS_DIFFER,
            "two maps of version", version);
    }
}
