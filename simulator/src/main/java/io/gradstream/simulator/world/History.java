// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.world;

import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.server.function.RateSchedule;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.server.partition.Partition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An independent model of a partition: what the workers of each slot have pushed, and what it must add up to. Where two
 * processes of a slot live, what counts is what the one pushed that was welcomed last.
 */
public final class History
{
    /** Keys of the table of counts. */
    public static final int KEYS = 16;
    /** Sums of an audit row: count, sequences, their squares, contents. */
    private static final int SUMS = 4;

    /** The table and the kind of a part's rows. */
    public enum Form
    {
        /** Gradients of the table of counts. */
        COUNTS,
        /** Whole rows of the table that is imported. */
        ROWS,
        /** Gradients of the table that is imported. */
        STEPS,
        /** Whole rows of the table of counts, from the model of an earlier run: values are the bits of floats. */
        MODEL
    }

    /** One part: key and value of each row; none for a clock. */
    public record Part(int[] keys, int[] values, boolean isRefused, long clock, Form form)
    {
        public Part(final int[] keys, final int[] values, final boolean isRefused, final long clock)
        {
            this(keys, values, isRefused, clock, Form.COUNTS);
        }

        public boolean isClock()
        {
            return 0 == keys.length;
        }

        /** True if each primary refuses or takes the part as it likes; its first value is below zero. */
        boolean isFickle()
        {
            return !isClock() && !isRefused && values[0] < 0;
        }
    }

    /** Which parts are not in a sum. */
    @FunctionalInterface
    public interface Refusals
    {
        boolean isRefused(int slot, long sequence);
    }

    /** A primary's decision of a fickle part, at a place of the log. */
    private record Decision(long epoch, long position, boolean isRefused)
    {
        boolean isIn(final Partition state)
        {
            final EpochHistory epochs = state.epochs();
            for (int i = 0; i < epochs.size(); i++)
            {
                if (epochs.epoch(i) == epoch)
                {
                    final long end = i + 1 < epochs.size() ? epochs.startPosition(i + 1) : state.cursor().position();
                    return epochs.startPosition(i) < position && position <= end;
                }
            }

            return false;
        }
    }

    /** A part whose number another process of its slot has given to another part. */
    private record Superseded(Part part, long contentHash)
    {
    }

    /** The pushes of one slot. */
    private static final class OfSlot
    {
        private final List<Part> parts = new ArrayList<>();
        private final List<Long> contentHashes = new ArrayList<>();
        private final List<Long> senders = new ArrayList<>();
        /** For each sequence, what the audit row must hold without fickle parts. */
        private final List<long[]> audits = new ArrayList<>(List.of(new long[SUMS]));
        private final List<Long> fickle = new ArrayList<>();
        private final Map<Long, List<Decision>> decisions = new HashMap<>();
        private final Map<Long, Boolean> outcomes = new HashMap<>();
        /** By sequence and sender: parts that another process has numbered anew, which a primary may hold still. */
        private final Map<Long, Map<Long, Superseded>> superseded = new HashMap<>();
        /** By sequence the sender of the part that a primary took last. */
        private final Map<Long, Long> takenFrom = new HashMap<>();
        private long author;
        private long takenBehind;
        /** True if two processes push the same. */
        private boolean isShared;
    }

    private final ScenarioConfig config;
    private final OfSlot[] slots;

    History(final ScenarioConfig config)
    {
        this.config = config;
        slots = new OfSlot[config.slots()];
        for (int slot = 0; slot < slots.length; slot++)
        {
            slots[slot] = new OfSlot();
            slots[slot].isShared = config.isBackedUp(slot);
        }
    }

    /** A process has pushed; what one says whose slot was taken over is not heard. */
    public void add(final int slot, final long incarnation, final Part part, final long contentHash)
    {
        final OfSlot of = slots[slot];
        if (incarnation >= of.author)
        {
            append(of, incarnation, part, contentHash);
        }
    }

    private static void append(final OfSlot of, final long incarnation, final Part part, final long contentHash)
    {
        of.parts.add(part);
        of.contentHashes.add(contentHash);
        of.senders.add(incarnation);
        final long sequence = of.parts.size();
        final long[] audit = of.audits.get((int)sequence - 1).clone();
        if (part.isFickle())
        {
            of.fickle.add(sequence);
        }
        else if (!part.isClock() && !part.isRefused)
        {
            count(audit, sequence, contentHash);
        }
        of.audits.add(audit);
    }

    /**
     * A process has sent a part, for the first time or again. A part of another process with the same number, which was
     * held and then dropped, has never been.
     */
    public void onSent(
        final int slot, final long incarnation, final long sequence, final Part part, final long contentHash)
    {
        final OfSlot of = slots[slot];
        if (incarnation < of.author)
        {
            return;
        }
        if (sequence <= of.parts.size() && (of.isShared || incarnation == of.senders.get((int)sequence - 1)))
        {
            Violation.check(contentHash == of.contentHashes.get((int)sequence - 1) &&
                part.clock() == part(slot, sequence).clock, Violation.Kind.INVARIANT_BROKEN,
                "two parts with one number: slot, sequence", slot, sequence);
            return;
        }
        if (of.isShared && sequence > of.parts.size() + 1)
        {
            // the end of an iteration whose parts were left to the other process, which has died: no primary may take
            // it, and one that does is further than the slot has pushed
            return;
        }
        for (int i = (int)sequence - 1; i < of.parts.size(); i++)
        {
            of.superseded.computeIfAbsent(i + 1L, (key) -> new HashMap<>())
                .put(of.senders.get(i), new Superseded(of.parts.get(i), of.contentHashes.get(i)));
        }
        forget(of, Math.min(sequence - 1, of.parts.size()));
        Violation.check(sequence == of.parts.size() + 1, Violation.Kind.INVARIANT_BROKEN,
            "a part is missing before: slot, sequence, last", slot, sequence, of.parts.size());
        add(slot, incarnation, part, contentHash);
    }

    /**
     * A new incarnation that holds the slot alone goes on after a part: those that came later have never been.
     *
     * @param last that is applied.
     * @param held that is held until all slots end their clock, or last: the new process may go on after that.
     */
    public void takeOver(final int slot, final long incarnation, final long last, final long held)
    {
        final OfSlot of = slots[slot];
        of.isShared = false;
        of.author = incarnation;
        of.takenBehind = last;
        forget(of, Math.min(held, of.parts.size()));
        restoreHeld(slot, last, held);
    }

    /** A primary has taken a part, and holds it or has it in its log. */
    public void onTaken(final int slot, final long sequence, final long incarnation)
    {
        slots[slot].takenFrom.put(sequence, incarnation);
    }

    /** Only parts that came are held: those of a process whose parts with the same numbers did not come are void. */
    private void restoreHeld(final int slot, final long last, final long held)
    {
        final OfSlot of = slots[slot];
        final List<Map.Entry<Long, Superseded>> heldParts = new ArrayList<>();
        for (long sequence = last + 1; sequence <= held; sequence++)
        {
            final Long sender = of.takenFrom.get(sequence);
            final Superseded part = of.superseded.getOrDefault(sequence, Map.of()).get(sender);
            final boolean isKnown = sequence <= of.parts.size() && of.senders.get((int)sequence - 1).equals(sender);
            if (isKnown || null == part)
            {
                return;
            }
            heldParts.add(Map.entry(sender, part));
        }
        if (!heldParts.isEmpty())
        {
            forget(of, last);
            heldParts.forEach((part) -> append(of, part.getKey(), part.getValue().part, part.getValue().contentHash));
        }
    }

    private static void forget(final OfSlot of, final long last)
    {
        of.parts.subList((int)last, of.parts.size()).clear();
        of.contentHashes.subList((int)last, of.contentHashes.size()).clear();
        of.senders.subList((int)last, of.senders.size()).clear();
        of.audits.subList((int)last + 1, of.audits.size()).clear();
        of.fickle.removeIf((sequence) -> sequence > last);
    }

    /** Sequence of the last end of a clock up to a part, 0 if there is none. */
    public long clockEnd(final int slot, final long last)
    {
        long sequence = last;
        while (sequence > 0 && !part(slot, sequence).isClock())
        {
            sequence--;
        }

        return sequence;
    }

    /** Iterations that a slot has ended with a part. */
    public long clock(final int slot, final long last)
    {
        final long end = clockEnd(slot, last);
        return 0 == end ? 0 : part(slot, end).clock;
    }

    /** Last sequence that a process may have pushed with effect. */
    public long lastOf(final int slot, final long incarnation)
    {
        return isReplaced(slot, incarnation) ? slots[slot].takenBehind : slots[slot].parts.size();
    }

    /** True if a newer process of the slot was welcomed. */
    public boolean isReplaced(final int slot, final long incarnation)
    {
        return incarnation < slots[slot].author;
    }

    public long last(final int slot)
    {
        return slots[slot].parts.size();
    }

    public Part part(final int slot, final long sequence)
    {
        return slots[slot].parts.get((int)sequence - 1);
    }

    /** A primary has appended a fickle part or its refusal. */
    public void onDecided(final int slot, final long sequence, final Partition primary, final boolean isRefused)
    {
        slots[slot].decisions.computeIfAbsent(sequence, (key) -> new ArrayList<>())
            .add(new Decision(primary.epoch(), primary.cursor().position(), isRefused));
    }

    /** A caller was told what became of its push. */
    public void onOutcome(final int slot, final int partition, final long sequence, final boolean isRefused)
    {
        final Part part = part(slot, sequence);
        if (part.isFickle())
        {
            slots[slot].outcomes.put(sequence, isRefused);
            return;
        }
        Violation.check(isRefused == part.isRefused, Violation.Kind.WRONG_OUTCOME, "slot, partition and sequence",
            slot, partition, sequence);
    }

    /** Checks that callers were told what the log says. */
    public void checkOutcomes(final int slot, final Partition state)
    {
        final OfSlot of = slots[slot];
        for (final long sequence : of.fickle)
        {
            final Boolean told = of.outcomes.get(sequence);
            Violation.check(null == told || sequence > state.lastSequence(slot) ||
                told == isRefused(slot, sequence, state), Violation.Kind.WRONG_OUTCOME,
                "fickle, slot, partition and sequence", slot, state.partition(), sequence);
        }
    }

    public long[] audit(final int slot, final long last, final Partition state)
    {
        final OfSlot of = slots[slot];
        final long[] audit = of.audits.get((int)last).clone();
        for (final long sequence : of.fickle)
        {
            if (sequence <= last && !isRefused(slot, sequence, state))
            {
                count(audit, sequence, of.contentHashes.get((int)sequence - 1));
            }
        }

        return audit;
    }

    /** Returns what the rows of a head must hold. */
    public float[] fold(final Partition state)
    {
        final float[] rows = new float[config.isOfUnits() ? config.work().batches() : KEYS];
        if (config.isOfIterations() && config.isOrdered())
        {
            return foldIterations(state);
        }
        if (config.isOrdered())
        {
            final long clocks = config.clock(state.lastSequence(0));
            for (long clock = 0; clock < clocks; clock++)
            {
                final float[] sums = new float[KEYS];
                for (int slot = 0; slot < slots.length; slot++)
                {
                    add(slot, clock * config.clockEvery() + 1, (clock + 1) * config.clockEvery(), state, sums);
                }
                for (int key = 0; key < KEYS; key++)
                {
                    rows[key] += sums[key];
                }
            }
            return rows;
        }
        for (int slot = 0; slot < slots.length; slot++)
        {
            add(slot, 1, Math.min(slots[slot].parts.size(), state.lastSequence(slot)), state, rows);
        }

        return rows;
    }

    /** Values that an earlier run has left in the rows. */
    private float[] model(final Partition state)
    {
        final float[] rows = new float[KEYS];
        for (int slot = 0; slot < slots.length && null != config.resumed(); slot++)
        {
            for (long sequence = 1; sequence <= state.lastSequence(slot); sequence++)
            {
                final Part part = part(slot, sequence);
                for (int i = 0; Form.MODEL == part.form && i < part.keys.length; i++)
                {
                    rows[part.keys[i]] = Float.intBitsToFloat(part.values[i]);
                }
            }
        }

        return rows;
    }

    private float[] foldIterations(final Partition state)
    {
        final float[] rows = model(state);
        for (long clock = 0; clock < config.iterations().count(); clock++)
        {
            final float[] sums = new float[KEYS];
            for (int slot = 0; slot < slots.length; slot++)
            {
                for (long sequence = 1; sequence <= state.lastSequence(slot); sequence++)
                {
                    if (part(slot, sequence).clock == clock)
                    {
                        add(slot, sequence, sequence, state, sums);
                    }
                }
            }
            for (int key = 0; key < KEYS; key++)
            {
                rows[key] += sums[key];
            }
        }

        return rows;
    }

    /** Returns what rows hold in the end, if each push of each iteration counts once: found from the work alone. */
    public static float[] ofIterations(final ScenarioConfig config, final int partition)
    {
        return ofIterations(config, partition, config.iterations().count());
    }

    /** Returns what rows hold after so many iterations of this run, with those of the run that it resumes. */
    public static float[] ofIterations(final ScenarioConfig config, final int partition, final long clocks)
    {
        final float[] rows = new float[KEYS];
        for (long clock = -config.iterations().first(); clock < clocks; clock++)
        {
            final float[] sums = new float[KEYS];
            for (int slot = 0; slot < ScenarioConfig.SLOTS; slot++)
            {
                for (int push = 0; push < config.iterations().pushes(slot, clock); push++)
                {
                    final Part part = config.iterations().part(partition, slot, clock, push);
                    for (int i = 0; i < part.keys.length; i++)
                    {
                        sums[part.keys[i]] += Workload.gradient(config, part.values[i]);
                    }
                }
            }
            for (int key = 0; key < KEYS; key++)
            {
                rows[key] += sums[key];
            }
        }

        return rows;
    }

    /** Returns what the row of the table with a schedule must hold, where that is known. */
    public float rated(final Partition state)
    {
        final RateSchedule schedule = UpdateFunctions.schedule(Workload.RATED.function());
        float row = 0;
        if (config.isSequential())
        {
            final long clocks = config.clock(state.lastSequence(0));
            for (long clock = 0; clock < clocks; clock++)
            {
                final long last = (clock + 1) * config.clockEvery();
                row += schedule.factor(clock) * taken(clock * config.clockEvery() + 1, last, state);
            }
            return row;
        }
        final long updates = taken(1, Workload.PARTS, state);
        for (long update = 0; update < updates; update++)
        {
            row += schedule.factor(update);
        }

        return row;
    }

    /** Parts of all slots, from one sequence to another, that were taken. */
    private long taken(final long first, final long last, final Partition state)
    {
        long taken = 0;
        for (int slot = 0; slot < slots.length; slot++)
        {
            for (long sequence = first; sequence <= Math.min(last, state.lastSequence(slot)); sequence++)
            {
                taken += part(slot, sequence).isClock() || isRefused(slot, sequence, state) ? 0 : 1;
            }
        }

        return taken;
    }

    /** Returns what the rows that are imported must hold at a head, with their state. */
    public float[][] imported(final Partition state)
    {
        final float[][] rows = new float[Imports.KEYS][Imports.ROW_FLOATS];
        for (int slot = 0; slot < slots.length; slot++)
        {
            for (long sequence = 1; sequence <= state.lastSequence(slot); sequence++)
            {
                Imports.apply(part(slot, sequence), rows);
            }
        }

        return rows;
    }

    /** By key the sum of the clock behind a sequence, of slots in some order. */
    public float[] sums(final long last, final int[] order, final Refusals refusals)
    {
        final float[] sums = new float[KEYS];
        for (final int slot : order)
        {
            add(slot, last + 1, last + config.clockEvery(), refusals, sums);
        }

        return sums;
    }

    private void add(final int slot, final long first, final long last, final Partition state, final float[] to)
    {
        add(slot, first, last, (of, sequence) -> isRefused(of, sequence, state), to);
    }

    private void add(final int slot, final long first, final long last, final Refusals refusals, final float[] to)
    {
        for (long sequence = first; sequence <= last; sequence++)
        {
            final Part part = part(slot, sequence);
            final int rows = part.isClock() || Form.COUNTS != part.form || refusals.isRefused(slot, sequence) ? 0 :
                part.keys.length;
            for (int i = 0; i < rows; i++)
            {
                to[part.keys[i]] += Workload.gradient(config, part.values[i]);
            }
        }
    }

    private boolean isRefused(final int slot, final long sequence, final Partition state)
    {
        return isRefused(slot, sequence, part(slot, sequence), state);
    }

    private boolean isRefused(final int slot, final long sequence, final Part part, final Partition state)
    {
        if (!part.isFickle())
        {
            return part.isRefused;
        }
        for (final Decision decision : slots[slot].decisions.getOrDefault(sequence, List.of()))
        {
            if (decision.isIn(state))
            {
                return decision.isRefused;
            }
        }
        throw new Violation(Violation.Kind.MODEL_DIFFERS, "nobody decided of slot=" + slot + " partition=" +
            state.partition() + " sequence=" + sequence);
    }

    private static void count(final long[] audit, final long sequence, final long contentHash)
    {
        audit[0] += 1;
        audit[1] += sequence;
        audit[2] += sequence * sequence;
        audit[3] += contentHash;
    }
}
