// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.FloatArrays;
import io.gradstream.codecs.InitialValues;
import io.gradstream.codecs.TableSpec;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A model file, checked: what {@link ModelFileWriter} wrote, to the bit. It is in the safetensors format, so that
 * other programs read its arrays, too. It is mapped, not loaded: a model may be larger than the memory. May be read by
 * several threads.
 */
public final class ModelFile implements AutoCloseable
{
    /** There is no such row. */
    public static final long NO_ROW = -1;

    /** With what the names of model files end. */
    public static final String SUFFIX = ".safetensors";

    private final Path file;
    private final ModelHeader header;
    /** Where parts of each table's rows begin in the file, and their lengths. */
    private final Places[] places;
    // never unmapped by hand: another thread may be reading
    private volatile MappedWindows windows;

    /**
     * The places of a table's arrays.
     *
     * @param state offset of the state; unused if there is none.
     */
    private record Places(long keys, long values, int valuesLength, long state, int stateLength)
    {
        private long key(final long index)
        {
            return keys + index * Long.BYTES;
        }

        private long values(final long index)
        {
            return values + index * valuesLength;
        }

        private long state(final long index)
        {
            return state + index * stateLength;
        }
    }

    private ModelFile(final Path file, final int windowShift, final List<TableSpec> specs) throws IOException
    {
        this.file = file;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ))
        {
            windows = new MappedWindows(channel, windowShift);
        }
        final SafetensorsHeader arrays = SafetensorsHeader.read(file, windows);
        header = ModelHeader.of(file, arrays, windows, specs);
        places = header.tables().stream().map((table) -> new Places(
            arrays.offset(ModelArray.Part.KEYS.of(table.spec())),
            arrays.offset(ModelArray.Part.VALUES.of(table.spec())), table.spec().valuesLength(),
            arrays.offset(ModelArray.Part.STATE.of(table.spec())), table.stateLength())).toArray(Places[]::new);
        for (int table = 0; table < places.length; table++)
        {
            checkKeys(table);
        }
    }

    /**
     * Open a model file and check all of it: checksums, lengths, and the order of rows.
     *
     * @param file to open, which nobody may change while it is open.
     * @return the model; to be closed.
     * @throws ModelFileException if it is no sound model file.
     * @throws IOException        if it cannot be read.
     */
    public static ModelFile open(final Path file) throws IOException
    {
        return open(file, MappedWindows.DEFAULT_SHIFT);
    }

    static ModelFile open(final Path file, final int windowShift) throws IOException
    {
        return new ModelFile(file, windowShift, null);
    }

    /**
     * Open a file that another program wrote with the safetensors package. It has arrays called and shaped as those of
     * a model file, without metadata and checksums: {@code <table>.keys}, ascending, {@code <table>.values} and, if
     * there is any, {@code <table>.state}. All else is checked as of a model file.
     *
     * @param file  to open, which nobody may change while it is open.
     * @param specs of tables by ascending id, which the file does not have; those without arrays in it are left out.
     * @return the model, of no job and no clock; to be closed.
     * @throws ModelFileException if an array is none of a table's or is damaged, or Gradstream wrote the file.
     * @throws IOException        if it cannot be read.
     */
    public static ModelFile openForeign(final Path file, final List<TableSpec> specs) throws IOException
    {
        return new ModelFile(file, MappedWindows.DEFAULT_SHIFT, specs);
    }

    /** The origin of the model. */
    public ModelOrigin origin()
    {
        return header.origin();
    }

    /**
     * The text that the program that trained the model has left about it, such as what its features are. {@code train}
     * writes a JSON document.
     *
     * @return its text, empty if the file has none.
     */
    public String metadata()
    {
        return header.description();
    }

    /** All tables, by ascending id, also those without rows. */
    public List<TableEntry> tables()
    {
        return header.tables();
    }

    /** Hand the model over to a handler: all tables, then rows by table and ascending key. */
    public void forEach(final ModelHandler handler)
    {
        mapped();
        for (final TableEntry table : tables())
        {
            handler.onTable(table.spec(), table.stateLength());
        }
        for (int i = 0; i < places.length; i++)
        {
            forEachRow(i, handler);
        }
    }

    /**
     * Find a row by binary search.
     *
     * @param tableId of a table of the model.
     * @param key     of the row.
     * @return index of the row in its table; {@link #NO_ROW} if there is no such row.
     * @throws IllegalArgumentException if there is no such table.
     */
    public long indexOf(final int tableId, final long key)
    {
        final MappedWindows mapped = mapped();
        final int table = position(tableId);
        final long index = firstIndex(table, key);
        final boolean isThere =
            index < tables().get(table).rows() && mapped.getLong(places[table].key(index)) == key;

        return isThere ? index : NO_ROW;
    }

    /**
     * The key of a row.
     *
     * @param tableId of a table of the model.
     * @param index   of the row in its table, in ascending order of keys.
     * @return the key.
     * @throws IllegalArgumentException  if there is no such table.
     * @throws IndexOutOfBoundsException if there is no such row.
     */
    public long key(final int tableId, final long index)
    {
        final MappedWindows mapped = mapped();
        final int table = position(tableId);
        checkIndex(table, index);
        return mapped.getLong(places[table].key(index));
    }

    /**
     * Copy a row: its values, then its state, little endian.
     *
     * @param tableId of a table of the model.
     * @param index   of the row in its table, such as from {@link #indexOf}.
     * @param into    where to copy it to.
     * @param offset  in {@code into}.
     * @throws IllegalArgumentException  if there is no such table.
     * @throws IndexOutOfBoundsException if there is no such row.
     */
    public void row(final int tableId, final long index, final MutableDirectBuffer into, final int offset)
    {
        final MappedWindows mapped = mapped();
        final int table = position(tableId);
        checkIndex(table, index);
        copy(mapped, table, index, into, offset);
    }

    /**
     * Read the values of a row of floats. One that is not in the model, since no update has touched it, has the
     * {@link InitialValues} of its table.
     *
     * @param tableId of a table of the model.
     * @param key     of the row.
     * @param values  receives dim values.
     * @param offset  of the first of them.
     * @return true if the row is in the model.
     * @throws IllegalArgumentException if there is no such table, or it holds no floats.
     */
    public boolean readFloats(final int tableId, final long key, final float[] values, final int offset)
    {
        final TableSpec spec = tables().get(position(tableId)).spec();
        if (ElementType.FLOAT32 != spec.elementType())
        {
            throw new IllegalArgumentException("table '" + spec.name() + "' holds " + spec.elementType());
        }
        final long index = indexOf(tableId, key);
        if (NO_ROW == index)
        {
            InitialValues.fill(spec, key, values, offset);
        }
        else
        {
            final long first = places[position(tableId)].values(index);
            final MappedWindows mapped = mapped();
            FloatArrays.read(mapped.window(first), mapped.offsetInWindow(first), values, offset, spec.dim());
        }

        return NO_ROW != index;
    }

    /**
     * SHA-256 of the values of all rows, as {@code train --json} computes {@code parametersSha256}: equal models have
     * the same. The one of {@code train} also counts features that no example had, which are no rows of the model:
     * {@link #parametersSha256(int, long)} gives it.
     *
     * @return 64 lower-case hexadecimal digits.
     */
    public String parametersSha256()
    {
        final ParametersHash hash = new ParametersHash();
        forEach(hash);
        return hash.finish();
    }

    /**
     * SHA-256 of the values of rows 0 to count - 1 of one table, zeros where the model has no row: what
     * {@code train --json} prints, count being the number of its features.
     *
     * @param tableId of a table of the model whose rows begin as zeros.
     * @param count   of rows.
     * @return 64 lower-case hexadecimal digits.
     * @throws IllegalArgumentException if there is no such table, or its rows do not begin as zeros.
     */
    public String parametersSha256(final int tableId, final long count)
    {
        final MappedWindows mapped = mapped();
        final int position = position(tableId);
        final TableEntry table = tables().get(position);
        if (TableSpec.ZEROS != table.spec().initialiser())
        {
            throw new IllegalArgumentException(
                "rows of table '" + table.spec().name() + "' do not begin as zeros: tableId=" + tableId);
        }

        final ParametersHash hash = new ParametersHash();
        hash.onTable(table.spec(), table.stateLength());
        final DirectBuffer zeros = new UnsafeBuffer(new byte[table.spec().valuesLength()]);
        long index = firstIndex(position, 0);
        for (long key = 0; key < count; key++)
        {
            if (index < table.rows() && mapped.getLong(places[position].key(index)) == key)
            {
                final long values = places[position].values(index);
                hash.onRow(tableId, key, mapped.window(values), mapped.offsetInWindow(values));
                index++;
            }
            else
            {
                hash.onRow(tableId, key, zeros, 0);
            }
        }

        return hash.finish();
    }

    /** Close it. Reading throws {@link IllegalStateException} from then on. */
    @Override
    public void close()
    {
        windows = null;
    }

    private void forEachRow(final int position, final ModelHandler handler)
    {
        final MappedWindows mapped = mapped();
        final TableEntry table = tables().get(position);
        final MutableDirectBuffer row = new UnsafeBuffer(new byte[table.rowLength()]);
        for (long index = 0; index < table.rows(); index++)
        {
            final long key = mapped.getLong(places[position].key(index));
            if (0 == table.stateLength())
            {
                final long values = places[position].values(index);
                handler.onRow(table.spec().tableId(), key, mapped.window(values), mapped.offsetInWindow(values));
            }
            else
            {
                copy(mapped, position, index, row, 0);
                handler.onRow(table.spec().tableId(), key, row, 0);
            }
        }
    }

    private void checkKeys(final int position) throws ModelFileException
    {
        final MappedWindows mapped = mapped();
        final TableEntry table = tables().get(position);
        long before = 0;
        for (long index = 0; index < table.rows(); index++)
        {
            final long at = places[position].key(index);
            final long key = mapped.getLong(at);
            final boolean isInOrder = 0 == index || key > before;
            if (!isInOrder || !table.isKey(key))
            {
                throw ModelFileException.damaged(file, "at offset " + at + ": " + (isInOrder ? table.outside(key) :
                    "rows out of order: table '" + table.spec().name() + "' key=" + key + " after key=" + before),
                    null);
            }
            before = key;
        }
    }

    private void copy(
        final MappedWindows mapped, final int table, final long index, final MutableDirectBuffer into, final int offset)
    {
        final Places place = places[table];
        final long values = place.values(index);
        into.putBytes(offset, mapped.window(values), mapped.offsetInWindow(values), place.valuesLength);
        if (place.stateLength > 0)
        {
            final long state = place.state(index);
            into.putBytes(offset + place.valuesLength, mapped.window(state), mapped.offsetInWindow(state),
                place.stateLength);
        }
    }

    private MappedWindows mapped()
    {
        final MappedWindows mapped = windows;
        if (null == mapped)
        {
            throw new IllegalStateException("the model file is closed: file=" + file);
        }

        return mapped;
    }

    private int position(final int tableId)
    {
        for (int i = 0; i < places.length; i++)
        {
            if (tables().get(i).spec().tableId() == tableId)
            {
                return i;
            }
        }

        throw new IllegalArgumentException("no such table in the model: tableId=" + tableId + " file=" + file);
    }

    /** Index of the first row whose key is at least as great as a key. */
    private long firstIndex(final int table, final long key)
    {
        final MappedWindows mapped = mapped();
        long low = 0;
        long high = tables().get(table).rows();
        while (low < high)
        {
            final long middle = (low + high) >>> 1;
            if (mapped.getLong(places[table].key(middle)) < key)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }

        return low;
    }

    private void checkIndex(final int table, final long index)
    {
        if (index < 0 || index >= tables().get(table).rows())
        {
            throw new IndexOutOfBoundsException(
                "row index=" + index + " of rows=" + tables().get(table).rows() + " file=" + file);
        }
    }
}
