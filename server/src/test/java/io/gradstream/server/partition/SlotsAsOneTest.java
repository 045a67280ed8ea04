// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Slots of a sequential job that each learn from their share of the examples learn what one with all of them does, up
 * to the rounding of the sums, and the log is as long as that of one: an all-reduce.
 */
class SlotsAsOneTest
{
    private static final TableSpec WEIGHTS = TableSpec.sparse(2, "model", 1, "sgd/1 rate=0.02");
    private static final TableSpec LONG_ROWS = TableSpec.sparse(3, "long", 4096, "add/1");
    private static final int FEATURES = 8;
    private static final int EXAMPLES = 32;
    private static final int CLOCKS = 50;
    private static final long[] KEYS = {0, 1, 2, 3, 4, 5, 6, 7};

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 8})
    void shouldLearnAsOneSlotWithAllExamplesDoes(final int slots)
    {
        final float[] one = learn(1);
        final float[] several = learn(slots);
        float change = 0;
        for (int i = 0; i < FEATURES; i++)
        {
            assertThat(several[i]).isCloseTo(one[i], within(1e-5f));
            change = Math.max(change, Math.abs(one[i]));
        }
        assertThat(change).as("something is learned").isGreaterThan(0.1f);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void shouldLogOneSumWhateverTheNumberOfSlots(final int slots)
    {
        final double each = bytesPerPush(slots, 1);
        final double summed = bytesPerPush(slots, 0);
        System.out.printf("slots=%d log bytes per push: each=%.1f summed=%.1f ratio=%.3f%n",
            slots, each, summed, summed / each);
        assertThat(summed / each).isLessThan(1.0 / slots + 0.05);
    }

    /** Slots push the same long rows in each of a few clocks; returns how much the log grows for each push. */
    private static double bytesPerPush(final int slots, final int staleness)
    {
        final PartitionRig rig = new PartitionRig(new InMemoryStorage());
        rig.partition.onCreateTable(LONG_ROWS, rig.partition.epoch());
        assertThat(rig.partition.onConsistency(new Consistency(slots, staleness))).isTrue();
        final float[] gradient = new float[LONG_ROWS.dim()];
        final int clocks = 4;
        final long before = rig.partition.cursor().position();
        for (int clock = 1; clock <= clocks; clock++)
        {
            for (int slot = 0; slot < slots; slot++)
            {
                Arrays.fill(gradient, slot + 0.5f);
                assertThat(rig.pushFloats(slot, 2 * clock - 1, LONG_ROWS.tableId(), new long[]{5}, gradient))
                    .isEqualTo(Outcome.APPENDED);
                rig.part.set(slot, 1, rig.partition.epoch(), 2 * clock, 0, clock);
                assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
            }
            rig.partition.doClockWork(0);
        }
        assertThat(rig.partition.lastSequence(slots - 1)).isEqualTo(2 * clocks);

        return (double)(rig.partition.cursor().position() - before) / (slots * clocks);
    }

    /** Logistic regression by the sum of the gradients of all examples, shared evenly. */
    private static float[] learn(final int slots)
    {
        final PartitionRig rig = new PartitionRig(new InMemoryStorage());
        rig.partition.onCreateTable(WEIGHTS, rig.partition.epoch());
        assertThat(rig.partition.onConsistency(new Consistency(slots, 0))).isTrue();
        final Random random = new Random(3);
        final float[][] examples = new float[EXAMPLES][FEATURES];
        for (final float[] example : examples)
        {
            for (int i = 0; i < FEATURES; i++)
            {
                example[i] = (float)random.nextGaussian();
            }
        }
        for (int clock = 1; clock <= CLOCKS; clock++)
        {
            final float[] weights = weights(rig);
            for (int slot = 0; slot < slots; slot++)
            {
                final float[] gradient = new float[FEATURES];
                for (int i = slot * EXAMPLES / slots; i < (slot + 1) * EXAMPLES / slots; i++)
                {
                    addGradient(weights, examples[i], gradient);
                }
                assertThat(rig.pushFloats(slot, 2 * clock - 1, WEIGHTS.tableId(), KEYS, gradient))
                    .isEqualTo(Outcome.APPENDED);
                rig.part.set(slot, 1, rig.partition.epoch(), 2 * clock, 0, clock);
                assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
            }
            rig.partition.doClockWork(0);
            rig.storage.recordAll();
        }

        return weights(rig);
    }

    /** The label is whether the first two features are more than the third. */
    private static void addGradient(final float[] weights, final float[] example, final float[] gradient)
    {
        float sum = 0;
        for (int i = 0; i < FEATURES; i++)
        {
            sum += weights[i] * example[i];
        }
        final float label = example[0] + example[1] > example[2] ? 1 : 0;
        final float error = (float)(1 / (1 + StrictMath.exp(-sum))) - label;
        for (int i = 0; i < FEATURES; i++)
        {
            gradient[i] += error * example[i];
        }
    }

    private static float[] weights(final PartitionRig rig)
    {
        final UnsafeBuffer row = new UnsafeBuffer(new byte[Float.BYTES]);
        final float[] weights = new float[FEATURES];
        for (int i = 0; i < FEATURES; i++)
        {
            rig.partition.rows().read(WEIGHTS.tableId(), KEYS[i], row, 0);
            weights[i] = row.getFloat(0, ByteOrder.LITTLE_ENDIAN);
        }

        return weights;
    }
}
