// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Reads the header of a model file and checks the whole file.
 */
final class ModelFileCheck
{
    private static final String WHAT_TO_DO = "; export the model again, or take another copy of the file";

    private final Path file;
    private final MappedWindows windows;
    private final List<TableEntry> tables = new ArrayList<>();
    private ModelOrigin origin;
    private String metadata = "";
    private long[] begins;
    private long offset;

    private ModelFileCheck(final Path file, final MappedWindows windows)
    {
        this.file = file;
        this.windows = windows;
    }

    /**
     * Check a file.
     *
     * @throws ModelFileException if anything is wrong with it.
     */
    static ModelFileCheck of(final Path file, final MappedWindows windows) throws ModelFileException
    {
        final ModelFileCheck check = new ModelFileCheck(file, windows);
        check.readHeader();
        check.checkLength();
        check.checkRows();
        return check;
    }

    ModelOrigin origin()
    {
        return origin;
    }

    String metadata()
    {
        return metadata;
    }

    List<TableEntry> tables()
    {
        return List.copyOf(tables);
    }

    /**
     * Offset of each table's first row.
     */
    long[] begins()
    {
        return begins;
    }

    private void readHeader() throws ModelFileException
    {
        if (!ModelFormat.MAGIC.equals(ascii(ModelFormat.MAGIC.length())))
        {
            throw new ModelFileException(
                file + " is no model file: it does not begin with " + ModelFormat.MAGIC + " (offset 0)");
        }
        final long versionOffset = offset;
        final int version = readInt();
        if (version < ModelFormat.OLDEST_VERSION || version > ModelFormat.VERSION)
        {
            throw new ModelFileException(file + " has version " + version + " of the format (offset " + versionOffset +
                "), this program reads versions " + ModelFormat.OLDEST_VERSION + " to " + ModelFormat.VERSION +
                "; use the program that wrote it" + WHAT_TO_DO);
        }
        final long countOffset = offset;
        final int count = readInt();
        if (count < 0 || count > TableSpec.MAX_TABLES)
        {
            throw damaged(countOffset, "tables=" + count + ": must be 0.." + TableSpec.MAX_TABLES);
        }
        final int jobId = readInt();
        final int partitions = readInt();
        final int servers = readInt();
        final long clock = readLong();
        origin = new ModelOrigin(jobId, clock, partitions, servers, readLong());
        for (int i = 0; i < count; i++)
        {
            readTable();
        }
        if (version > ModelFormat.OLDEST_VERSION)
        {
            readMetadata();
        }
        checkChecksum(0, "header");
    }

    private void readMetadata() throws ModelFileException
    {
        final long begin = offset;
        final int length = readInt();
        if (length < 0 || length > ModelFormat.MAX_METADATA_LENGTH)
        {
            throw damaged(begin, "metadata of length=" + length + ": must be 0.." + ModelFormat.MAX_METADATA_LENGTH);
        }
        checked(length);
        final byte[] bytes = new byte[length];
        for (int done = 0; done < length; done += MappedWindows.OVERLAP)
        {
            final long at = offset + done;
            windows.window(at).getBytes(
                windows.offsetInWindow(at), bytes, done, Math.min(MappedWindows.OVERLAP, length - done));
        }
        offset += length;
        metadata = new String(bytes, StandardCharsets.UTF_8);
    }

    private void readTable() throws ModelFileException
    {
        final long begin = offset;
        final int tableId = readInt();
        final ElementType type = ElementType.of(readInt());
        final int dim = readInt();
        final int stateLength = readInt();
        final long fixedRows = readLong();
        final long rows = readLong();
        final int initialiser = readInt();
        final float scale = Float.intBitsToFloat(readInt());
        final long seed = readLong();
        final String name = readText(TableSpec.MAX_NAME_LENGTH);
        final String function = readText(TableSpec.MAX_FUNCTION_LENGTH);
        final TableSpec spec =
            new TableSpec(tableId, name, dim, type, fixedRows, initialiser, seed, scale, function);
        final String problem = ModelFormat.problem(spec, stateLength);
        if (null != problem)
        {
            throw damaged(begin, problem);
        }
        if (rows < 0 || rows > windows.length())
        {
            throw damaged(begin, "table '" + name + "' with rows=" + rows);
        }
        for (final TableEntry before : tables)
        {
            if (before.spec().tableId() >= tableId || before.spec().name().equals(name))
            {
                throw damaged(begin, "tableId=" + tableId + " name='" + name + "' after tableId=" +
                    before.spec().tableId() + " name='" + before.spec().name() + "'");
            }
        }
        tables.add(new TableEntry(spec, stateLength, rows));
    }

    private void checkLength() throws ModelFileException
    {
        begins = new long[tables.size()];
        long end = offset;
        for (int i = 0; i < begins.length; i++)
        {
            begins[i] = end;
            final TableEntry table = tables.get(i);
            final long most = (Long.MAX_VALUE - ModelFormat.CHECKSUM_LENGTH - end) / (Long.BYTES + table.rowLength());
            if (table.rows() > most)
            {
                throw damaged(offset, "table '" + table.spec().name() + "' with rows=" + table.rows());
            }
            end += table.rows() * (Long.BYTES + table.rowLength());
        }
        final long wanted = end + ModelFormat.CHECKSUM_LENGTH;
        if (windows.length() < wanted)
        {
            throw cutOff(wanted);
        }
        if (windows.length() > wanted)
        {
            throw new ModelFileException(file + " goes on behind the end of the model: length=" + windows.length() +
                " instead of " + wanted + " bytes (offset " + wanted + ")" + WHAT_TO_DO);
        }
        offset = end;
    }

    private void checkRows() throws ModelFileException
    {
        checkChecksum(begins.length > 0 ? begins[0] : offset, "rows");
        for (int i = 0; i < begins.length; i++)
        {
            final TableEntry table = tables.get(i);
            final int stride = Long.BYTES + table.rowLength();
            long at = begins[i];
            for (long index = 0; index < table.rows(); index++)
            {
                final long key = windows.getLong(at);
                if (index > 0 && key <= windows.getLong(at - stride))
                {
                    throw damaged(at, "rows out of order: table '" + table.spec().name() + "' key=" + key +
                        " after key=" + windows.getLong(at - stride));
                }
                if (!ModelFormat.isKey(table.spec(), key))
                {
                    throw damaged(at, ModelFormat.outside(table.spec(), key));
                }
                at += stride;
            }
        }
    }

    private void checkChecksum(final long begin, final String what) throws ModelFileException
    {
        final CRC32C crc = new CRC32C();
        final long end = offset;
        final int recorded = readInt();
        windows.checksum(crc, 0, end);
        final int computed = (int)crc.getValue();
        if (recorded != computed)
        {
            throw new ModelFileException(file + " is damaged in its " + what + " (offsets " + begin + ".." +
                (offset - 1) + "): checksum recorded=" + Integer.toHexString(recorded) + " computed=" +
                Integer.toHexString(computed) + WHAT_TO_DO);
        }
    }

    private int readInt() throws ModelFileException
    {
        final int value = windows.getInt(checked(Integer.BYTES));
        offset += Integer.BYTES;
        return value;
    }

    private long readLong() throws ModelFileException
    {
        final long value = windows.getLong(checked(Long.BYTES));
        offset += Long.BYTES;
        return value;
    }

    private String readText(final int maxLength) throws ModelFileException
    {
        final long begin = offset;
        final int length = readInt();
        if (length < 1 || length > maxLength)
        {
            throw damaged(begin, "a text of length=" + length + ": must be 1.." + maxLength);
        }

        return ascii(length);
    }

    private String ascii(final int length) throws ModelFileException
    {
        final long begin = checked(length);
        final String text =
            windows.window(begin).getStringWithoutLengthAscii(windows.offsetInWindow(begin), length);
        offset += length;
        return text;
    }

    private long checked(final int count) throws ModelFileException
    {
        if (windows.length() - offset < count)
        {
            throw cutOff(offset + count);
        }

        return offset;
    }

    private ModelFileException cutOff(final long atLeast)
    {
        return new ModelFileException(file + " is cut off: it has " + windows.length() + " bytes, the model goes on " +
            "to " + atLeast + " at least" + WHAT_TO_DO);
    }

    private ModelFileException damaged(final long at, final String detail)
    {
        return new ModelFileException(file + " is damaged at offset " + at + ": " + detail + WHAT_TO_DO);
    }
}
