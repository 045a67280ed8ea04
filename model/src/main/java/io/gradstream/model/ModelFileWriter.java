// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import io.gradstream.codecs.TableSpec;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Writes one model file in the safetensors format: rows by table and ascending key, whatever order they come in, so
 * that equal models give equal files.
 * <p>
 * Rows go to a temporary file next to the target as they come. {@link #finish} takes 16 bytes of heap for each row of
 * the model to sort them, and no more.
 */
public final class ModelFileWriter implements ModelHandler, AutoCloseable
{
    /** Most rows of one table: they are sorted in the heap. */
    public static final int MAX_ROWS_PER_TABLE = 1 << 30;

    /** Most bytes of {@link #metadata}, as JSON writes it: of the header's 100,000,000 the rest is for tables. */
    public static final int MAX_METADATA_LENGTH = 64 * 1024 * 1024;

    /** Heap bytes a row: its key, and where it is. */
    private static final int BYTES_PER_ROW = 2 * Long.BYTES;
    private static final String SPILL_SUFFIX = ".rows";
    private static final int SPILL_HEADER_LENGTH = 2 * Long.BYTES;

    private final Path file;
    private final boolean overwrite;
    private final long maxRowsPerTable;
    private final long maxSortBytes;
    private final FileChannel spill;
    private final ArrayOutput spillOutput;
    private final Rows[] tables = new Rows[TableSpec.MAX_TABLES];
    private String metadata = "";
    private long rows;
    private boolean isDone;

    /** The rows of one table that have come so far. */
    private static final class Rows
    {
        private final TableEntry table;
        private long count;
        /** Sorted, each with the offset of its row in the spill. */
        private long[] keys;
        private long[] offsets;

        private Rows(final TableEntry table)
        {
            this.table = table;
        }
    }

    private interface SpilledRow
    {
        void onRow(Rows rows, long key, long offset);
    }

    private ModelFileWriter(
        final Path file, final boolean overwrite, final long maxRowsPerTable, final long maxSortBytes)
        throws IOException
    {
        this.file = file.toAbsolutePath();
        this.overwrite = overwrite;
        this.maxRowsPerTable = maxRowsPerTable;
        this.maxSortBytes = maxSortBytes;
        NewFile.refuseExisting(this.file, overwrite);
        // gone with its channel, also when the process is killed
        spill = FileChannel.open(NewFile.beside(this.file, SPILL_SUFFIX), StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        spillOutput = new ArrayOutput(spill);
    }

    /**
     * Begin a model file. It appears under its name only when it is whole.
     *
     * @param file      to write.
     * @param overwrite replace a file of that name.
     * @return what writes it; to be closed.
     * @throws FileAlreadyExistsException if there is a file that must not be replaced, or a directory.
     * @throws IOException                if nothing can be written there.
     */
    public static ModelFileWriter create(final Path file, final boolean overwrite) throws IOException
    {
        // the rest of the heap is for whoever hands the rows over
        return create(file, overwrite, MAX_ROWS_PER_TABLE, Runtime.getRuntime().maxMemory() / 4 * 3);
    }

    static ModelFileWriter create(
        final Path file, final boolean overwrite, final long maxRowsPerTable, final long maxSortBytes)
        throws IOException
    {
        return new ModelFileWriter(file, overwrite, maxRowsPerTable, maxSortBytes);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if it is a system table, invalid, or there is one of its number or name.
     */
    @Override
    public void onTable(final TableSpec spec, final int stateLength)
    {
        checkOpen();
        final TableEntry added = new TableEntry(spec, stateLength, 0);
        final String problem = added.problem();
        if (null != problem)
        {
            throw new IllegalArgumentException(problem);
        }
        for (final Rows each : present())
        {
            final TableSpec other = each.table.spec();
            if (other.tableId() == spec.tableId() || other.name().equals(spec.name()))
            {
                throw new IllegalArgumentException("a second table: tableId=" + spec.tableId() + " name='" +
                    spec.name() + "' after tableId=" + other.tableId() + " name='" + other.name() + "'");
            }
        }
        tables[spec.tableId()] = new Rows(added);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the table was not handed over before, or has no such key.
     * @throws UncheckedIOException     if the row cannot be written, or is one too many.
     */
    @Override
    public void onRow(final int tableId, final long key, final DirectBuffer row, final int offset)
    {
        checkOpen();
        final Rows rowsOfTable = tableId >= 0 && tableId < tables.length ? tables[tableId] : null;
        if (null == rowsOfTable)
        {
            throw new IllegalArgumentException("a row before its table: tableId=" + tableId + " key=" + key);
        }
        final TableEntry table = rowsOfTable.table;
        if (!table.isKey(key))
        {
            throw new IllegalArgumentException(table.outside(key));
        }
        try
        {
            if (rowsOfTable.count >= maxRowsPerTable)
            {
                throw new ModelFileException("table '" + table.spec().name() + "' has more than " + maxRowsPerTable +
                    " rows, the most that a model file can have of a table");
            }
            spillOutput.putLong(tableId);
            spillOutput.putLong(key);
            spillOutput.putBytes(row, offset, table.rowLength());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        rowsOfTable.count++;
        rows++;
    }

    /**
     * True if a model file can have a text as its metadata.
     *
     * @param text that {@link #metadata} would be given.
     * @return true if it is not too long.
     */
    public static boolean hasRoomFor(final String text)
    {
        return ModelHeader.length(text) <= MAX_METADATA_LENGTH;
    }

    /**
     * Describe the model for the programs that use it.
     *
     * @param text to keep in the file; empty for none.
     * @throws IllegalArgumentException if it is longer than a model file can have.
     */
    public void metadata(final String text)
    {
        checkOpen();
        if (!hasRoomFor(text))
        {
            throw new IllegalArgumentException("metadata of length=" + ModelHeader.length(text) +
                ": a model file has at most " + MAX_METADATA_LENGTH);
        }
        metadata = text;
    }

    /**
     * All is there: sort the rows and let the file appear.
     *
     * @param origin where the model comes from.
     * @throws ModelFileException         if two rows of a table have one key, or the heap is too small to sort them.
     * @throws FileAlreadyExistsException if a file appeared meanwhile that must not be replaced.
     * @throws IOException                if it cannot be written.
     */
    public void finish(final ModelOrigin origin) throws IOException
    {
        checkOpen();
        isDone = true;
        if (rows > maxSortBytes / BYTES_PER_ROW)
        {
            throw new ModelFileException("not enough heap to sort rows=" + rows + ": it takes " +
                BYTES_PER_ROW + " bytes a row, " + maxSortBytes + " bytes may be used; raise -Xmx");
        }

        spillOutput.drain();
        final MappedWindows spilled = new MappedWindows(spill, MappedWindows.DEFAULT_SHIFT);
        try (NewFile target = NewFile.create(file, overwrite))
        {
            final ModelHeader header = new ModelHeader(origin, sorted(spilled), metadata);
            final Map<String, Integer> checksums = new HashMap<>();
            // checksums are known only after the arrays, which stand after the header
            target.channel().position(header.bytes(checksums).length);
            for (final ModelArray array : ModelArray.of(header.tables()))
            {
                checksums.put(array.name(), write(array, spilled, target.channel()));
            }
            target.channel().position(0);
            final ArrayOutput output = new ArrayOutput(target.channel());
            final byte[] bytes = header.bytes(checksums);
            output.putBytes(new UnsafeBuffer(bytes), 0, bytes.length);
            output.drain();
            target.finish();
        }
        finally
        {
            spilled.unmap();
            CloseHelper.close(spill);
        }
    }

    /** Number of rows that were handed over. */
    public long rows()
    {
        return rows;
    }

    /** Without {@link #finish} nothing is left of what was written. */
    @Override
    public void close()
    {
        isDone = true;
        CloseHelper.close(spill);
    }

    private void checkOpen()
    {
        if (isDone)
        {
            throw new IllegalStateException("the model file is finished or closed: file=" + file);
        }
    }

    /** Sort the rows by key, and give the tables with the number of their rows. */
    private List<TableEntry> sorted(final MappedWindows spilled) throws ModelFileException
    {
        final List<Rows> present = present();
        for (final Rows each : present)
        {
            each.keys = new long[(int)each.count];
            each.count = 0;
        }
        forEachSpilled(spilled, (each, key, offset) -> each.keys[(int)each.count++] = key);
        for (final Rows each : present)
        {
            Arrays.sort(each.keys);
            for (int i = 1; i < each.keys.length; i++)
            {
                if (each.keys[i - 1] == each.keys[i])
                {
                    throw new ModelFileException("two rows of one key: table '" + each.table.spec().name() +
                        "' (tableId=" + each.table.spec().tableId() + ") key=" + each.keys[i] +
                        "; nothing was written");
                }
            }
        }
        // only now: a sort may take as much again
        present.forEach((each) -> each.offsets = new long[each.keys.length]);
        forEachSpilled(spilled, (each, key, offset) ->
            each.offsets[Arrays.binarySearch(each.keys, key)] = offset + SPILL_HEADER_LENGTH);

        return present.stream()
            .map((each) -> new TableEntry(each.table.spec(), each.table.stateLength(), each.count)).toList();
    }

    private List<Rows> present()
    {
        return Arrays.stream(tables).filter(Objects::nonNull).toList();
    }

    private void forEachSpilled(final MappedWindows spilled, final SpilledRow consumer)
    {
        long offset = 0;
        while (offset < spilled.length())
        {
            final Rows each = tables[(int)spilled.getLong(offset)];
            consumer.onRow(each, spilled.getLong(offset + Long.BYTES), offset);
            offset += SPILL_HEADER_LENGTH + each.table.rowLength();
        }
    }

    /** Write an array, and return its checksum. */
    private int write(final ModelArray array, final MappedWindows spilled, final FileChannel channel)
        throws IOException
    {
        final ArrayOutput output = new ArrayOutput(channel);
        final Rows rowsOfTable = tables[array.table().spec().tableId()];
        final int skipped = ModelArray.Part.STATE == array.part() ? array.table().spec().valuesLength() : 0;
        for (int i = 0; i < rowsOfTable.keys.length; i++)
        {
            if (ModelArray.Part.KEYS == array.part())
            {
                output.putLong(rowsOfTable.keys[i]);
            }
            else
            {
                final long offset = rowsOfTable.offsets[i] + skipped;
                output.putBytes(spilled.window(offset), spilled.offsetInWindow(offset), array.rowLength());
            }
        }

        return output.drain();
    }
}
