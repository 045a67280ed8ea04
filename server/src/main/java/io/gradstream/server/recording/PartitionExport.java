// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.recording;

import io.gradstream.codecs.ElementType;
import io.gradstream.recovery.log.LogCursor;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/**
 * Writes a rebuilt partition to a file, rows by table and ascending key, so that equal states give equal files.
 * <p>
 * <b>CSV</b>: a header {@code table,key,version,value0,value1,...} and a line for each row. {@code version} is the log
 * position of the row's last update. A float is written with the fewest digits that give back the same bits
 * ({@link Float#toString(float)}). Where tables differ in width, the lines of the narrower end in empty fields.
 * <p>
 * <b>Binary</b>, version 1, all numbers little endian, texts ASCII:
 * <pre>
 * header   8 bytes "GRADPART", int32 version = 1, int32 job, int32 partition, int32 tables,
 *          int64 position, int64 index, int64 epoch, int64 chain hash, int64 state hash.
 * table    int32 table id, int32 element type (1 float32, 2 int64), int32 dim,
 *          int32 bytes of update function state per row, int64 fixed row count (0: sparse), int64 rows that follow,
 *          int32 length, name, int32 length, update function. Then its rows:
 * row      int64 key, int64 version, dim values, update function state.
 * trailer  int32 CRC-32C of all bytes before it.
 * </pre>
 */
public final class PartitionExport
{
    /** Form of the file. */
    public enum Format
    {
        /** Text for spreadsheets and scripts: values alone. */
        CSV,
        /** Everything, to the bit, with the state of update functions. */
        BINARY
    }

    /** First bytes of the binary form. */
    public static final String MAGIC = "GRADPART";
    /** Version of the binary form. */
    public static final int VERSION = 1;

    private static final String PART_SUFFIX = ".part";
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private final PartitionRebuild rebuild;
    private final List<RebuiltTable> tables;
    private final UnsafeBuffer row = new UnsafeBuffer(0, 0);
    private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES).order(ORDER);

    /**
     * Export these tables.
     *
     * @param rebuild the partition.
     * @param tables  of it.
     */
    public PartitionExport(final PartitionRebuild rebuild, final List<RebuiltTable> tables)
    {
        this.rebuild = rebuild;
        this.tables = tables;
    }

    /**
     * Write a new file. It appears under its name only when it is whole.
     *
     * @param file   to write, which must not exist.
     * @param format of it.
     * @return rows written.
     * @throws FileAlreadyExistsException if the file exists.
     * @throws IOException                if it cannot be written.
     */
    public long write(final Path file, final Format format) throws IOException
    {
        if (Files.exists(file))
        {
            throw new FileAlreadyExistsException(file.toString());
        }
        final Path part = file.resolveSibling(file.getFileName() + PART_SUFFIX);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part)))
        {
            switch (format)
            {
                case CSV -> writeCsv(out);
                case BINARY -> writeBinary(out);
            }
        }
        catch (final IOException ex)
        {
            Files.deleteIfExists(part);
            throw ex;
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);

        return tables.stream().mapToLong((table) -> table.store().size()).sum();
    }

    private void writeCsv(final OutputStream out) throws IOException
    {
        final int width = tables.stream().mapToInt((table) -> table.spec().dim()).max().orElse(0);
        final StringBuilder line = new StringBuilder("table,key,version");
        for (int i = 0; i < width; i++)
        {
            line.append(",value").append(i);
        }
        writeLine(out, line);

        for (final RebuiltTable table : tables)
        {
            final String name = quoted(table.spec().name());
            for (final long key : table.sortedKeys())
            {
                table.store().wrap(table.store().find(key), row);
                line.append(name).append(',').append(key).append(',').append(row.getLong(0, ORDER));
                appendValues(line, table);
                line.append(",".repeat(width - table.spec().dim()));
                writeLine(out, line);
            }
        }
    }

    private void appendValues(final StringBuilder line, final RebuiltTable table)
    {
        final boolean isFloat = ElementType.FLOAT32 == table.spec().elementType();
        final int length = table.spec().elementType().length();
        for (int i = 0; i < table.spec().dim(); i++)
        {
            final int offset = RebuiltTable.VERSION_LENGTH + i * length;
            line.append(',');
            if (isFloat)
            {
                line.append(row.getFloat(offset, ORDER));
            }
            else
            {
                line.append(row.getLong(offset, ORDER));
            }
        }
    }

    private static String quoted(final String name)
    {
        return name.matches("[^\",]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
    }

    private static void writeLine(final OutputStream out, final StringBuilder line) throws IOException
    {
        out.write(line.append('\n').toString().getBytes(StandardCharsets.US_ASCII));
        line.setLength(0);
    }

    private void writeBinary(final OutputStream target) throws IOException
    {
        final CRC32C crc = new CRC32C();
        final CheckedOutputStream out = new CheckedOutputStream(target, crc);
        final LogCursor cursor = rebuild.cursor();
        out.write(MAGIC.getBytes(StandardCharsets.US_ASCII));
        writeInt(out, VERSION);
        writeInt(out, rebuild.jobId());
        writeInt(out, rebuild.partition().partition());
        writeInt(out, tables.size());
        writeLong(out, cursor.position());
        writeLong(out, cursor.index());
        writeLong(out, cursor.epoch());
        writeLong(out, cursor.chainHash());
        writeLong(out, rebuild.partition().stateHash());
        for (final RebuiltTable table : tables)
        {
            writeTable(out, table);
        }
        writeInt(target, (int)crc.getValue());
    }

    private void writeTable(final OutputStream out, final RebuiltTable table) throws IOException
    {
        final long[] keys = table.sortedKeys();
        final int rowLength = table.rowLength();
        final byte[] bytes = new byte[rowLength];
        writeInt(out, table.spec().tableId());
        writeInt(out, table.spec().elementType().code());
        writeInt(out, table.spec().dim());
        writeInt(out, rowLength - RebuiltTable.VERSION_LENGTH - table.spec().valuesLength());
        writeLong(out, table.spec().rows());
        writeLong(out, keys.length);
        writeText(out, table.spec().name());
        writeText(out, table.spec().function());
        for (final long key : keys)
        {
            table.store().wrap(table.store().find(key), row);
            row.getBytes(0, bytes);
            writeLong(out, key);
            out.write(bytes);
        }
    }

    private void writeText(final OutputStream out, final String text) throws IOException
    {
        final byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        writeInt(out, bytes.length);
        out.write(bytes);
    }

    private void writeInt(final OutputStream out, final int value) throws IOException
    {
        out.write(number.putInt(0, value).array(), 0, Integer.BYTES);
    }

    private void writeLong(final OutputStream out, final long value) throws IOException
    {
        out.write(number.putLong(0, value).array(), 0, Long.BYTES);
    }
}
