// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.check;

import io.gradstream.server.partition.Partition;
import io.gradstream.server.recording.RebuiltTable;
import io.gradstream.simulator.world.Histories;
import io.gradstream.simulator.world.Imports;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.Violation;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.List;

/**
 * Checks the rows that slots import: each holds what was imported last and the gradients since then, once, values and
 * state.
 */
final class ImportChecks
{
    private final ScenarioConfig config;
    private final Histories histories;
    private final UnsafeBuffer row = new UnsafeBuffer(new byte[Imports.TABLE.valuesLength()]);

    ImportChecks(final ScenarioConfig config, final Histories histories)
    {
        this.config = config;
        this.histories = histories;
    }

    /** Checks the values of a copy when everything is over. */
    void checkLive(final Partition partition)
    {
        if (!config.isImporting())
        {
            return;
        }
        final int number = partition.partition();
        // where slots are bound by 0 the rows follow from the work alone
        final float[][] expected = config.isOrdered() && !histories.isDoubted() ?
            config.iterations().imports().ofIterations(number, config.iterations().count()) :
            histories.history(number).imported(partition);
        for (int key = 0; key < expected.length; key++)
        {
            partition.rows().read(Imports.TABLE.tableId(), config.firstKey(Imports.TABLE, number) + key, row, 0);
            check("imported", number, key, row, Imports.TABLE.dim(), expected[key]);
        }
    }

    /** Checks the values and the state of a copy that is rebuilt from a disk. */
    void checkRebuilt(final Partition partition, final List<RebuiltTable> tables)
    {
        if (!config.isImporting())
        {
            return;
        }
        final int number = partition.partition();
        final float[][] expected = histories.history(number).imported(partition);
        final UnsafeBuffer stored = new UnsafeBuffer(0, 0);
        for (final RebuiltTable table : tables)
        {
            for (int i = 0; Imports.TABLE.equals(table.spec()) && i < table.store().size(); i++)
            {
                table.store().wrap(i, stored);
                final int key = (int)(table.store().key(i) - config.firstKey(Imports.TABLE, number));
                check("imported and rebuilt", number, key,
                    new UnsafeBuffer(stored, RebuiltTable.VERSION_LENGTH, Imports.ROW_LENGTH), Imports.ROW_FLOATS,
                    expected[key]);
            }
        }
    }

    private static void check(
        final String what,
        final int partition,
        final int key,
        final UnsafeBuffer actual,
        final int floats,
        final float[] expected)
    {
        for (int i = 0; i < floats; i++)
        {
            final float value = actual.getFloat(i * Float.BYTES, ByteOrder.LITTLE_ENDIAN);
            if (value != expected[i])
            {
                throw new Violation(Violation.Kind.MODEL_DIFFERS, what + ", partition=" + partition + " key=" + key +
                    " element=" + i + " value=" + value + " expected=" + expected[i]);
            }
        }
    }
}
