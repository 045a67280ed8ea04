// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.check;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.TableSpec;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.partition.SlotProgress;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.node.NodeListener;
import io.gradstream.simulator.node.SimulatedNode;
import io.gradstream.simulator.storage.SimulatedStorage;
import io.gradstream.simulator.world.Histories;
import io.gradstream.simulator.world.History;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.Workload;
import io.gradstream.simulator.world.World;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.SessionFailure;
import io.gradstream.worker.session.WorkerIdentity;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Looks after each event whether every promise is still kept. */
public final class Checker implements NodeListener
{
    private static final int APPLIED = 0;
    private static final int REPLICATED = 1;
    private static final int RECORDED = 2;
    private static final int COVERED = 3;
    private static final int LEVELS = 4;
    private static final int HASHED_IN = 8;

    /** Where a log or state stands. */
    private record Place(int partition, long epoch, long position)
    {
    }

    /** The process that has held an epoch. */
    private record Office(int seat, long incarnation)
    {
    }

    private final World world;
    private final Cluster cluster;
    private final Histories histories;
    private final BeliefChecks beliefs;
    private final PullChecks pulls;
    private final ImportChecks imports;
    private final JobChecks jobs;
    private final UnsafeBuffer row = new UnsafeBuffer(new byte[TableSpec.AUDIT.valuesLength()]);
    private final Map<Place, Long> chainHashes = new HashMap<>();
    private final Map<Place, Long> stateHashes = new HashMap<>();
    private final Map<Place, Office> offices = new HashMap<>();
    /** By slot, partition and level: highest watermark told, each found true when it was. */
    private final long[][][] told;
    private final long[][] acknowledged;
    /** By process, slot and partition: what it was told last, under which epoch. */
    private final long[][] toldEpoch;
    private final long[][][] toldLast;
    private final long[][] checkedPosition;
    private int exact;

    public Checker(final World world, final Cluster cluster, final Histories histories)
    {
        this.world = world;
        this.cluster = cluster;
        this.histories = histories;
        beliefs = new BeliefChecks(cluster);
        pulls = new PullChecks(histories);
        imports = new ImportChecks(world.config(), histories);
        jobs = new JobChecks(cluster);
        cluster.watchJobs(jobs);
        cluster.coordinator().checks().openedListener(this::onOpened);
        final int partitions = world.config().partitions();
        told = new long[ScenarioConfig.MOST_SLOTS][partitions][LEVELS];
        acknowledged = new long[ScenarioConfig.MOST_SLOTS][partitions];
        toldEpoch = new long[world.config().clients() * ScenarioConfig.MOST_SLOTS][partitions];
        toldLast = new long[toldEpoch.length][partitions][LEVELS];
        checkedPosition = new long[world.config().seats()][partitions];
    }

    public BeliefChecks beliefs()
    {
        return beliefs;
    }

    /** The checks of jobs beside the first one. */
    public JobChecks jobs()
    {
        return jobs;
    }

    public PullChecks pulls()
    {
        return pulls;
    }

    /** By slot the last sequence that was acknowledged at a partition. */
    public long[] acknowledged(final int partition)
    {
        final long[] lasts = new long[ScenarioConfig.SLOTS];
        for (int slot = 0; slot < lasts.length; slot++)
        {
            lasts[slot] = acknowledged[slot][partition];
        }

        return lasts;
    }

    @Override
    public void onWork(final Replica replica)
    {
        if (Replica.State.HALTED == replica.state())
        {
            throw new Violation(Violation.Kind.REPLICA_HALTED, replica.haltReason());
        }
        if (null != replica.damage() && replica.chain().version() > 0 && replica.isOnlyCopy() &&
            !cluster.policy().isStruck(replica.partition()))
        {
            throw new Violation(Violation.Kind.REPLICA_HALTED, "no other copy: " + replica.damage());
        }
    }

    /** P4: what two logs hold at the same place of the same epoch is the same, back to their beginnings. */
    @Override
    public void onAppended(final int partition, final long epoch, final long end, final long chainHash)
    {
        compare(chainHashes, "log", new Place(partition, epoch, end), chainHash);
    }

    @Override
    public void onDeath(final int seat, final HostedPartition copy)
    {
        checkedPosition[seat][copy.number()] = 0;
    }

    /** After a node's duty cycle. */
    public void checkNode(final SimulatedNode node)
    {
        if (!node.isAlive())
        {
            return;
        }
        for (int partition = 0; partition < world.config().partitions(); partition++)
        {
            final HostedPartition copy = node.process().hosted(partition);
            if (null != copy)
            {
                onWork(copy.replica());
                checkCopy(node, copy);
                checkOnePrimary(partition);
            }
        }
        jobs.checkNode(node);
    }

    private void checkCopy(final SimulatedNode node, final HostedPartition copy)
    {
        final Replica replica = copy.replica();
        final Partition partition = copy.partition();
        final long position = partition.cursor().position();
        if (null == replica.log() || position == checkedPosition[node.seat()][copy.number()] && !copy.isPrimary())
        {
            return;
        }
        final boolean isNews = position != checkedPosition[node.seat()][copy.number()];
        checkedPosition[node.seat()][copy.number()] = position;
        Violation.check(position <= replica.log().position() &&
            replica.log().recordedPosition() <= replica.log().position() && partition.snapshotPosition() <= position,
            Violation.Kind.POSITIONS, "applied, end, recorded, snapshot", position, replica.log().position(),
            replica.log().recordedPosition(), partition.snapshotPosition());
        if (isNews && position > 0)
        {
            final Place place = new Place(copy.number(), partition.cursor().epoch(), position);
            compare(chainHashes, "cursor", place, partition.cursor().chainHash());
            if (0 == Math.floorMod(place.hashCode(), HASHED_IN))
            {
                compare(stateHashes, "state", place, partition.stateHash());
            }
        }
        if (copy.isPrimary())
        {
            checkOffice(node, copy);
            if (isNews && partition.epoch() == cluster.coordinator().chain(copy.number()).epoch())
            {
                checkSlots(copy);
            }
        }
    }

    private void checkOffice(final SimulatedNode node, final HostedPartition copy)
    {
        final Office office = new Office(node.seat(), node.incarnation());
        final Office other = offices.putIfAbsent(new Place(copy.number(), copy.partition().epoch(), 0), office);
        if (null != other && !other.equals(office))
        {
            throw new Violation(Violation.Kind.TWO_PRIMARIES,
                "partition=" + copy.number() + " epoch=" + copy.partition().epoch() + " of " + other +
                " and " + office);
        }
    }

    /** True if everything that was ever told replicated is on this disk. */
    public boolean isRecorded(final SimulatedNode node, final int partition)
    {
        boolean isRecorded = true;
        for (int slot = 0; slot < world.config().slots(); slot++)
        {
            isRecorded &= node.storage(partition).file().recorded(slot) >= told[slot][partition][REPLICATED];
        }

        return isRecorded;
    }

    /** How often somebody took office. */
    public int leaderships()
    {
        return offices.size();
    }

    /** P3: at no instant may two replicas answer for a partition. */
    private void checkOnePrimary(final int partition)
    {
        int answering = 0;
        for (final SimulatedNode node : cluster.nodes())
        {
            answering += node.isAlive() && node.process().mayAnswer(partition) ? 1 : 0;
        }
        Violation.check(answering <= 1, Violation.Kind.TWO_PRIMARIES, "partition, answering", partition, answering);
    }

    /** A node is about to say something of a partition that only its head may say: nobody else may answer now. */
    @Override
    public void onAnswer(final int seat, final int partition)
    {
        for (final SimulatedNode node : cluster.nodes())
        {
            Violation.check(seat == node.seat() || !node.isAlive() || !node.process().mayAnswer(partition),
                Violation.Kind.TWO_PRIMARIES, "partition, answers, may answer", partition, seat, node.seat());
        }
    }

    private void checkSlots(final HostedPartition copy)
    {
        for (int slot = 0; slot < world.config().slots(); slot++)
        {
            checkSlot(copy.partition(), slot);
        }
    }

    /** P1 and P2: the head in office has everything acknowledged, and each part once. */
    private void checkSlot(final Partition partition, final int slot)
    {
        final int number = partition.partition();
        final History history = histories.history(number);
        final long last = partition.lastSequence(slot);
        Violation.check(last >= acknowledged[slot][number], Violation.Kind.LOST,
            "slot, partition, last, acknowledged", slot, number, last, acknowledged[slot][number]);
        Violation.check(last <= history.last(slot), Violation.Kind.DOUBLED, "slot, partition, last, issued", slot,
            number, last, history.last(slot));
        partition.rows().read(TableSpec.AUDIT.tableId(), slot, row, 0);
        final long[] expected = history.audit(slot, last, partition);
        for (int i = 0; i < expected.length; i++)
        {
            final long actual = row.getLong(i * Long.BYTES, ByteOrder.LITTLE_ENDIAN);
            Violation.check(actual == expected[i],
                actual > expected[i] ? Violation.Kind.DOUBLED : Violation.Kind.LOST,
                "slot, partition, last, audit, expected", slot, number, last, actual, expected[i]);
        }
        history.checkOutcomes(slot, partition);
    }

    /** A head has appended a part that it could take or refuse. */
    @Override
    public void onDecided(final HostedPartition copy, final int slot, final long sequence, final boolean isRefused)
    {
        histories.history(copy.number()).onDecided(slot, sequence, copy.partition(), isRefused);
    }

    /** Watermarks that a process is told under one epoch never go back. */
    private void checkTold(final HostedPartition copy, final int slot, final int client, final long[] values)
    {
        final int partition = copy.number();
        final long epoch = copy.partition().epoch();
        final int reader = client * ScenarioConfig.MOST_SLOTS + slot;
        final long[] before = toldLast[reader][partition];
        if (epoch < toldEpoch[reader][partition])
        {
            return;
        }
        for (int level = 0; level < LEVELS; level++)
        {
            if (epoch == toldEpoch[reader][partition] && values[level] < before[level])
            {
                throw new Violation(Violation.Kind.WATERMARK_WENT_BACK, "client=" + client + " partition=" +
                    partition + " epoch=" + epoch + " " + Arrays.toString(values) + " after epoch=" +
                    toldEpoch[reader][partition] + " " + Arrays.toString(before));
            }
        }
        toldEpoch[reader][partition] = epoch;
        System.arraycopy(values, 0, before, 0, LEVELS);
    }

    /** Checks that the parts of a slot have come as far as a head is about to say. */
    @Override
    public void onWatermarks(
        final int seat, final HostedPartition copy, final int slot, final int client, final long[] values)
    {
        checkTold(seat, copy, slot, values);
        checkTold(copy, slot, client, values);
    }

    @Override
    public void onRows(final HostedPartition copy, final long epoch, final long position)
    {
        pulls.onRows(copy, epoch, position);
    }

    private void checkTold(final int seat, final HostedPartition copy, final int slot, final long[] values)
    {
        final int partition = copy.number();
        checkTruth(copy, slot, values[REPLICATED], values[RECORDED]);
        if (values[COVERED] > told[slot][partition][COVERED])
        {
            Violation.check(values[COVERED] <= cluster.at(seat).storage(partition).covered(slot),
                Violation.Kind.WATERMARK_BEYOND_TRUTH, "slot, partition, covered, truth", slot, partition,
                values[COVERED], cluster.at(seat).storage(partition).covered(slot));
        }
        for (int level = 0; level < LEVELS; level++)
        {
            told[slot][partition][level] = Math.max(told[slot][partition][level], values[level]);
        }
    }

    /** A head has looked how far a slot's parts have come: what it knows now it may tell later. */
    @Override
    public void onKnown(final int seat, final HostedPartition copy, final int slot)
    {
        final SlotProgress progress = copy.partition().progress();
        checkTold(seat, copy, slot, new long[]{
            copy.partition().lastSequence(slot), progress.replicatedSequence(slot), progress.recordedSequence(slot),
            progress.snapshottedSequence(slot)});
    }

    /** A head is about to tell a new incarnation behind which part it goes on. */
    @Override
    public void onWelcome(final int seat, final HostedPartition copy, final int slot, final SlotRole role)
    {
        final long last = role.isSole() ? copy.partition().lastSequence(slot) : copy.safeSequence(slot);
        checkTruth(copy, slot, last, last);
        for (int level = 0; level < LEVELS; level++)
        {
            told[slot][copy.number()][level] = Math.max(told[slot][copy.number()][level], last);
        }
    }

    private void checkTruth(final HostedPartition copy, final int slot, final long replicated, final long recorded)
    {
        final int partition = copy.number();
        final Chain chain = cluster.coordinator().chain(partition);
        // a head that has not heard yet that its chain is short still counts who was in it, and so does the coordinator
        final boolean isDegraded = chain.isDegraded() && copy.replica().chain().isDegraded();
        for (final int member : chain.members())
        {
            final SimulatedNode node = cluster.node(member);
            final long onDisk = node.storage(partition).file().recorded(slot);
            Violation.check(recorded <= onDisk || isCoveredBySnapshot(node, partition, slot, recorded),
                Violation.Kind.WATERMARK_BEYOND_TRUTH, "slot, partition, recorded, node, truth", slot, partition,
                recorded, member, onDisk);
            final boolean isKnown = node.isAlive() && null != node.process().hosted(partition) &&
                node.incarnation() == cluster.coordinator().map().incarnations().get(member);
            final long applied = isKnown ? node.process().hosted(partition).partition().lastSequence(slot) :
                replicated;
            Violation.check(replicated <= applied, Violation.Kind.WATERMARK_BEYOND_TRUTH,
                "slot, partition, replicated, node, truth", slot, partition, replicated, member, applied);
            // what was replicated before the chain became short has been told truly
            final boolean isAlone = isDegraded && member == copy.replica().chain().head();
            Violation.check(!isAlone || replicated <= told[slot][partition][REPLICATED] || replicated <= onDisk ||
                isCoveredBySnapshot(node, partition, slot, replicated), Violation.Kind.WATERMARK_BEYOND_TRUTH,
                "slot, partition, replicated alone, node, recorded", slot, partition, replicated, member, onDisk);
        }
    }

    /** A head reports that it goes on without those who are no members any more. */
    @Override
    public void onConfirm(final int seat, final int partition)
    {
        final SimulatedNode node = cluster.at(seat);
        final Chain chain = node.process().hosted(partition).replica().chain();
        final boolean isStale = chain.version() != cluster.coordinator().chain(partition).version();
        // where one copy is wanted nobody takes what is replicated for safe
        if (isStale || chain.isConfirmed() || 1 == chain.wanted())
        {
            return;
        }
        for (int slot = 0; slot < world.config().slots(); slot++)
        {
            Violation.check(hasOnDisk(node, partition, slot), Violation.Kind.CONFIRMED_TOO_EARLY,
                "slot, partition, acknowledged", slot, partition, acknowledged[slot][partition]);
        }
    }

    /**
     * A partition without a head is opened with a copy: it has to have all that was acknowledged on its disk. What is
     * left of a node that was given up cannot be judged: its last report may come after that.
     */
    private void onOpened(final int partition, final int node)
    {
        if (partition >= world.config().partitions())
        {
            jobs.onOpened(partition, node);
            return;
        }
        final SimulatedNode opener = cluster.node(node);
        for (int slot = 0; slot < world.config().slots() && !opener.isGivenUp(); slot++)
        {
            Violation.check(hasOnDisk(opener, partition, slot), Violation.Kind.LOST,
                "opened without what was acknowledged: slot, partition, acknowledged", slot, partition,
                acknowledged[slot][partition]);
        }
    }

    private boolean hasOnDisk(final SimulatedNode node, final int partition, final int slot)
    {
        final long sequence = acknowledged[slot][partition];
        final SimulatedStorage storage = node.storage(partition);

        return 0 == sequence || null != storage &&
            (sequence <= storage.file().recorded(slot) || isCoveredBySnapshot(node, partition, slot, sequence));
    }

    /** A copy is about to delete of its log: nobody may need that, nor may it be in sync without knowing. */
    @Override
    public void onLogCut(final int seat, final int partition)
    {
        final SimulatedNode node = cluster.at(seat);
        final boolean isTheNode = node.incarnation() == cluster.coordinator().map().incarnations().get(node.id());
        final Chain chain = cluster.coordinator().chain(partition);
        Violation.check(
            !isTheNode || !chain.requiredReplicas().contains(node.id()) && !chain.members().contains(node.id()),
            Violation.Kind.NEEDED_LOG_CUT, "partition, node", partition, node.id());
    }

    /** Parts in front of a fetched snapshot are in that, not in the log. */
    private boolean isCoveredBySnapshot(
        final SimulatedNode node, final int partition, final int slot, final long sequence)
    {
        return sequence <= node.storage(partition).snapshotted(slot);
    }

    public void onTakeover(final int slot, final int partition, final long last)
    {
        Violation.check(last >= acknowledged[slot][partition], Violation.Kind.LOST,
            "takeover of slot, partition, last, acknowledged", slot, partition, last, acknowledged[slot][partition]);
    }

    /** Checks that a part of a slot is safe, since a process takes it for so. */
    public void checkSafe(final int slot, final int partition, final long sequence)
    {
        final long safe = told[slot][partition][levelOf(world.config().levels()[slot])];
        Violation.check(sequence <= safe, Violation.Kind.ACKNOWLEDGED_TOO_EARLY,
            "taken for safe by a process: slot, partition, sequence, safe", slot, partition,
            sequence, safe);
    }

    /**
     * Checks a session of a worker after its duty cycle.
     *
     * @param isReplaced if a newer process of the slot was started: the session may be fenced.
     */
    public void checkSession(
        final WorkerIdentity identity, final boolean isReplaced, final PartitionSession session)
    {
        final int slot = identity.slot();
        final long safe = told[slot][session.partition()][levelOf(world.config().levels()[slot])];
        if (PartitionSession.State.HALTED == session.state())
        {
            if (isReplaced && SessionFailure.Kind.FENCED == session.failure().kind() ||
                (identity.role().isSole() ? lacksPartsBefore(session) : lacksPartsOfOther(session, safe)))
            {
                return;
            }
            throw new Violation(Violation.Kind.WORKER_HALTED, session.failure().toString());
        }
        if (session.epoch() < 0)
        {
            return;
        }
        Violation.check(!session.awaitsOwnClock() || world.config().isOfIterations() &&
            world.config().mayBeSequential() || world.config().isSequential() &&
            session.lastSequence() > world.config().shown(session.lastSequence()), Violation.Kind.INVARIANT_BROKEN,
            "says that only its own clock is missing: slot, last", slot, session.lastSequence());
        final boolean isAdopted = world.config().isOfIterations() &&
            session.acknowledgedThrough() == session.heldBefore().sequence() || !identity.role().isSole();
        // parts of the process before, which are held until this one ends their clock, count for nobody yet, nor do
        // those of the other process; what one of the two takes for safe is checked apart
        final long floor = isAdopted ? Math.min(safe, session.acknowledgedThrough()) : session.acknowledgedThrough();
        Violation.check(floor <= safe, Violation.Kind.ACKNOWLEDGED_TOO_EARLY, "slot, partition, floor, safe", slot,
            session.partition(), floor, safe);
        acknowledged[slot][session.partition()] = Math.max(acknowledged[slot][session.partition()], floor);
        Violation.check(session.spool().usedBytes() <= world.config().bounds().spoolBytes() &&
            session.lastSequence() - session.acknowledgedThrough() <= world.config().bounds().maxInFlight(),
            Violation.Kind.UNBOUNDED, "spool", session.spool().usedBytes(), session.lastSequence());
    }

    /**
     * True if what a process lacks are parts of the process before it that a primary held, and died with. It must be
     * started once more (docs/LIMITATIONS.md). None of its own parts has been acknowledged by then; that none of the
     * slot's acknowledged parts is gone is checked at each primary.
     */
    private boolean lacksPartsBefore(final PartitionSession session)
    {
        return world.config().isOfIterations() && SessionFailure.Kind.PUSHES_LOST == session.failure().kind() &&
            session.acknowledgedThrough() == session.heldBefore().sequence();
    }

    /**
     * True if what a process of a slot that is backed up lacks are parts of the other one that were not safe: that one
     * and a primary have died together. The slot then needs a process that holds it alone (docs/CONSISTENCY.md).
     */
    private static boolean lacksPartsOfOther(final PartitionSession session, final long safe)
    {
        return SessionFailure.Kind.PUSHES_LOST == session.failure().kind() && session.acknowledgedThrough() > safe;
    }

    private static int levelOf(final AckLevel level)
    {
        return switch (level)
        {
            case APPLIED -> APPLIED;
            case REPLICATED -> REPLICATED;
            case RECORDED -> RECORDED;
            case SNAPSHOTTED -> COVERED;
        };
    }

    private static void compare(
        final Map<Place, Long> hashes, final String what, final Place place, final long hash)
    {
        final Long other = hashes.putIfAbsent(place, hash);
        if (null != other && hash != other)
        {
            throw new Violation(Violation.Kind.HASH_DIFFERS, what + " at " + place + " " + hash + " and " + other);
        }
    }

    /** After everything is acknowledged and the chains are whole: every copy is what the model says. */
    public void checkEnd()
    {
        for (int partition = 0; partition < world.config().partitions(); partition++)
        {
            for (final int home : cluster.coordinator().assignment(partition))
            {
                checkCopy(cluster.node(home).process().hosted(partition).partition());
            }
        }
    }

    /** Where slots are bound by 0 each push of each iteration counts once, or a process has said that it may not. */
    private void checkIterations(final Partition partition)
    {
        if (!world.config().isOfIterations() || !world.config().isOrdered() || histories.isDoubted())
        {
            return;
        }
        final int number = partition.partition();
        final float[] expected = History.ofIterations(world.config(), number);
        for (int key = 0; key < History.KEYS; key++)
        {
            partition.rows().read(Workload.COUNTS.tableId(), world.config().firstKey(number) + key, row, 0);
            final float value = row.getFloat(0, ByteOrder.LITTLE_ENDIAN);
            if (value != expected[key])
            {
                throw new Violation(Violation.Kind.MODEL_DIFFERS, "iterations, partition=" + number + " key=" + key +
                    " value=" + value + " expected=" + expected[key]);
            }
        }
        exact++;
    }

    /** Copies whose rows were found from the work of the iterations alone. */
    public int exact()
    {
        return exact;
    }

    private void checkRated(final Partition partition, final History history)
    {
        final int number = partition.partition();
        if (world.config().isRateKnown())
        {
            partition.rows().read(Workload.RATED.tableId(), world.config().firstKey(Workload.RATED, number), row, 0);
            final float value = row.getFloat(0, ByteOrder.LITTLE_ENDIAN);
            if (value != history.rated(partition))
            {
                throw new Violation(Violation.Kind.MODEL_DIFFERS, "rated, partition=" + number + " value=" + value +
                    " expected=" + history.rated(partition));
            }
        }
    }

    private void checkCopy(final Partition partition)
    {
        final int number = partition.partition();
        compare(stateHashes, "state",
            new Place(number, partition.cursor().epoch(), partition.cursor().position()), partition.stateHash());
        final History history = histories.history(number);
        final float[] expected = history.fold(partition);
        for (int key = 0; key < expected.length; key++)
        {
            partition.rows().read(Workload.COUNTS.tableId(), world.config().firstKey(number) + key, row, 0);
            final float value = row.getFloat(0, ByteOrder.LITTLE_ENDIAN);
            if (value != expected[key])
            {
                throw new Violation(Violation.Kind.MODEL_DIFFERS, "partition=" + number + " key=" + key + " value=" +
                    value + " expected=" + expected[key]);
            }
        }
        checkRated(partition, history);
        imports.checkLive(partition);
        for (int slot = 0; slot < world.config().slots(); slot++)
        {
            final long last = world.config().isOfIterations() ? history.last(slot) : Workload.PARTS;
            // the last parts of a process that has died with nothing to do may have come nowhere
            Violation.check(world.config().isOfUnits() || last == partition.lastSequence(slot), Violation.Kind.LOST,
                "slot, partition, last, pushed", slot, number, partition.lastSequence(slot), last);
            checkSlot(partition, slot);
        }
        checkClock(partition, history);
        checkIterations(partition);
    }

    private void checkClock(final Partition partition, final History history)
    {
        if (world.config().isOfUnits())
        {
            return;
        }
        final long clock = world.config().isOfIterations() ? world.config().iterations().ended() :
            history.part(0, Workload.PARTS).clock();
        Violation.check(clock == partition.minClock(), Violation.Kind.MODEL_DIFFERS, "clock, expected",
            partition.minClock(), clock);
    }
}
