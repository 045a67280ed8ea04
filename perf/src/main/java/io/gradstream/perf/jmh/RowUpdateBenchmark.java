// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.jmh;

import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.log.MessageHeaderEncoder;
import io.gradstream.codecs.log.RowsUpdatedEncoder;
import io.gradstream.codecs.log.TableCreatedEncoder;
import io.gradstream.function.UpdateFunction;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.store.ChronicleRowStore;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Measures the cost of applying a record that updates rows in Chronicle Map memory, against the same arithmetic on
 * {@code float[]}. A record holds as many rows as fit 16 KiB: 16 of 256 floats, one of 4096, where one that a worker
 * writes holds up to 60 KiB. The rows of each are taken at random from 16 MiB; the time is that of all rows of one
 * record, for both.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RowUpdateBenchmark
{
    private static final int WORKING_SET_LENGTH = 16 * 1024 * 1024;
    /** Bytes of the gradient of one record. */
    private static final int RECORD_LENGTH = 16 * 1024;
    private static final int SLACK = 1024;
    private static final float GRADIENT = 1e-3f;

    /** Floats in a row. */
    @Param({"256", "4096"})
    public int dim;

    /** Update function. */
    @Param({"sgd/1 rate=0.001", "ftrl/1 alpha=0.1 beta=1.0 l1=0.001 l2=0.0"})
    public String function;

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final RowsUpdatedEncoder rowsUpdated = new RowsUpdatedEncoder();
    private final RandomKeys keys = new RandomKeys();
    private UpdateFunction updateFunction;
    private Partition partition;
    private UnsafeBuffer record;
    private int rows;
    private int rowsEach;
    private int sectionsOffset;
    private int bodyOffset;
    private int length;
    private long sequence;
    private long position;
    private float[][] values;
    private float[][] states;
    private float[] gradient;

    /** Make a partition with a table, a record to apply to it, and the same rows as arrays. */
    @Setup
    public void setUp()
    {
        rows = WORKING_SET_LENGTH / (dim * Float.BYTES);
        rowsEach = rowsOfRecord(dim);
        final TableSpec spec = TableSpec.dense(0, "rows", rows, dim, function);
        partition = new Partition(1, 0, 0, new PartitionFunction(1),
            (number, table, rowLength) -> new ChronicleRowStore(number, table, rowLength, rows));
        record = new UnsafeBuffer(ByteBuffer.allocateDirect(rowsEach * (Long.BYTES + dim * Float.BYTES) + SLACK));
        applyTableCreated(spec);
        writeSections();
        for (int row = 0; row < rows; row += rowsEach)
        {
            for (int i = 0; i < rowsEach; i++)
            {
                putKey(i, Math.min(row + i, rows - 1));
            }
            apply();
        }

        updateFunction = UpdateFunctions.BUILT_IN.parse(function);
        values = new float[rows][dim];
        states = new float[rows][dim * updateFunction.statePerValue()];
        gradient = new float[dim];
        Arrays.fill(gradient, GRADIENT);
    }

    @TearDown
    public void tearDown()
    {
        partition.close();
    }

    /** The one apply path of primaries, standbys and recovery. */
    @Benchmark
    public long applyRecord()
    {
        for (int i = 0; i < rowsEach; i++)
        {
            putKey(i, keys.next(rows));
        }
        return apply();
    }

    /** The same function on rows that are arrays. */
    @Benchmark
    public float updateArrays()
    {
        float sum = 0;
        for (int i = 0; i < rowsEach; i++)
        {
            final int row = keys.next(rows);
            updateFunction.updateFloats(values[row], states[row], gradient, dim, 1f);
            sum += values[row][0];
        }
        return sum;
    }

    /** Rows that one record updates. */
    public static int rowsOfRecord(final int dim)
    {
        return Math.max(1, RECORD_LENGTH / (dim * Float.BYTES));
    }

    private void putKey(final int index, final int row)
    {
        record.putLong(bodyOffset + index * Long.BYTES, row, ByteOrder.LITTLE_ENDIAN);
    }

    private long apply()
    {
        writeContribution();
        position += length;
        partition.applyRecord(record, 0, length, position);
        return position;
    }

    private void applyTableCreated(final TableSpec spec)
    {
        final TableCreatedEncoder encoder = new TableCreatedEncoder();
        encoder.wrapAndApplyHeader(record, 0, header)
            .rows(spec.rows())
            .initialiserSeed(spec.initialiserSeed())
            .tableId(spec.tableId())
            .dim(spec.dim())
            .elementType((short)spec.elementType().code())
            .initialiser((short)spec.initialiser())
            .initialiserScale(spec.initialiserScale())
            .name(spec.name())
            .function(spec.function());
        position += encoder.limit();
        partition.applyRecord(record, 0, encoder.limit(), position);
    }

    private void writeContribution()
    {
        rowsUpdated.wrapAndApplyHeader(record, 0, header)
            .contributionsCount(1).next()
            .sequence(++sequence)
            .acknowledgedThrough(sequence - 1)
            .incarnation(1)
            .clock(0)
            .slot(0);
        sectionsOffset = rowsUpdated.limit();
    }

    private void writeSections()
    {
        writeContribution();
        sequence = 0;
        rowsUpdated.sectionsCount(1).next()
            .tableId(0)
            .rowCount(rowsEach)
            .valuesLength(rowsEach * dim * Float.BYTES)
            .keyForm((short)KeyForm.KEYS)
            .encoding((short)Sections.RAW);
        final UnsafeBuffer body = new UnsafeBuffer(new byte[rowsEach * (Long.BYTES + dim * Float.BYTES)]);
        for (int i = 0; i < rowsEach * dim; i++)
        {
            body.putFloat(rowsEach * Long.BYTES + i * Float.BYTES, GRADIENT, ByteOrder.LITTLE_ENDIAN);
        }
        rowsUpdated.putBody(body, 0, body.capacity());
        length = rowsUpdated.limit();
        bodyOffset = sectionsOffset + Sections.lengthOf(1, 0);
    }
}
