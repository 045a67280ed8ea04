// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.predict;

import java.nio.ByteOrder;

import io.gradstream.codecs.InitialValues;
import io.gradstream.training.model.RowSource;
import io.gradstream.model.ModelFile;
import io.gradstream.model.TableEntry;
import org.agrona.concurrent.UnsafeBuffer;

/** The rows of a table of a model file. A missing row was never updated and has its initial value. */
public final class ModelFileRows implements RowSource
{
    /** Feature that is always 1, of the formats that have one. */
    private static final long INTERCEPT = 0;

    private final ModelFile file;
    private final TableEntry table;
    private final UnsafeBuffer row;
    private long asked;
    private long found;

    /**
     * The rows of a table.
     *
     * @param file  that stays open.
     * @param table of it, of floats.
     */
    public ModelFileRows(final ModelFile file, final TableEntry table)
    {
        this.file = file;
        this.table = table;
        row = new UnsafeBuffer(new byte[table.spec().valuesLength() + table.stateLength()]);
    }

    @Override
    public void fetch(final long[] keys, final int count, final float[] rows)
    {
        final int tableId = table.spec().tableId();
        final int dim = table.spec().dim();
        for (int i = 0; i < count; i++)
        {
            final long index = file.indexOf(tableId, keys[i]);
            asked += INTERCEPT == keys[i] ? 0 : 1;
            if (ModelFile.NO_ROW == index)
            {
                InitialValues.fill(table.spec(), keys[i], rows, i * dim);
            }
            else
            {
                found += INTERCEPT == keys[i] ? 0 : 1;
                file.row(tableId, index, row, 0);
                for (int j = 0; j < dim; j++)
                {
                    rows[i * dim + j] = row.getFloat(j * Float.BYTES, ByteOrder.LITTLE_ENDIAN);
                }
            }
        }
    }

    /** Rows that were asked for, but for that of the intercept, which each model has. */
    long asked()
    {
        return asked;
    }

    /** Those of them that are in the file. */
    long found()
    {
        return found;
    }
}
