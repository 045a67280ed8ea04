// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.Charset;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * A model's values as NumPy's {@code .npz}: for each table {@code <name>.keys} (int64 [rows], ascending),
 * {@code <name>.values} (float32 or int64 [rows, dim]) and {@code <name>.spec} (a text with {@link TableJson}). State
 * is not in it.
 */
public final class ModelNpz
{
    private static final String KEYS = ".keys.npy";
    private static final String VALUES = ".values.npy";
    private static final String SPEC = ".spec.npy";
    private static final Charset UTF_32 = Charset.forName("UTF-32LE");
    private static final int MAX_SPEC_LENGTH = 64 * 1024;
    private static final int BUFFER_LENGTH = 64 * 1024;
    /** Equal models give equal files; a zip file knows no earlier time. */
    private static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

    private ModelNpz()
    {
    }

    /**
     * Write a model's values. The file appears under its name only when it is whole.
     *
     * @param model     to write.
     * @param file      to write to.
     * @param overwrite replace a file of that name.
     * @return rows written.
     * @throws FileAlreadyExistsException if there is a file that must not be replaced, or a directory.
     * @throws IOException                if it cannot be written.
     */
    public static long write(final ModelFile model, final Path file, final boolean overwrite) throws IOException
    {
        try (NewFile target = NewFile.create(file, overwrite))
        {
            final ZipOutputStream zip = new ZipOutputStream(
                new BufferedOutputStream(Channels.newOutputStream(target.channel()), BUFFER_LENGTH));
            zip.setLevel(Deflater.BEST_SPEED);
            long rows = 0;
            for (int i = 0; i < model.tables().size(); i++)
            {
                writeTable(zip, model, i);
                rows += model.tables().get(i).rows();
            }
            zip.finish();
            zip.flush();
            target.finish();
            return rows;
        }
        catch (final UncheckedIOException ex)
        {
            throw ex.getCause();
        }
    }

    private static void writeTable(final ZipOutputStream zip, final ModelFile model, final int position)
        throws IOException
    {
        final TableEntry table = model.tables().get(position);
        final TableSpec spec = table.spec();
        final String json = TableJson.of(spec);
        OutputStream out = begin(zip, spec.name() + SPEC, new NpyHeader(NpyHeader.TEXT + json.length()));
        out.write(json.getBytes(UTF_32));
        end(zip, out);

        out = begin(zip, spec.name() + KEYS, new NpyHeader(NpyHeader.INT64, table.rows()));
        model.forEachRow(position, new KeyWriter(out));
        end(zip, out);

        out = begin(zip, spec.name() + VALUES, new NpyHeader(type(spec), table.rows(), spec.dim()));
        model.forEachRow(position, new ValuesWriter(out, spec.valuesLength()));
        end(zip, out);
    }

    private static OutputStream begin(final ZipOutputStream zip, final String name, final NpyHeader header)
        throws IOException
    {
        final ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(TIME);
        zip.putNextEntry(entry);
        final OutputStream out = new BufferedOutputStream(zip, BUFFER_LENGTH);
        out.write(header.bytes());
        return out;
    }

    private static void end(final ZipOutputStream zip, final OutputStream out) throws IOException
    {
        out.flush();
        zip.closeEntry();
    }

    private static String type(final TableSpec spec)
    {
        return ElementType.FLOAT32 == spec.elementType() ? NpyHeader.FLOAT32 : NpyHeader.INT64;
    }

    /**
     * Read what {@link #write} wrote, or {@code numpy.savez} with arrays of these names, types and shapes. All tables
     * are handed over first; rows in the order of the arrays. If it throws, the rows handed over are not the model.
     *
     * @param file    to read.
     * @param specs   of tables, by name instead of those in the file; their rows have no state.
     * @param handler to be called.
     * @return rows read.
     * @throws ModelFileException if an array makes no table. The message has its name.
     * @throws IOException        if it cannot be read.
     */
    public static long read(final Path file, final List<TableSpec> specs, final ModelHandler handler)
        throws IOException
    {
        final Map<String, TableSpec> given = new HashMap<>();
        specs.forEach((spec) -> given.put(spec.name(), spec));
        try (ZipFile zip = new ZipFile(file.toFile()))
        {
            final List<String> names = zip.stream().map(ZipEntry::getName).filter((name) -> name.endsWith(KEYS))
                .map((name) -> name.substring(0, name.length() - KEYS.length())).toList();
            if (names.isEmpty())
            {
                throw new ModelFileException(file + " has no array <table>.keys");
            }
            for (final String name : names)
            {
                if (!given.containsKey(name))
                {
                    given.put(name, spec(file, zip, name));
                }
                handler.onTable(given.get(name), 0);
            }
            long rows = 0;
            for (final String name : names)
            {
                rows += readRows(file, zip, given.get(name), handler);
            }
            return rows;
        }
        catch (final ZipException ex)
        {
            throw new ModelFileException(file + " is no sound .npz file: " + ex.getMessage(), ex);
        }
    }

    private static TableSpec spec(final Path file, final ZipFile zip, final String name) throws IOException
    {
        try (Npy array = new Npy(file, zip, name + SPEC))
        {
            final String type = array.header.type();
            if (!type.matches("<U\\d{1,5}") || Integer.parseInt(type.substring(2)) > MAX_SPEC_LENGTH)
            {
                throw array.wrong("has type " + type + ": must be a text, such as numpy.array(json.dumps(spec))");
            }
            final byte[] text = new byte[Integer.parseInt(type.substring(2)) * Integer.BYTES];
            array.read(text, text.length);
            array.end();
            final TableSpec spec;
            try
            {
                spec = TableJson.parse(new String(text, UTF_32));
            }
            catch (final ModelFileException ex)
            {
                throw array.wrong(ex.getMessage());
            }
            if (!name.equals(spec.name()))
            {
                throw array.wrong("is of a table of another name '" + spec.name() + "'");
            }
            return spec;
        }
    }

    private static long readRows(
        final Path file, final ZipFile zip, final TableSpec spec, final ModelHandler handler) throws IOException
    {
        final byte[] key = new byte[Long.BYTES];
        final byte[] values = new byte[spec.valuesLength()];
        final UnsafeBuffer keyBuffer = new UnsafeBuffer(key);
        final UnsafeBuffer row = new UnsafeBuffer(values);
        try (Npy keyArray = new Npy(file, zip, spec.name() + KEYS);
            Npy valueArray = new Npy(file, zip, spec.name() + VALUES))
        {
            final long rows = keyArray.header.shape().length > 0 ? keyArray.header.shape()[0] : 0;
            keyArray.mustBe(new NpyHeader(NpyHeader.INT64, rows));
            if (1 != spec.dim() || 1 != valueArray.header.shape().length)
            {
                valueArray.mustBe(new NpyHeader(type(spec), rows, spec.dim()));
            }
            else
            {
                valueArray.mustBe(new NpyHeader(type(spec), rows));
            }
            for (long i = 0; i < rows; i++)
            {
                keyArray.read(key, key.length);
                valueArray.read(values, values.length);
                handler.onRow(spec.tableId(), keyBuffer.getLong(0, ModelFormat.ORDER), row, 0);
            }
            keyArray.end();
            valueArray.end();
            return rows;
        }
    }

    /**
     * An array of the file while it is read.
     */
    private static final class Npy implements AutoCloseable
    {
        private final Path file;
        private final ZipEntry entry;
        private final CheckedInputStream checked;
        private final DataInputStream in;
        private final NpyHeader header;

        private Npy(final Path file, final ZipFile zip, final String name) throws IOException
        {
            this.file = file;
            entry = zip.getEntry(name);
            if (null == entry)
            {
                final String array = name.substring(0, name.lastIndexOf('.'));
                throw new ModelFileException(file + " has no array " + array +
                    (name.endsWith(SPEC) ? ", and no specification of the table was given" : ""));
            }
            checked = new CheckedInputStream(zip.getInputStream(entry), new CRC32());
            in = new DataInputStream(new BufferedInputStream(checked, BUFFER_LENGTH));
            try
            {
                header = NpyHeader.read(in);
            }
            catch (final EOFException ex)
            {
                throw wrong("is cut off");
            }
            catch (final ModelFileException ex)
            {
                throw wrong(ex.getMessage());
            }
        }

        private void mustBe(final NpyHeader wanted) throws ModelFileException
        {
            if (!wanted.describe().equals(header.describe()))
            {
                throw wrong("is " + header.describe() + ": must be " + wanted.describe());
            }
        }

        private void read(final byte[] into, final int length) throws IOException
        {
            try
            {
                in.readFully(into, 0, length);
            }
            catch (final EOFException ex)
            {
                throw wrong("is cut off");
            }
        }

        /**
         * Check, after all was read, that it is what was written. {@link ZipFile} does not check this.
         */
        private void end() throws IOException
        {
            if (in.read() >= 0)
            {
                throw wrong("goes on behind its last element");
            }
            if (entry.getCrc() != checked.getChecksum().getValue())
            {
                throw wrong("is damaged: checksum recorded=" + Long.toHexString(entry.getCrc()) + " computed=" +
                    Long.toHexString(checked.getChecksum().getValue()));
            }
        }

        private ModelFileException wrong(final String detail)
        {
            return new ModelFileException(file + ": array " + entry.getName() + " " + detail);
        }

        @Override
        public void close() throws IOException
        {
            in.close();
        }
    }

    /**
     * Writes keys of rows.
     */
    private record KeyWriter(OutputStream out, UnsafeBuffer bytes) implements ModelHandler
    {
        private KeyWriter(final OutputStream out)
        {
            this(out, new UnsafeBuffer(new byte[Long.BYTES]));
        }

        @Override
        public void onTable(final TableSpec spec, final int stateLength)
        {
        }

        @Override
        public void onRow(final int tableId, final long key, final DirectBuffer row, final int offset)
        {
            bytes.putLong(0, key, ModelFormat.ORDER);
            try
            {
                out.write(bytes.byteArray());
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }
    }

    /**
     * Writes values of rows.
     */
    private record ValuesWriter(OutputStream out, byte[] bytes) implements ModelHandler
    {
        private ValuesWriter(final OutputStream out, final int length)
        {
            this(out, new byte[length]);
        }

        @Override
        public void onTable(final TableSpec spec, final int stateLength)
        {
        }

        @Override
        public void onRow(final int tableId, final long key, final DirectBuffer row, final int offset)
        {
            row.getBytes(offset, bytes);
            try
            {
                out.write(bytes);
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }
    }
}
