// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.world;

import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.values.ValueEncoding;

import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;

/** Decides what goes wrong, from one seed; about a quarter of the classes is off in each seed. */
public final class Faults
{
    /** Slots are bound to each other in multiples of this, */
    private static final long BOUND_SEEDS = 3;
    /** but not of this: a few planted faults show in seeds without a bound only. */
    private static final long UNBOUND_SEEDS = 5;
    /** Of so many seeds one adds up what a duty cycle brings, where slots are not bound by 0: */
    private static final long CYCLE_SEEDS = 7;
    /** the rest of which fewest are tried first for planted faults. */
    private static final long CYCLE_SEED = 4;
    /** In multiples of this there is a table with a schedule of its rate; no planted fault is tried first in one. */
    private static final long RATE_SEEDS = 19;
    /** In these of so many there are other jobs; no seed that is kept, or tried first for a planted fault, was one. */
    private static final long[][] JOB_SEEDS = {{20, 7}, {31, 14}};
    /** In these of so many gradients are encoded; no seed that is kept, or tried first for a planted fault, was one. */
    private static final long[][] ENCODED_SEEDS = {{37, 16}, {39, 7}};
    /** In these of so many lists of keys are named; no seed that is kept, or tried first, was one. */
    private static final long[][] KEY_SEEDS = {{24, 23}, {27, 22}, {28, 22}};
    /** Far from those of fault classes. */
    private static final long ITERATIONS_STREAM = 1 << 20;
    private static final long UNITS_STREAM = 1 << 21;
    private static final long KEY_BYTES_STREAM = 1 << 22;
    /** Memory of a node for lists of keys: none, little, or enough. */
    private static final long[] KEY_BYTES = {0, 2 * 1024, 16 * 1024, 1024 * 1024};

    private final SplittableRandom[] streams = new SplittableRandom[FaultClass.values().length];
    private final boolean[] isOn = new boolean[streams.length];
    private final SplittableRandom work;
    private final SplittableRandom bound;
    private final SplittableRandom iterations;
    private final SplittableRandom units;
    private final boolean isCycleSummed;
    private final boolean isRateScheduled;
    private final boolean isOfJobs;
    private final ValueEncoding encoding;
    private final boolean isKeyCached;
    private final long keyListBytes;
    private boolean isHealing;

    Faults(final long seed, final Program program, final Set<FaultClass> off)
    {
        work = new SplittableRandom(PartitionFunction.mix(seed));
        iterations = Program.ITERATIONS == program ?
            new SplittableRandom(PartitionFunction.mix(seed * 31 + ITERATIONS_STREAM)) : null;
        units = Program.UNITS == program ?
            new SplittableRandom(PartitionFunction.mix(seed * 31 + UNITS_STREAM)) : null;
        bound = null == units && 0 == seed % BOUND_SEEDS && 0 != seed % UNBOUND_SEEDS ?
            new SplittableRandom(PartitionFunction.mix(seed * 31)) : null;
        isCycleSummed = CYCLE_SEED == seed % CYCLE_SEEDS;
        isRateScheduled = null == iterations && null == units && 0 == seed % RATE_SEEDS;
        encoding = !isOneOf(ENCODED_SEEDS, seed) ? ValueEncoding.RAW :
            0 == (PartitionFunction.mix(seed) & 1) ? ValueEncoding.BFLOAT16 : ValueEncoding.FLOAT16;
        isKeyCached = isOneOf(KEY_SEEDS, seed);
        keyListBytes = KEY_BYTES[
            new SplittableRandom(PartitionFunction.mix(seed * 31 + KEY_BYTES_STREAM)).nextInt(KEY_BYTES.length)];
        for (int i = 0; i < streams.length; i++)
        {
            streams[i] = new SplittableRandom(PartitionFunction.mix(seed * 31 + i + 1));
            isOn[i] = streams[i].nextInt(4) != 0 && !off.contains(FaultClass.values()[i]);
        }
        // a worker that waits runs all else on its own stack, and would keep a node that is paused there paused
        isOn[FaultClass.PAUSE_IN_CYCLE.ordinal()] &= null == units;
        isOfJobs = isOneOf(JOB_SEEDS, seed) && null == units && isOn(FaultClass.JOBS);
    }

    private static boolean isOneOf(final long[][] seeds, final long seed)
    {
        boolean isOne = false;
        for (final long[] rest : seeds)
        {
            isOne |= rest[1] == seed % rest[0];
        }

        return isOne;
    }

    /** True if other jobs come and go beside the first one, whose processes have slots of their own then. */
    public boolean isOfJobs()
    {
        return isOfJobs;
    }

    /** Draws how far slots may run apart; null in most seeds, where they may as far as they like. */
    public SplittableRandom bound()
    {
        return bound;
    }

    /** Draws the iterations of workers that go through a table; null where they push parts. */
    public SplittableRandom iterations()
    {
        return iterations;
    }

    /** Draws the work that processes share, and when they come and go; null where each has a slot of its own. */
    public SplittableRandom units()
    {
        return units;
    }

    /** True if what a duty cycle brings is added up, where slots are not bound by 0. */
    boolean isCycleSummed()
    {
        return isCycleSummed;
    }

    /** True if there is a table with a schedule of its rate. */
    boolean isRateScheduled()
    {
        return isRateScheduled;
    }

    /** The encoding of the gradients that are pushed. */
    ValueEncoding encoding()
    {
        return encoding;
    }

    /** True if workers name lists of keys that servers have. */
    boolean isKeyCached()
    {
        return isKeyCached;
    }

    /** Most bytes of the lists that a node keeps. */
    long keyListBytes()
    {
        return keyListBytes;
    }

    /** From now on nothing goes wrong. */
    public void heal()
    {
        isHealing = true;
    }

    public boolean isHealing()
    {
        return isHealing;
    }

    public boolean strike(final FaultClass fault, final double probability)
    {
        final boolean isHit = streams[fault.ordinal()].nextDouble() < probability;
        return isHit && isOn[fault.ordinal()] && !isHealing;
    }

    public boolean isOn(final FaultClass fault)
    {
        return isOn[fault.ordinal()];
    }

    public Set<FaultClass> on()
    {
        final Set<FaultClass> on = EnumSet.noneOf(FaultClass.class);
        for (final FaultClass fault : FaultClass.values())
        {
            if (isOn(fault))
            {
                on.add(fault);
            }
        }

        return on;
    }

    /** A length of time or a number that belongs to a fault, in [least, most]. */
    public long draw(final FaultClass fault, final long least, final long most)
    {
        return least + (long)(streams[fault.ordinal()].nextDouble() * (most - least + 1));
    }

    /** Returns the source that the workload and the schedule draw from. */
    public SplittableRandom work()
    {
        return work;
    }
}
