// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.TableSpec;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.log.LogAppender;
import io.gradstream.recovery.log.LogCursor;
import io.gradstream.recovery.log.ReplicatedState;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.server.table.RowStore;
import io.gradstream.server.table.RowTable;
import org.agrona.DirectBuffer;

import java.util.function.BiPredicate;

/**
 * The state machine of one partition: admits requests of workers, appends them to the log, applies them, and knows how
 * far each slot's parts have come. Owned by one thread; knows no time, network or disk.
 */
public final class Partition implements ReplicatedState, AutoCloseable
{
    /** Stands for a client without a slot: it may pull, and nothing of it is kept. */
    public static final int OBSERVER = -1;

    private final int nodeId;
    private final boolean acceptsLoss;
    private final boolean pacesSnapshots;
    private final PartitionState state;
    private final RequestValidator validator;
    private final SnapshotTaker snapshotTaker;
    private final SnapshotLoader snapshotLoader;
    private final ConsistentExport export;
    private final CopyOnWriteRows copies;
    private final RecordApplier applier;
    private final LogAtOnce atOnce;
    private final IterationAggregator iterations;
    private final DutyCycleAggregator cycle;
    private final PartitionRows rows;
    private final SlotProgress progress;

    private final int jobId;
    private RecordWriter writer;
    private Refusal refusal = Refusal.NONE;
    private boolean isSnapshotNeeded;

    public Partition(
        final int jobId,
        final int partition,
        final int nodeId,
        final PartitionFunction placement,
        final RowStore.Factory stores)
    {
        this(jobId, partition, nodeId, placement, stores, RecoveryMode.REPLAY, UpdateFunctions.BUILT_IN);
    }

    /**
     * An empty partition.
     *
     * @param mode      of the job: says whether lost pushes are accepted and counted.
     * @param functions that its tables may name.
     */
    public Partition(
        final int jobId,
        final int partition,
        final int nodeId,
        final PartitionFunction placement,
        final RowStore.Factory stores,
        final RecoveryMode mode,
        final UpdateFunctions functions)
    {
        this.jobId = jobId;
        this.nodeId = nodeId;
        acceptsLoss = mode.acceptsLoss();
        pacesSnapshots = mode.keepsLog() && !mode.isStateless();
        state = new PartitionState(partition, placement, stores, functions);
        validator = new RequestValidator(state);
        snapshotTaker = new SnapshotTaker(jobId, state);
        snapshotLoader = new SnapshotLoader(jobId, state);
        export = new ConsistentExport(jobId, state);
        copies = new CopyOnWriteRows(snapshotTaker.scan(), export.scan());
        applier = new RecordApplier(state, copies, export);
        atOnce = new LogAtOnce(state, copies);
        iterations = new IterationAggregator(state, copies, atOnce);
        cycle = new DutyCycleAggregator(state, copies);
        rows = new PartitionRows(state);
        progress = new SlotProgress(state, iterations);
    }

    /** The number of its job. */
    public int jobId()
    {
        return jobId;
    }

    @Override
    public void reset()
    {
        state.reset();
        snapshotLoader.reset();
        snapshotTaker.reset();
        export.giveUp();
        applier.reset();
        iterations.clear();
        cycle.clear();
        writer = null;
    }

    @Override
    public LogCursor cursor()
    {
        return state.cursor;
    }

    @Override
    public EpochHistory epochs()
    {
        return state.epochs;
    }

    @Override
    public long snapshottedPosition()
    {
        return snapshotTaker.snapshottedPosition();
    }

    @Override
    public boolean hasRoom()
    {
        return copies.hasRoom();
    }

    @Override
    public void loadFrame(final DirectBuffer buffer, final int offset, final int length)
    {
        snapshotLoader.onFrame(buffer, offset, length);
        if (snapshotLoader.isLoaded())
        {
            snapshotTaker.onLoaded(state.cursor.position());
        }
    }

    @Override
    public boolean isLoaded()
    {
        return snapshotLoader.isLoaded();
    }

    @Override
    public void applyRecord(final DirectBuffer buffer, final int offset, final int length, final long position)
    {
        applier.apply(buffer, offset, length, position);
    }

    @Override
    public boolean tryStartEpoch(final LogAppender appender)
    {
        final RecordWriter newWriter = new RecordWriter(appender, state);
        if (!newWriter.appendEpochStarted(nodeId))
        {
            return false;
        }
        writer = newWriter;
        iterations.clear();
        cycle.clear();
        for (int i = 0; i < PartitionState.MAX_SLOTS; i++)
        {
            if (null != state.slot(i))
            {
                state.slot(i).onEpochStart(state.cursor.position());
            }
        }

        return true;
    }

    @Override
    public void endEpoch()
    {
        writer = null;
        iterations.clear();
        cycle.clear();
    }

    /**
     * True if nothing that this primary holds and has not logged would be lost with it: the processes that have sent it
     * are there.
     *
     * @param isThere true for a slot and a process of it that was heard lately.
     */
    public boolean isHeldBySenders(final BiPredicate<Integer, Long> isThere)
    {
        return iterations.isHeldBySenders(isThere);
    }

    public int partition()
    {
        return state.partition;
    }

    /** Epoch this node serves the partition under, 0 before it started one. */
    public long epoch()
    {
        return null == writer ? 0 : writer.appender().epoch();
    }

    /**
     * A slot attaches. The log says, once, that a newer process holds the slot, so that no later primary takes parts of
     * an older process. In a slot that is backed up, everything held stays: its processes push the same.
     *
     * @param slot of the worker, or {@link #OBSERVER}.
     * @return NONE, BUSY if the log has no room now or a clock of the slot is about to be added up, or why not.
     */
    public Refusal onHello(final int slot, final long incarnation, final SlotRole role)
    {
        final Refusal refusal = null == writer ? Refusal.NOT_PRIMARY : validator.checkHello(slot, incarnation, role);
        final Slot known = slot(slot);
        if (Refusal.NONE != refusal || OBSERVER == slot || null != known && known.isIn(incarnation, role))
        {
            return refusal;
        }
        final boolean isShared = !role.isSole() && null != known && known.isBackedUp();
        if (gate().isCycleOpen() || !isShared && iterations.isDue(slot) ||
            !writer.appendSlotTaken(slot, incarnation, role))
        {
            return Refusal.BUSY;
        }
        if (!isShared)
        {
            iterations.orphan(slot);
        }

        return Refusal.NONE;
    }

    /**
     * A worker that attaches says what it keeps. Where lost pushes are accepted, a partition that knows less than that
     * goes on after the gap, and logs it; everywhere else the worker finds the gap and stops. Parts that are held of a
     * replaced process stay only if the worker goes on right after them, because it may then end that clock.
     *
     * @param oldestKept oldest sequence it keeps, 0 if the process has sent nothing yet.
     * @return NONE, or BUSY if the log has no room now.
     */
    public Refusal onOldestKept(final int slot, final long incarnation, final long oldestKept, final long clock)
    {
        if (!acceptsLoss || null == writer || !PartitionState.isSlot(slot) || oldestKept <= nextSequence(slot) ||
            oldestKept == iterations.orphaned(slot) + 1)
        {
            return Refusal.NONE;
        }
        if (gate().lastTaken(slot) > state.lastSequence(slot))
        {
            return Refusal.BUSY;
        }
        iterations.dropOrphan(slot);

        final long first = state.lastSequence(slot) + 1;
        return writer.appendSequenceJumped(slot, incarnation, first, oldestKept - 1, clock) ?
            Refusal.NONE : Refusal.BUSY;
    }

    /**
     * A worker wants a table. The same table again is success.
     *
     * @return APPENDED, DUPLICATE (the table is there), REFUSED or NOT_NOW.
     */
    public Outcome onCreateTable(final TableSpec spec, final long epoch)
    {
        if (null == writer || epoch != epoch())
        {
            return refuse(null == writer ? Refusal.NOT_PRIMARY : Refusal.FENCED);
        }
        final Refusal problem = validator.checkTable(spec, writer.appender().log().maxRecordLength());
        if (Refusal.NONE != problem)
        {
            return refuse(problem);
        }
        if (null != state.table(spec.tableId()))
        {
            return Outcome.DUPLICATE;
        }

        return Outcome.appendedIf(writer.appendTableCreated(spec));
    }

    /** Log, once, that the job's slots have another staleness bound. False if the log has no room now. */
    public boolean onConsistency(final Consistency consistency)
    {
        return null == writer || consistency.equals(state.consistency()) ||
            !gate().isCycleOpen() && writer.appendConsistencySet(consistency);
    }

    /** How far slots may run apart, as the log says. */
    public Consistency consistency()
    {
        return state.consistency();
    }

    /**
     * A worker pushes a part.
     *
     * @param sections its content, wrapped over bytes from outside.
     */
    public Outcome onPush(
        final PushPartHeader part,
        final Sections sections,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final Outcome early = judge(part);
        if (null != early)
        {
            return early;
        }
        final PushGate gate = gate();
        if (!gate.prepare(part, writer))
        {
            return Outcome.NOT_NOW;
        }
        final Refusal problem = validator.checkContent(
            part, sections.wrap(buffer, offset, length), writer.appender().log().maxRecordLength());

        // whole rows are no part of a sum
        return Refusal.NONE == problem ? take(sections.hasRows() ? atOnce : gate, part, sections) :
            refuse(gate, part, problem);
    }

    private Outcome take(final PushGate gate, final PushPartHeader part, final Sections sections)
    {
        return outcome(gate, gate.onPart(part, sections, writer));
    }

    /**
     * Take a slot's end of an iteration.
     *
     * @param part its sender, sequence and clock, and whether it ends the clock that the process before has pushed.
     */
    public Outcome onClockDone(final PushPartHeader part)
    {
        if (null != writer && part.epoch == epoch())
        {
            iterations.adoptIfEnded(part);
        }
        final Outcome early = judge(part);

        return null != early ? early : outcome(gate(), gate().onClock(part, writer));
    }

    /**
     * The gate that takes pushes, as the staleness bound says. After a bound of 0 it stays the same until everything
     * that is held is in the log.
     */
    private PushGate gate()
    {
        final boolean isSequential = state.consistency().isSequential();
        if (isSequential && iterations.isOn() || !iterations.isIdle())
        {
            return iterations;
        }

        return !isSequential && cycle.isOn() ? cycle : atOnce;
    }

    /** Why the last message was {@link Outcome#REFUSED}. */
    public Refusal refusal()
    {
        return refusal;
    }

    /**
     * True if a part was sent back since the last call because too many refusals are remembered that workers may not
     * know. Workers that wait for snapshots know those refusals after the next snapshot.
     */
    boolean pollSnapshotNeeded()
    {
        final boolean wasNeeded = isSnapshotNeeded;
        isSnapshotNeeded = false;

        return wasNeeded;
    }

    /** Why the last table was refused with {@link Refusal#INVALID_TABLE} or {@link Refusal#TABLE_MISMATCH}. */
    public String tableRefusalReason()
    {
        return validator.tableRefusalReason();
    }

    /** Last sequence of a slot that is in the log and applied, 0 if none; everything up to it has an outcome. */
    public long lastSequence(final int slot)
    {
        return state.lastSequence(slot);
    }

    /** The sequence that is expected next of a slot; those before it are in the log, or held. */
    public long nextSequence(final int slot)
    {
        return 1 + (PartitionState.isSlot(slot) ? gate().lastTaken(slot) : 0);
    }

    /**
     * True if a pull may be answered that a slot sent after its part with this sequence. In a sequential job, parts
     * pushed since the last clock count for no slot yet, and the pull waits for clocks alone.
     */
    public boolean hasApplied(final int slot, final long sequence)
    {
        return state.lastSequence(slot) >= sequence || iterations.isSequential(slot);
    }

    /**
     * Where the staleness bound is 0, hold the pushes of slots in a clock until all have ended it, and apply their sum.
     *
     * @param maxHeldBytes that may be held; the slots that count share it evenly.
     */
    public void sumClocks(final long maxHeldBytes)
    {
        iterations.turnOn(maxHeldBytes);
    }

    /**
     * Where the staleness bound is not 0, add up the pushes of one duty cycle, and apply their sum.
     *
     * @param maxBytes that a sum may count for.
     */
    public void sumCycles(final long maxBytes)
    {
        cycle.turnOn(maxBytes);
    }

    /**
     * Refuse pushes that add rows once all rows of users' tables would be longer.
     *
     * @param bytes of rows and their state, 0 for no limit.
     */
    public void maxRowBytes(final long bytes)
    {
        validator.maxRowBytes(bytes);
    }

    /** Log the sum of the duty cycle, which has brought all of its pushes. */
    int endCycle()
    {
        return null == writer ? 0 : gate().endCycle(writer);
    }

    /** One duty cycle of slots that wait for each other's clocks. */
    int doClockWork(final long nowNs)
    {
        return null == writer ? 0 : gate().doWork(writer, nowNs);
    }

    /** True if the state is that of the cursor's position, so that a snapshot of it may be taken. */
    boolean isComplete()
    {
        return applier.isComplete();
    }

    /**
     * Iterations that every slot has finished: every slot that holds others back, or every slot ever seen if none does.
     */
    public long minClock()
    {
        return state.minClock();
    }

    /**
     * True if the state may be called that of {@link #minClock()} iterations: no slot that was ahead when the bound was
     * set to 0 is in it, and none has pushed since all have finished.
     */
    public boolean isOfItsClock()
    {
        return state.isOfItsClock();
    }

    /**
     * Least iterations of every slot at which the rows are exact, where the bound is 0. With fewer, the rows may hold
     * later iterations of some slots, which were ahead when the bound was set.
     */
    public long exactFrom()
    {
        return state.exactFrom();
    }

    /**
     * True if the newest record has ended, for the last slot, the iteration that all have finished now. False where a
     * slot that was behind has finished for good, or counts no longer: slots ahead of it may have begun another
     * iteration.
     */
    public boolean hasEndedItsClock()
    {
        return state.hasEndedItsClock();
    }

    /** The specification of a table, or null if there is none. */
    public TableSpec tableSpec(final int tableId)
    {
        final RowTable table = state.table(tableId);
        return null == table ? null : table.spec();
    }

    /** How far its slots have come. */
    public SlotProgress progress()
    {
        return progress;
    }

    /** The rows, for pulls. */
    public PartitionRows rows()
    {
        return rows;
    }

    /** The tables and rows of this partition at the end of one iteration, for exports. */
    public ConsistentExport export()
    {
        return export;
    }

    /** The snapshots of its state: the one under way, and the newest. */
    public SnapshotTaker snapshots()
    {
        return snapshotTaker;
    }

    @Override
    public long snapshotPosition()
    {
        return snapshotTaker.newestPosition();
    }

    /**
     * True if snapshots give way to pushes. False where snapshots are all that is kept, or where every worker waits for
     * them.
     */
    boolean pacesSnapshots()
    {
        return pacesSnapshots;
    }

    /** A hash of the state that two replicas at the same position share, whatever the order of their rows. */
    public long stateHash()
    {
        return state.hash();
    }

    @Override
    public void close()
    {
        state.close();
    }

    /** Bytes of all rows, with their versions and their update functions' state. */
    long stateBytes()
    {
        return state.bytes();
    }

    PartitionContents contents()
    {
        return new PartitionContents(state, iterations);
    }

    Slot slot(final int slot)
    {
        return PartitionState.isSlot(slot) ? state.slot(slot) : null;
    }

    /** The outcome of a part whatever its content is, or null if the content decides. */
    Outcome judge(final PushPartHeader part)
    {
        if (null == writer)
        {
            return refuse(Refusal.NOT_PRIMARY);
        }
        final long taken = nextSequence(part.slot) - 1;
        final Refusal problem = validator.checkPart(part, epoch(), taken);
        if (Refusal.NONE != problem)
        {
            if (Refusal.SEQUENCE_GAP == problem && acceptsLoss)
            {
                // the next hello of the process jumps the gap
                iterations.onGap(part);
            }
            return refuse(problem);
        }
        if (part.sequence <= taken)
        {
            return Outcome.DUPLICATE;
        }

        final Slot known = state.slot(part.slot);
        return null == known || known.hasRoomBehind((int)(taken - known.last)) ? null : Outcome.NOT_NOW;
    }

    private Outcome refuse(final PushGate gate, final PushPartHeader part, final Refusal why)
    {
        if (!why.consumesSequence())
        {
            return refuse(why);
        }
        if (!state.hasRoomForRefusal(part.slot, part.acknowledgedThrough))
        {
            isSnapshotNeeded = true;
            return refuse(Refusal.BUSY);
        }

        return outcome(gate, gate.onRefused(part, why, writer));
    }

    private Outcome outcome(final PushGate gate, final Outcome outcome)
    {
        return Outcome.REFUSED == outcome ? refuse(gate.refusal()) : outcome;
    }

    private Outcome refuse(final Refusal reason)
    {
        refusal = reason;
        return Outcome.REFUSED;
    }
}
