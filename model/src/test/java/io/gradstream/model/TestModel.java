// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A model in memory: records what it is given, and gives the same to others.
 */
final class TestModel implements ModelHandler
{
    static final TableSpec SPARSE = TableSpec.sparse(0, "weights", 2, "ftrl/1 alpha=0.1 beta=1.0 l1=1.0 l2=1.0");
    static final TableSpec DENSE = TableSpec.dense(3, "de,nse \"one\"", 5, 1, "sgd/1 rate=0.5");
    static final TableSpec COUNTS =
        new TableSpec(7, "counts", 3, ElementType.INT64, 0, TableSpec.ZEROS, 0, 0f, "add/1");
    static final TableSpec EMPTY =
        new TableSpec(9, "empty", 4, ElementType.FLOAT32, 0, TableSpec.NORMAL, -77, 0.25f, "sgd/1 rate=1.0");
    static final TableSpec SINGLE = TableSpec.sparse(1023, "one\\", 1, "assign/1");
    static final ModelOrigin ORIGIN = new ModelOrigin(12, 345, 16, 3, 1_790_000_000_123L);

    private static final HexFormat HEX = HexFormat.of();

    String metadata = "";
    final List<TableSpec> specs = new ArrayList<>();
    final List<Integer> stateLengths = new ArrayList<>();
    /** Rows in the order in which they came. */
    final List<Row> rows = new ArrayList<>();

    /**
     * A row.
     *
     * @param hex its bytes, as hexadecimal digits.
     */
    record Row(int tableId, long key, String hex)
    {
        byte[] bytes()
        {
            return HEX.parseHex(hex);
        }
    }

    /**
     * Tables of all kinds, with awkward keys and values, rows in no order.
     */
    static TestModel ofAllKinds()
    {
        final TestModel model = new TestModel();
        final Random random = new Random(42);
        model.table(COUNTS, 0);
        model.table(SPARSE, 2 * 2 * Float.BYTES);
        model.table(SINGLE, 4);
        model.table(EMPTY, 0);
        model.table(DENSE, 0);
        for (final long key : new long[]{Long.MAX_VALUE, -1, 0, Long.MIN_VALUE, 1, 1L << 40, Long.MIN_VALUE + 1})
        {
            model.randomRow(SPARSE.tableId(), key, 6 * Float.BYTES, random);
            model.randomRow(COUNTS.tableId(), -key, 3 * Long.BYTES, random);
        }
        for (long key = 0; key < DENSE.rows(); key++)
        {
            model.randomRow(DENSE.tableId(), key, Float.BYTES, random);
        }
        model.row(SINGLE.tableId(), -5, floats(Float.NaN, 4));
        Collections.shuffle(model.rows, random);
        return model;
    }

    /**
     * The same with every kind of float that text can tell from others: there is one NaN.
     */
    static TestModel withoutPayloadsOfNaN()
    {
        final TestModel model = ofAllKinds();
        final Row[] canonical = model.rows.stream().map((row) ->
        {
            final byte[] bytes = row.bytes();
            final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
            for (int i = 0; COUNTS.tableId() != row.tableId() && i + Float.BYTES <= bytes.length; i += Float.BYTES)
            {
                final float value = buffer.getFloat(i, MappedWindows.ORDER);
                buffer.putInt(i, Float.floatToIntBits(value), MappedWindows.ORDER);
            }
            return new Row(row.tableId(), row.key(), HEX.formatHex(bytes));
        }).toArray(Row[]::new);
        model.rows.clear();
        model.rows.addAll(List.of(canonical));
        final float[] kinds = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, -0f, 0f, Float.MIN_VALUE,
            Float.MAX_VALUE, 1e-45f, 0.1f, 1 / 3f, -123456.79f, 2e-44f, 1.17549435e-38f, 9.999999e9f};
        for (int i = 0; i < kinds.length; i++)
        {
            model.row(SPARSE.tableId(), 1000 + i, floats(kinds[i], 5 * Float.BYTES));
        }
        return model;
    }

    static byte[] floats(final float value, final int stateLength)
    {
        final byte[] bytes = new byte[Float.BYTES + stateLength];
        new UnsafeBuffer(bytes).putFloat(0, value, MappedWindows.ORDER);
        return bytes;
    }

    void table(final TableSpec spec, final int stateLength)
    {
        specs.add(spec);
        stateLengths.add(stateLength);
    }

    void row(final int tableId, final long key, final byte[] bytes)
    {
        rows.add(new Row(tableId, key, HEX.formatHex(bytes)));
    }

    @Override
    public void onTable(final TableSpec spec, final int stateLength)
    {
        table(spec, stateLength);
    }

    @Override
    public void onRow(final int tableId, final long key, final DirectBuffer row, final int offset)
    {
        final int table = specs.stream().map(TableSpec::tableId).toList().indexOf(tableId);
        final byte[] bytes = new byte[specs.get(table).valuesLength() + stateLengths.get(table)];
        row.getBytes(offset, bytes);
        row(tableId, key, bytes);
    }

    void giveTo(final ModelHandler handler)
    {
        for (int i = 0; i < specs.size(); i++)
        {
            handler.onTable(specs.get(i), stateLengths.get(i));
        }
        for (final Row row : rows)
        {
            // not at the beginning, so that the offset counts
            final byte[] bytes = row.bytes();
            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[bytes.length + 5]);
            buffer.putBytes(5, bytes);
            handler.onRow(row.tableId(), row.key(), buffer, 5);
        }
    }

    void write(final Path file) throws IOException
    {
        try (ModelFileWriter writer = ModelFileWriter.create(file, false))
        {
            giveTo(writer);
            writer.metadata(metadata);
            writer.finish(ORIGIN);
        }
    }

    /**
     * Tables with their state's length, by id.
     */
    Map<Integer, String> tables()
    {
        final Map<Integer, String> tables = new TreeMap<>();
        for (int i = 0; i < specs.size(); i++)
        {
            tables.put(specs.get(i).tableId(), specs.get(i) + " " + stateLengths.get(i));
        }
        return tables;
    }

    /**
     * Rows by (table, key).
     */
    List<Row> sorted()
    {
        final List<Row> sorted = new ArrayList<>(rows);
        sorted.sort((a, b) -> a.tableId() != b.tableId() ?
            Integer.compare(a.tableId(), b.tableId()) : Long.compare(a.key(), b.key()));
        return sorted;
    }

    /**
     * Without state.
     */
    TestModel values()
    {
        final TestModel values = new TestModel();
        specs.forEach((spec) -> values.table(spec, 0));
        for (final Row row : sorted())
        {
            final int table = specs.stream().map(TableSpec::tableId).toList().indexOf(row.tableId());
            values.rows.add(new Row(row.tableId(), row.key(),
                row.hex().substring(0, 2 * specs.get(table).valuesLength())));
        }
        return values;
    }

    private void randomRow(final int tableId, final long key, final int length, final Random random)
    {
        final byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        row(tableId, key, bytes);
    }
}
