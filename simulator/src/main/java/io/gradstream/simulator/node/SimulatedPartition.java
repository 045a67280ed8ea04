// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.TableSpec;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.Outcome;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.partition.PushPartHeader;
import io.gradstream.server.snapshot.SnapshotThreshold;
import io.gradstream.simulator.storage.PlantedImportFaults;
import io.gradstream.simulator.storage.SimulatedStorage;
import io.gradstream.simulator.world.Imports;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.SimulatedCrash;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.Workload;
import io.gradstream.simulator.world.World;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A node's copy of a partition, watched, and the place for mistakes that a head could make. */
final class SimulatedPartition extends HostedPartition
{
    private static final long SNAPSHOT_LOG_BYTES = 5_000;
    private static final long SILENCE_NS = 20_000_000;
    private static final float[] NOT_FINITE = {Float.NaN};

    private final World world;
    private final Cluster cluster;
    private final SimulatedNode node;
    private final PushPartHeader changed = new PushPartHeader();
    /** The planted fault of a takeover that only memory knows of. */
    private final long[] fenced = new long[ScenarioConfig.MOST_SLOTS];
    /** By slot and sequence whether a fickle part is refused that is held, and not in the log yet. */
    private final List<SortedMap<Long, Boolean>> decided = new ArrayList<>();
    private long decidedEpoch;
    private Consistency consistency;
    /** When the last slot pushed last. */
    private long heardNs;
    private boolean isFenced;
    private boolean isTelling;

    SimulatedPartition(
        final World world,
        final Cluster cluster,
        final SimulatedNode node,
        final Partition partition,
        final SimulatedStorage storage,
        final Replica replica)
    {
        super(partition, storage, replica, SnapshotThreshold.fixed(SNAPSHOT_LOG_BYTES));
        this.world = world;
        this.cluster = cluster;
        this.node = node;
        for (int slot = 0; slot < ScenarioConfig.MOST_SLOTS; slot++)
        {
            decided.add(new TreeMap<>());
        }
    }

    @Override
    public void mayAnswer(final boolean isAllowed)
    {
        super.mayAnswer(
            isAllowed || isPrimary() && cluster.lies().lease().hasLease(node.seat(), replica(), node.nowNs()));
    }

    @Override
    public boolean isPrimary()
    {
        return super.isPrimary() ||
            Replica.State.PRIMARY == replica().state() && (world.isPlanted(PlantedFault.LOST_PLACE_NOT_SEEN) ||
            world.isPlanted(PlantedFault.SEALED_HEAD_ANSWERS) && replica().chain().head() == node.id());
    }

    @Override
    public boolean isAnswering()
    {
        return super.isAnswering() || isPrimary() && replica().chain().isConfirmed() && !isTelling &&
            world.isPlanted(PlantedFault.PULL_WITHOUT_LEASE);
    }

    @Override
    public boolean isFresh(final int slot, final long clock)
    {
        if (world.isPlanted(PlantedFault.FINISHED_SLOT_AWAITED) && isAnySlotFinished())
        {
            return false;
        }
        return super.isFresh(slot, clock) ||
            world.isPlanted(PlantedFault.BOUND_OFF_BY_ONE) && super.isFresh(slot, clock - 1) ||
            isBoundUnlogged() && consistency.allows(clock, partition().minClock()) ||
            world.isPlanted(PlantedFault.UNSEEN_SLOT_NOT_COUNTED) && isAnySlotUnseen() ||
            world.isPlanted(PlantedFault.UNCOUNTED_SLOT_NOT_BOUND) && slot >= partition().consistency().slots() ||
            world.isPlanted(PlantedFault.CLOCK_BEFORE_ITS_PUSHES) && areHeldTo(clock);
    }

    /** True if the end of a clock of each slot is held, or in the log. */
    private boolean areHeldTo(final long clock)
    {
        boolean areHeld = world.config().isSequential();
        for (int slot = 0; slot < ScenarioConfig.SLOTS; slot++)
        {
            areHeld &= world.config().clock(partition().nextSequence(slot) - 1) >= clock;
        }

        return areHeld;
    }

    private boolean isBoundUnlogged()
    {
        return world.isPlanted(PlantedFault.BOUND_NOT_LOGGED) && partition().consistency().isBounded() &&
            null != consistency;
    }

    @Override
    public void onConsistency(final Consistency newConsistency)
    {
        consistency = newConsistency;
        if (isBoundUnlogged())
        {
            return;
        }
        final boolean isDropped = world.isPlanted(PlantedFault.SILENT_SLOT_DROPPED) && isPrimary() &&
            newConsistency.slots() > 1 && node.nowNs() - heardNs > SILENCE_NS;
        final boolean isRaised = world.isPlanted(PlantedFault.BOUND_LOGGED_AS_ONE_MORE) && newConsistency.isBounded();
        super.onConsistency(isDropped ? new Consistency(1, newConsistency.staleness()) : isRaised ?
            new Consistency(newConsistency.slots(), newConsistency.staleness() + 1) : newConsistency);
    }

    private boolean isAnySlotFinished()
    {
        boolean isFinished = false;
        for (int slot = 0; slot < ScenarioConfig.SLOTS; slot++)
        {
            isFinished |= slot == contents().nextSlot(slot) && Consistency.FINISHED == contents().clock(slot);
        }

        return isFinished;
    }

    private boolean isAnySlotUnseen()
    {
        boolean isUnseen = false;
        for (int slot = 0; slot < ScenarioConfig.SLOTS; slot++)
        {
            isUnseen |= 0 == partition().lastSequence(slot);
        }

        return isUnseen;
    }

    @Override
    public boolean mayAcknowledge(final int slot, final long incarnation)
    {
        isTelling = true;
        final boolean mayAcknowledge = super.mayAcknowledge(slot, incarnation);
        isTelling = false;

        return mayAcknowledge;
    }

    @Override
    public Refusal onHello(
        final int slot, final long incarnation, final SlotRole role, final long oldestKept, final long clock)
    {
        final long holder = holder(slot);
        final Refusal refusal = judge(slot, incarnation, role, oldestKept, clock);
        if (holder(slot) != holder)
        {
            cluster.policy().onTakeover(node);
            decided.get(slot).tailMap(partition().nextSequence(slot)).clear();
        }
        if (super.isAnswering() && 0 == oldestKept)
        {
            cluster.listener().onKnown(node.seat(), this, slot);
        }
        if (Refusal.NONE == refusal)
        {
            if (0 == oldestKept)
            {
                cluster.listener().onWelcome(node.seat(), this, slot, role);
            }
            note("welcomes slot", slot, "behind", partition().lastSequence(slot));
        }

        return refusal;
    }

    @Override
    public Outcome onPush(
        final PushPartHeader part,
        final Sections sections,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (isFenced(part))
        {
            return Outcome.REFUSED;
        }
        heardNs = ScenarioConfig.SLOTS - 1 == part.slot() ? node.nowNs() : heardNs;
        final long sequence = part.sequence();
        final int slot = part.slot();
        final UnsafeBuffer content = new UnsafeBuffer(new byte[length]);
        content.putBytes(0, buffer, offset, length);
        final boolean isFickle = sections.wrap(content, 0, length).next() &&
            sections.elements().getFloat(sections.elementsOffset(), ByteOrder.LITTLE_ENDIAN) < 0;
        final boolean isRefused = isFickle && 0 == (PartitionFunction.mix(partition().epoch() * 31 + sequence) & 1);
        if (isRefused)
        {
            sections.valueEncoding().encode(NOT_FINITE, 0, content, sections.valuesOffset(), NOT_FINITE.length);
        }
        PlantedImportFaults.onPush(sections, content, world.planted());
        final long before = partition().nextSequence(slot);
        try
        {
            return taken(part, super.onPush(changed(part), sections, content, 0, length));
        }
        finally
        {
            if (isFickle && partition().nextSequence(slot) > before)
            {
                decided.get(slot).put(sequence, isRefused);
            }
            // also where the node dies while it commits: the record is in its log then
            tellDecided();
        }
    }

    @Override
    public Outcome judge(final PushPartHeader part)
    {
        return isFenced(part) ? Outcome.REFUSED : super.judge(changed(part));
    }

    private Outcome taken(final PushPartHeader part, final Outcome outcome)
    {
        if (Outcome.APPENDED == outcome)
        {
            cluster.histories().history(number()).onTaken(part.slot(), part.sequence(), part.incarnation());
        }

        return outcome;
    }

    /** Tells what was decided of parts that are in the log now. */
    private void tellDecided()
    {
        final long epoch = partition().epoch();
        if (epoch != decidedEpoch)
        {
            decided.forEach(Map::clear);
        }
        decidedEpoch = epoch;
        for (int slot = 0; slot < ScenarioConfig.SLOTS; slot++)
        {
            final Map<Long, Boolean> ofSlot = decided.get(slot).headMap(partition().lastSequence(slot) + 1);
            for (final Map.Entry<Long, Boolean> part : ofSlot.entrySet())
            {
                cluster.listener().onDecided(this, slot, part.getKey(), part.getValue());
            }
            ofSlot.clear();
        }
    }

    @Override
    public Outcome onClockDone(final PushPartHeader part)
    {
        try
        {
            return isFenced(part) ? Outcome.REFUSED : taken(part, super.onClockDone(changed(part)));
        }
        finally
        {
            tellDecided();
        }
    }

    @Override
    protected int endCycle()
    {
        try
        {
            return super.endCycle();
        }
        finally
        {
            tellDecided();
        }
    }

    @Override
    public Refusal refusal()
    {
        return isFenced ? Refusal.FENCED : super.refusal();
    }

    @Override
    public int doWork(final long nowNs)
    {
        cluster.lies().leaveUnasked(replica());
        if (null != consistency)
        {
            onConsistency(consistency);
        }
        final int workCount;
        try
        {
            workCount = super.doWork(nowNs);
        }
        finally
        {
            tellDecided();
        }
        if (Replica.State.HALTED == replica().state() && cluster.bitFlips().hasMisled(node.id(), number()))
        {
            note("ends", replica().haltReason());
            throw new SimulatedCrash();
        }
        cluster.listener().onWork(replica());
        if (world.config().isCovered() && 0 == world.faults().work().nextInt(40))
        {
            onSnapshotWanted();
        }
        if (isPrimary() && null == partition().tableSpec(Workload.COUNTS.tableId()) &&
            0 == world.faults().work().nextInt(4))
        {
            createTable(Workload.COUNTS);
        }
        if (isPrimary() && world.config().isRateScheduled() && null == partition().tableSpec(Workload.RATED.tableId()))
        {
            createTable(Workload.RATED);
        }
        if (isPrimary() && world.config().isImporting() && null == partition().tableSpec(Imports.TABLE.tableId()))
        {
            createTable(Imports.TABLE);
        }

        return workCount;
    }

    private void createTable(final TableSpec spec)
    {
        final Outcome outcome = partition().onCreateTable(spec, partition().epoch());
        Violation.check(Outcome.REFUSED != outcome, Violation.Kind.INVARIANT_BROKEN,
            "table refused: " + partition().tableRefusalReason());
    }

    private Refusal judge(
        final int slot, final long incarnation, final SlotRole role, final long oldestKept, final long clock)
    {
        if (world.isPlanted(PlantedFault.TAKEOVER_NOT_LOGGED) && isPrimary())
        {
            if (incarnation < fenced[slot])
            {
                return Refusal.FENCED;
            }
            fenced[slot] = incarnation;
            // the first process is logged, so that there is a slot
            final long logged = Long.MIN_VALUE == holder(slot) ? incarnation : Math.min(incarnation, holder(slot));
            return super.onHello(slot, logged, role, oldestKept, clock);
        }
        final Refusal refusal = super.onHello(slot, incarnation, role, oldestKept, clock);
        final Partition partition = partition();
        final boolean isAllSafeButTheTakeover = super.isAnswering() && holder(slot) == incarnation &&
            partition.progress().recordedSequence(slot) == partition.lastSequence(slot) &&
            partition.progress().replicatedSequence(slot) == partition.lastSequence(slot);

        final boolean isWelcome =
            world.isPlanted(PlantedFault.WELCOME_BEFORE_TAKEOVER_IS_SAFE) && isAllSafeButTheTakeover ||
            world.isPlanted(PlantedFault.WELCOME_AT_UNRECORDED) && isAnswering() && holder(slot) == incarnation;

        return Refusal.BUSY == refusal && isWelcome ? Refusal.NONE : refusal;
    }

    private long holder(final int slot)
    {
        return slot == contents().nextSlot(slot) ? contents().incarnation(slot) : Long.MIN_VALUE;
    }

    private boolean isFenced(final PushPartHeader part)
    {
        isFenced = part.incarnation() < fenced[part.slot()];
        return isFenced;
    }

    private PushPartHeader changed(final PushPartHeader part)
    {
        final long last = partition().lastSequence(part.slot());
        final boolean isAgain = world.isPlanted(PlantedFault.DUPLICATE_ADMITTED) && part.sequence() <= last;

        return changed.set(part.slot(), part.incarnation(), part.epoch(), isAgain ? last + 1 : part.sequence(),
            part.acknowledgedThrough(), part.clock()).adopted(part.adopted());
    }

    private void note(final String what, final Object... values)
    {
        world.journal().note("node-" + node.id() + "/" + number(), what, values);
    }
}
