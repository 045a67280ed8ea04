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
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes one model file: rows by table and ascending key, whatever order they come in, so that equal models give equal
 * files.
 * <p>
 * Rows go to a temporary file next to the target as they come. {@link #finish} takes 16 bytes of heap for each row of
 * the model to sort them, and no more.
 */
public final class ModelFileWriter implements ModelHandler, AutoCloseable
{
    /** Most rows of one table: they are sorted in the heap. */
    public static final int MAX_ROWS_PER_TABLE = 1 << 30;

    /** Most bytes of {@link #metadata}. */
    public static final int MAX_METADATA_LENGTH = ModelFormat.MAX_METADATA_LENGTH;

    private static final String SPILL_SUFFIX = ".rows";
    private static final int SPILL_HEADER_LENGTH = Integer.BYTES + Long.BYTES;

    private final Path file;
    private final boolean overwrite;
    private final long maxRowsPerTable;
    private final long maxSortBytes;
    private final FileChannel spill;
    private final ChecksummedOutput spillOutput;
    private final Rows[] tables = new Rows[TableSpec.MAX_TABLES];
    private byte[] metadata = new byte[0];
    private long rows;
    private boolean isDone;

    /**
     * The rows of one table that have come so far.
     */
    private static final class Rows
    {
        private final TableSpec spec;
        private final int stateLength;
        private final int rowLength;
        private long count;
        private RowOrder order;

        private Rows(final TableSpec spec, final int stateLength)
        {
            this.spec = spec;
            this.stateLength = stateLength;
            rowLength = spec.valuesLength() + stateLength;
        }
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
        spillOutput = new ChecksummedOutput(spill);
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
        final String problem = ModelFormat.problem(spec, stateLength);
        if (null != problem)
        {
            throw new IllegalArgumentException(problem);
        }
        for (final Rows table : tables)
        {
            if (null != table &&
                (table.spec.tableId() == spec.tableId() || table.spec.name().equals(spec.name())))
            {
                throw new IllegalArgumentException("a second table: tableId=" + spec.tableId() + " name='" +
                    spec.name() + "' after tableId=" + table.spec.tableId() + " name='" + table.spec.name() + "'");
            }
        }
        tables[spec.tableId()] = new Rows(spec, stateLength);
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
        final Rows table = tableId >= 0 && tableId < tables.length ? tables[tableId] : null;
        if (null == table)
        {
            throw new IllegalArgumentException("a row before its table: tableId=" + tableId + " key=" + key);
        }
        if (!ModelFormat.isKey(table.spec, key))
        {
            throw new IllegalArgumentException(ModelFormat.outside(table.spec, key));
        }
        try
        {
            if (table.count >= maxRowsPerTable)
            {
                throw new ModelFileException("table '" + table.spec.name() + "' has more than " + maxRowsPerTable +
                    " rows, the most that a model file can have of a table");
            }
            spillOutput.putInt(tableId);
            spillOutput.putLong(key);
            spillOutput.putBytes(row, offset, table.rowLength);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        table.count++;
        rows++;
    }

    /**
     * Say what the model is, for the programs that use it.
     *
     * @param text to keep in the file; empty for none.
     * @throws IllegalArgumentException if it is longer than a model file can have.
     */
    public void metadata(final String text)
    {
        checkOpen();
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > ModelFormat.MAX_METADATA_LENGTH)
        {
            throw new IllegalArgumentException("metadata of length=" + bytes.length + ": a model file has at most " +
                ModelFormat.MAX_METADATA_LENGTH);
        }
        metadata = bytes;
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
        if (rows > maxSortBytes / RowOrder.BYTES_PER_ROW)
        {
            throw new ModelFileException("not enough heap to sort rows=" + rows + ": it takes " +
                RowOrder.BYTES_PER_ROW + " bytes a row, " + maxSortBytes + " bytes may be used; raise -Xmx");
        }

        spillOutput.drain();
        final MappedWindows spilled = new MappedWindows(spill, MappedWindows.DEFAULT_SHIFT);
        try (NewFile target = NewFile.create(file, overwrite))
        {
            final ChecksummedOutput output = new ChecksummedOutput(target.channel());
            final List<Rows> present = sorted(spilled);
            writeHeader(output, origin, present);
            for (final Rows table : present)
            {
                writeRows(output, spilled, table);
            }
            output.putInt(output.checksum());
            output.drain();
            target.finish();
        }
        finally
        {
            spilled.unmap();
            CloseHelper.close(spill);
        }
    }

    /**
     * Rows that were handed over.
     *
     * @return their count.
     */
    public long rows()
    {
        return rows;
    }

    /**
     * Without {@link #finish} nothing is left of what was written.
     */
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

    private List<Rows> sorted(final MappedWindows spilled) throws ModelFileException
    {
        final List<Rows> present = new ArrayList<>();
        for (final Rows table : tables)
        {
            if (null != table)
            {
                table.order = new RowOrder((int)table.count);
                present.add(table);
            }
        }

        long offset = 0;
        while (offset < spilled.length())
        {
            final Rows table = tables[spilled.getInt(offset)];
            table.order.add(spilled.getLong(offset + Integer.BYTES), offset + SPILL_HEADER_LENGTH);
            offset += SPILL_HEADER_LENGTH + table.rowLength;
        }

        for (final Rows table : present)
        {
            table.order.sort();
            final int doubled = table.order.indexOfDoubled();
            if (doubled >= 0)
            {
                throw new ModelFileException("two rows of one key: table '" + table.spec.name() + "' (tableId=" +
                    table.spec.tableId() + ") key=" + table.order.key(doubled) + "; nothing was written");
            }
        }

        return present;
    }

    private void writeHeader(
        final ChecksummedOutput output, final ModelOrigin origin, final List<Rows> tables) throws IOException
    {
        output.putBytes(new UnsafeBuffer(ModelFormat.MAGIC.getBytes(StandardCharsets.US_ASCII)),
            0, ModelFormat.MAGIC.length());
        output.putInt(ModelFormat.VERSION);
        output.putInt(tables.size());
        output.putInt(origin.jobId());
        output.putInt(origin.partitions());
        output.putInt(origin.servers());
        output.putLong(origin.clock());
        output.putLong(origin.exportedAtMs());
        for (final Rows table : tables)
        {
            final TableSpec spec = table.spec;
            output.putInt(spec.tableId());
            output.putInt(spec.elementType().code());
            output.putInt(spec.dim());
            output.putInt(table.stateLength);
            output.putLong(spec.rows());
            output.putLong(table.count);
            output.putInt(spec.initialiser());
            output.putInt(Float.floatToRawIntBits(spec.initialiserScale()));
            output.putLong(spec.initialiserSeed());
            output.putText(spec.name());
            output.putText(spec.function());
        }
        output.putInt(metadata.length);
        output.putBytes(new UnsafeBuffer(metadata), 0, metadata.length);
        output.putInt(output.checksum());
    }

    private static void writeRows(
        final ChecksummedOutput output, final MappedWindows spilled, final Rows table) throws IOException
    {
        for (int i = 0; i < table.order.size(); i++)
        {
            final long offset = table.order.offset(i);
            output.putLong(table.order.key(i));
            output.putBytes(spilled.window(offset), spilled.offsetInWindow(offset), table.rowLength);
        }
        table.order = null;
    }
}
