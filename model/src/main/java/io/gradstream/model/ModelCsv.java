// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A model's values as text: a header {@code table,key,value0,value1,...} and a line for each row, by table and
 * ascending key. A float has the digits that give back the same bits ({@link Float#toString(float)}; of NaN there is
 * one). Where tables differ in width, the lines of the narrower end in empty fields. State is not in it.
 */
public final class ModelCsv
{
    private static final String HEADER = "table,key";
    /** U+FEFF in UTF-8, read as one byte a character. */
    private static final String BYTE_ORDER_MARK = "\u00EF\u00BB\u00BF";

    private ModelCsv()
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
            final OutputStream out = new BufferedOutputStream(Channels.newOutputStream(target.channel()));
            final LineWriter writer = new LineWriter(out, model.tables());
            model.forEach(writer);
            out.flush();
            target.finish();
            return writer.rows;
        }
        catch (final UncheckedIOException ex)
        {
            throw ex.getCause();
        }
    }

    /**
     * Read what {@link #write} wrote, or anybody else. All tables are handed over, also those without a line; rows in
     * the order of the lines. If it throws, the rows handed over are not the model.
     *
     * @param file    to read.
     * @param specs   of the tables, which are not in the file; their rows have no state.
     * @param handler to be called.
     * @return rows read.
     * @throws ModelFileException if a line makes no row. The message has its number.
     * @throws IOException        if it cannot be read.
     */
    public static long read(final Path file, final List<TableSpec> specs, final ModelHandler handler)
        throws IOException
    {
        final Map<String, TableSpec> tables = new HashMap<>();
        for (final TableSpec spec : specs)
        {
            handler.onTable(spec, 0);
            tables.put(spec.name(), spec);
        }
        // one byte a character: nothing but ASCII has a meaning, and anything else must not end the reading
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1))
        {
            return new LineReader(file, tables, handler).read(lines);
        }
    }

    /** Row to line. */
    private static final class LineWriter implements ModelHandler
    {
        private final OutputStream out;
        private final Map<Integer, TableSpec> specs = new HashMap<>();
        private final StringBuilder line = new StringBuilder(HEADER);
        private final int width;
        private long rows;

        private LineWriter(final OutputStream out, final List<TableEntry> tables) throws IOException
        {
            this.out = out;
            width = tables.stream().mapToInt((table) -> table.spec().dim()).max().orElse(0);
            for (int i = 0; i < width; i++)
            {
                line.append(",value").append(i);
            }
            endLine();
        }

        @Override
        public void onTable(final TableSpec spec, final int stateLength)
        {
            specs.put(spec.tableId(), spec);
        }

        @Override
        public void onRow(final int tableId, final long key, final DirectBuffer row, final int offset)
        {
            final TableSpec spec = specs.get(tableId);
            line.append(quoted(spec.name())).append(',').append(key);
            for (int i = 0; i < spec.dim(); i++)
            {
                line.append(',');
                if (ElementType.FLOAT32 == spec.elementType())
                {
                    line.append(row.getFloat(offset + i * Float.BYTES, MappedWindows.ORDER));
                }
                else
                {
                    line.append(row.getLong(offset + i * Long.BYTES, MappedWindows.ORDER));
                }
            }
            line.append(",".repeat(width - spec.dim()));
            try
            {
                endLine();
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
            rows++;
        }

        private void endLine() throws IOException
        {
            out.write(line.append('\n').toString().getBytes(StandardCharsets.US_ASCII));
            line.setLength(0);
        }

        private static String quoted(final String name)
        {
            return name.matches("[^\",]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
        }
    }

    /** Line to row. */
    private static final class LineReader
    {
        private final Path file;
        private final Map<String, TableSpec> tables;
        private final ModelHandler handler;
        private final UnsafeBuffer row = new UnsafeBuffer(new byte[TableSpec.MAX_DIM * Long.BYTES]);
        private final List<String> fields = new ArrayList<>();
        private long lineNumber;
        private long rows;

        private LineReader(final Path file, final Map<String, TableSpec> tables, final ModelHandler handler)
        {
            this.file = file;
            this.tables = tables;
            this.handler = handler;
        }

        private long read(final BufferedReader lines) throws IOException
        {
            String line = nextLine(lines);
            checkHeader(null != line && line.startsWith(BYTE_ORDER_MARK) ?
                line.substring(BYTE_ORDER_MARK.length()) : line);
            for (line = nextLine(lines); null != line; line = nextLine(lines))
            {
                if (!line.isBlank())
                {
                    split(line);
                    onLine();
                }
            }

            return rows;
        }

        private void checkHeader(final String line) throws ModelFileException
        {
            if (null != line && line.chars().anyMatch((c) -> c < ' ' && c != '\t'))
            {
                throw wrong("is no plain text: unpack it if it is compressed, and save it as UTF-8", null);
            }
            if (null != line)
            {
                split(line);
            }
            if (null == line || fields.size() < 2 || !HEADER.equals(fields.get(0).trim() + "," + fields.get(1).trim()))
            {
                throw wrong("must begin with the header " + HEADER + ",value0,...", null);
            }
        }

        private String nextLine(final BufferedReader lines) throws IOException
        {
            lineNumber++;
            return lines.readLine();
        }

        private void onLine() throws ModelFileException
        {
            final TableSpec spec = tables.get(fields.get(0).trim());
            if (null == spec)
            {
                throw wrong("table '" + fields.get(0) + "' is none of " + tables.keySet(), null);
            }
            if (fields.size() < 2 + spec.dim())
            {
                throw wrong("table '" + spec.name() + "' has dim=" + spec.dim() + ", the line has " +
                    Math.max(0, fields.size() - 2) + " values", null);
            }
            for (int i = 2 + spec.dim(); i < fields.size(); i++)
            {
                if (!fields.get(i).isBlank())
                {
                    throw wrong("table '" + spec.name() + "' has dim=" + spec.dim() + ", the line has another value '" +
                        fields.get(i) + "'", null);
                }
            }

            try
            {
                for (int i = 0; i < spec.dim(); i++)
                {
                    putValue(spec.elementType(), i, fields.get(2 + i).trim());
                }
            }
            catch (final NumberFormatException ex)
            {
                throw wrong("no number of the table's type " + spec.elementType() + ": " + ex.getMessage(), ex);
            }
            handler.onRow(spec.tableId(), key(fields.get(1).trim()), row, 0);
            rows++;
        }

        private long key(final String text) throws ModelFileException
        {
            try
            {
                return Long.parseLong(text);
            }
            catch (final NumberFormatException ex)
            {
                throw wrong("the key must be a whole number, got '" + text + "'", ex);
            }
        }

        private void putValue(final ElementType type, final int index, final String text)
        {
            if (ElementType.FLOAT32 == type)
            {
                row.putFloat(index * Float.BYTES, parseFloat(text), MappedWindows.ORDER);
            }
            else
            {
                row.putLong(index * Long.BYTES, Long.parseLong(text), MappedWindows.ORDER);
            }
        }

        private static float parseFloat(final String text)
        {
            // as others write them
            return switch (text.toLowerCase(Locale.ROOT))
            {
                case "nan" -> Float.NaN;
                case "inf", "+inf" -> Float.POSITIVE_INFINITY;
                case "-inf" -> Float.NEGATIVE_INFINITY;
                default -> Float.parseFloat(text);
            };
        }

        private void split(final String line) throws ModelFileException
        {
            fields.clear();
            final StringBuilder field = new StringBuilder();
            boolean isQuoted = false;
            for (int i = 0; i < line.length(); i++)
            {
                final char c = line.charAt(i);
                if ('"' == c && isQuoted && i + 1 < line.length() && '"' == line.charAt(i + 1))
                {
                    field.append(c);
                    i++;
                }
                else if ('"' == c)
                {
                    isQuoted = !isQuoted;
                }
                else if (',' == c && !isQuoted)
                {
                    fields.add(field.toString());
                    field.setLength(0);
                }
                else
                {
                    field.append(c);
                }
            }
            if (isQuoted)
            {
                throw wrong("a quotation mark is not closed", null);
            }
            fields.add(field.toString());
        }

        private ModelFileException wrong(final String detail, final NumberFormatException cause)
        {
            return new ModelFileException(file + " line " + lineNumber + ": " + detail, cause);
        }
    }
}
