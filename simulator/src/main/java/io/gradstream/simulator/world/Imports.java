// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.world;

import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.TableSpec;

import java.util.SplittableRandom;

/**
 * The rows that slots import before some of their iterations, as {@code model import} does, and the gradients that they
 * push to these rows later. Each slot has keys of its own, so that its sequences alone say what the rows hold.
 *
 * @param seed        that the work is drawn from.
 * @param isImporting by slot, true if it imports.
 * @param isStepping  true if gradients are pushed to the rows: one to a key in each iteration, so that no sum of two
 *                    ever becomes one step of momentum.
 */
public record Imports(long seed, boolean[] isImporting, boolean isStepping)
{
    /** Its update function keeps state, and halves of small whole numbers are exact. */
    public static final TableSpec TABLE = TableSpec.sparse(2, "imported", 2, "sgd/2 rate=1 momentum=0.5");
    /** Keys that are imported at each partition: those of one slot after those of the other. */
    public static final int KEYS = 4 * ScenarioConfig.SLOTS;
    /** Pushes of an import. */
    public static final int PUSHES = 2;
    /** Values of a row, and then as much state. */
    public static final int ROW_FLOATS = 4;
    /** Bytes of a whole row. */
    public static final int ROW_LENGTH = ROW_FLOATS * Float.BYTES;

    private static final int KEYS_OF_SLOT = KEYS / ScenarioConfig.SLOTS;
    private static final int KEYS_OF_PUSH = KEYS_OF_SLOT / PUSHES;
    private static final float MOMENTUM = 0.5f;
    private static final int OF_ITERATIONS = 4;
    private static final int OF_LATER_ITERATIONS = 8;
    private static final int MOST_VALUE = 7;
    private static final int SECOND = 100;

    /** Draw which slots import; null if none may, because two processes share each. */
    static Imports draw(final SplittableRandom random, final boolean[] isBackedUp)
    {
        final boolean[] isImporting = new boolean[isBackedUp.length];
        final int spared = random.nextInt(isImporting.length + 1);
        boolean isAny = false;
        for (int slot = 0; slot < isImporting.length; slot++)
        {
            isImporting[slot] = !isBackedUp[slot] && (slot != spared || !isAny && isImporting.length - 1 == slot);
            isAny |= isImporting[slot];
        }

        return isAny ? new Imports(random.nextLong(), isImporting, true) : null;
    }

    Imports withoutSteps()
    {
        return new Imports(seed, isImporting, false);
    }

    /** True if a slot imports before an iteration. */
    public boolean isBefore(final int slot, final long iteration)
    {
        final int draw = random(slot, iteration, 0, 0).nextInt(OF_LATER_ITERATIONS);
        // later imports take the place of what came before, so that little is left to be wrong
        return isImporting[slot] && (0 == iteration ? 0 != draw : 0 == draw);
    }

    /** True if a slot pushes gradients to its rows in an iteration. */
    public boolean isStep(final int slot, final long iteration)
    {
        return isStepping && isImporting[slot] && 0 != random(slot, iteration, 1, 0).nextInt(OF_ITERATIONS);
    }

    /** One push of an import at one partition: whole rows. */
    public History.Part rows(final int partition, final int slot, final long iteration, final int push)
    {
        return part(partition, slot, iteration, push, History.Form.ROWS);
    }

    /** The gradients of an iteration at one partition. */
    public History.Part steps(final int partition, final int slot, final long iteration)
    {
        final int push = random(slot, iteration, 2, partition).nextInt(PUSHES);
        return part(partition, slot, iteration, push, History.Form.STEPS);
    }

    private History.Part part(
        final int partition, final int slot, final long iteration, final int push, final History.Form form)
    {
        final SplittableRandom random = random(slot, iteration, OF_ITERATIONS + 2 * push + form.ordinal(), partition);
        final int[] keys = new int[KEYS_OF_PUSH];
        final int[] values = new int[keys.length];
        for (int i = 0; i < keys.length; i++)
        {
            keys[i] = slot * KEYS_OF_SLOT + push * KEYS_OF_PUSH + i;
            values[i] = 1 + random.nextInt(MOST_VALUE);
        }

        return new History.Part(keys, values, false, iteration, form);
    }

    /** The whole row that a value stands for: no half of it is that of another value. */
    public static float[] row(final int value)
    {
        return new float[]{value, SECOND * value, 2 * value, -value};
    }

    /** Add a part to rows of which each has values and state. */
    static void apply(final History.Part part, final float[][] rows)
    {
        for (int i = 0; i < part.keys().length; i++)
        {
            if (History.Form.ROWS == part.form())
            {
                rows[part.keys()[i]] = row(part.values()[i]);
            }
            else if (History.Form.STEPS == part.form())
            {
                step(rows[part.keys()[i]], part.values()[i]);
            }
        }
    }

    private static void step(final float[] row, final float gradient)
    {
        for (int i = 0; i < TABLE.dim(); i++)
        {
            row[TABLE.dim() + i] = MOMENTUM * row[TABLE.dim() + i] + gradient;
            row[i] -= row[TABLE.dim() + i];
        }
    }

    /** Returns what the rows of a partition hold in the end if each import and gradient counts once. */
    public float[][] ofIterations(final int partition, final int count)
    {
        final float[][] rows = new float[KEYS][ROW_FLOATS];
        for (int slot = 0; slot < ScenarioConfig.SLOTS; slot++)
        {
            for (long iteration = 0; iteration < count; iteration++)
            {
                for (int push = 0; isBefore(slot, iteration) && push < PUSHES; push++)
                {
                    apply(rows(partition, slot, iteration, push), rows);
                }
                if (isStep(slot, iteration))
                {
                    apply(steps(partition, slot, iteration), rows);
                }
            }
        }

        return rows;
    }

    private SplittableRandom random(final int slot, final long iteration, final int what, final int partition)
    {
        return new SplittableRandom(PartitionFunction.mix(
            PartitionFunction.mix(seed + slot) + (iteration << 16) + (what << 8) + partition));
    }
}
