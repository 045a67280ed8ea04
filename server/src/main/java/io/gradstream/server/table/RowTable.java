// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.table;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.FiniteFloats;
import io.gradstream.codecs.FloatArrays;
import io.gradstream.codecs.InitialValues;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.server.function.RateSchedule;
import io.gradstream.function.UpdateFunction;
import io.gradstream.server.function.UpdateFunctions;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.collections.LongHashSet;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/**
 * One table at one partition: its rows and how they change.
 * <p>
 * A row's bytes: version (int64, log position of its last update), the values, the update function's state. The number
 * of rows that hold an infinity or NaN follows from the rows alone: it is counted as they change and as they are
 * loaded, and stands in no log and no snapshot.
 */
public final class RowTable
{
    public static final int VERSION_LENGTH = 8;

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final long NO_POSITION = -1;

    private final TableSpec spec;
    private final UpdateFunction function;
    /** Null if the rate stays as it is. */
    private final RateSchedule schedule;
    private final RowStore store;
    private final UnsafeBuffer row = new UnsafeBuffer(0, 0);
    private final int stateCount;
    private final float[] values;
    private final float[] state;
    private final float[] gradient;
    private final RowLookup lookup;
    /** Null if its rows are updated one by one. */
    private final RowBatch batch;
    private final long[] longValues;
    private final long[] longGradient;
    private int rowsNotFinite;
    private float rateFactor = 1f;
    /** Steps of the schedule so far, and the position of the record that the last of them belongs to. */
    private long rateStep;
    private long rateStepPosition = NO_POSITION;
    private long rateStepsAhead;
    private boolean isLimited;
    /** Rows that a part may add, while it is judged. */
    private long rowsAsked;
    /** Keys of rows that held parts will add, where there may not be room for all. */
    private final LongHashSet heldKeys = new LongHashSet();

    public RowTable(
        final int partition, final TableSpec spec, final RowStore.Factory stores, final UpdateFunctions functions)
    {
        this.spec = spec;
        function = functions.parse(spec.function());
        schedule = UpdateFunctions.schedule(spec.function());
        if (!function.supports(spec.elementType()))
        {
            throw new IllegalArgumentException(
                "function='" + spec.function() + "' cannot update elementType=" + spec.elementType());
        }
        final boolean isFloat = ElementType.FLOAT32 == spec.elementType();
        stateCount = spec.dim() * function.statePerValue();
        values = new float[isFloat ? spec.dim() : 0];
        gradient = new float[isFloat ? spec.dim() : 0];
        state = new float[stateCount];
        longValues = new long[isFloat ? 0 : spec.dim()];
        longGradient = new long[isFloat ? 0 : spec.dim()];
        store = stores.create(partition, spec, rowLength());
        lookup = new RowLookup(this);
        batch = isFloat && function.isPerValue() ? new RowBatch(this, function, lookup) : null;
    }

    public TableSpec spec()
    {
        return spec;
    }

    /** For one use at a time. */
    public RowLookup lookup()
    {
        return lookup;
    }

    public RowStore store()
    {
        return store;
    }

    public long rowsAsked()
    {
        return rowsAsked;
    }

    public void rowsAsked(final long count)
    {
        rowsAsked = count;
    }

    /** True if there is room for every row that the table may ever have. */
    public boolean isRoomForAll()
    {
        return spec.rows() > 0 && spec.rows() <= store.capacity();
    }

    /** Set whether the bytes of rows are limited: then the rows that held parts will add count in every table. */
    public void limited(final boolean isOn)
    {
        isLimited = isOn;
    }

    /** Keep room for the rows that the current section of a held part will add. */
    public void holdRows(final Sections sections)
    {
        for (int i = 0, count = isRoomForAll() && !isLimited ? 0 : sections.rowCount(); i < count; i++)
        {
            if (store.find(sections.key(i)) < 0)
            {
                heldKeys.add(sections.key(i));
            }
        }
    }

    /** True if held parts will add the row of a key. */
    public boolean isHeld(final long key)
    {
        return heldKeys.contains(key);
    }

    /** Rows that held parts will add. */
    public int rowsHeld()
    {
        return heldKeys.size();
    }

    /** Release the room of rows that are there: held parts were applied. */
    public void releaseRowsThere()
    {
        if (!heldKeys.isEmpty())
        {
            heldKeys.removeIfLong((key) -> store.find(key) >= 0);
        }
    }

    /** Release the room of all rows: nothing is held. */
    public void releaseRows()
    {
        heldKeys.clear();
    }

    public int rowsNotFinite()
    {
        return rowsNotFinite;
    }

    public void addRowsNotFinite(final int count)
    {
        rowsNotFinite += count;
    }

    /** True if the last push to a row in one clock counts, and not the sum of them. */
    public boolean takesLast()
    {
        return function.takesLast();
    }

    public boolean refusesNonFinite()
    {
        return function.refusesNonFinite();
    }

    /** How the rate changes, or null if it does not. */
    public RateSchedule schedule()
    {
        return schedule;
    }

    /** The factor of the function's rate, as the log says. */
    public float rateFactor()
    {
        return rateFactor;
    }

    /** Set the factor of the rate from here on, as the log says. */
    public void rateFactor(final float newFactor)
    {
        if (!(newFactor >= 0 && newFactor <= 1))
        {
            throw new IllegalStateException("table=" + spec.tableId() + " rateFactor=" + newFactor);
        }
        rateFactor = newFactor;
    }

    /** Steps of the schedule so far. */
    public long rateStep()
    {
        return rateStep;
    }

    public void rateStep(final long newStep)
    {
        rateStep = newStep;
    }

    /** Steps by which the schedule is ahead of the iterations that every slot has finished, where these count. */
    public long rateStepsAhead()
    {
        return rateStepsAhead;
    }

    public void rateStepsAhead(final long newStepsAhead)
    {
        rateStepsAhead = newStepsAhead;
    }

    /** Count one more step of the schedule, unless the record at this position was counted. */
    public void countRateStep(final long position)
    {
        rateStep += position == rateStepPosition ? 0 : 1;
        rateStepPosition = position;
    }

    public int rowLength()
    {
        return VERSION_LENGTH + spec.valuesLength() + stateCount * Float.BYTES;
    }

    /** Bytes of a row that a push of whole rows brings: its values and its state. */
    public int contentLength()
    {
        return rowLength() - VERSION_LENGTH;
    }

    public int findOrCreate(final long key)
    {
        int index = store.find(key);
        if (index < 0)
        {
            index = store.create(key);
            store.wrap(index, row);
            row.putLong(0, -1, ORDER);
            if (hasInitialValues())
            {
                InitialValues.fill(spec, key, values, 0);
                FloatArrays.write(values, 0, spec.dim(), row, VERSION_LENGTH);
                rowsNotFinite += FiniteFloats.areFinite(values, spec.dim()) ? 0 : 1;
            }
        }

        return index;
    }

    public long version(final int index)
    {
        store.wrap(index, row);
        return row.getLong(0, ORDER);
    }

    /** Update the rows of a section by a record's content, and call the observer before each row changes. */
    public void update(final Sections sections, final RowObserver observer, final long position)
    {
        final int rowCount = sections.rowCount();
        if (sections.isRows())
        {
            replace(sections, observer, position);
            return;
        }
        if (null != batch)
        {
            int done = 0;
            while (done < rowCount)
            {
                done += batch.update(sections, done, observer, position);
            }
            return;
        }

        // before version 2 a row of the audit table had an element less, and adds nothing to the others
        final int given = sections.elementsLength() / Math.max(1, rowCount);
        for (int i = 0; i < rowCount; i++)
        {
            final int index = findOrCreate(sections.key(i));
            observer.beforeUpdate(this, index);
            update(index, sections.elements(), sections.elementsOffset() + i * given, given, position);
        }
    }

    /** Replace rows by those of a section. */
    private void replace(final Sections sections, final RowObserver observer, final long position)
    {
        final boolean isFloat = ElementType.FLOAT32 == spec.elementType();
        for (int i = 0, count = sections.rowCount(); i < count; i++)
        {
            final int index = findOrCreate(sections.key(i));
            observer.beforeUpdate(this, index);
            store.wrap(index, row);
            final boolean wasFinite = !isFloat || isFinite(row);
            row.putLong(0, position, ORDER);
            row.putBytes(VERSION_LENGTH, sections.buffer(), sections.valuesOffset() + i * contentLength(),
                contentLength());
            rowsNotFinite += (wasFinite ? 1 : 0) - (!isFloat || isFinite(row) ? 1 : 0);
        }
    }

    private void update(
        final int index, final DirectBuffer buffer, final int offset, final int given, final long position)
    {
        store.wrap(index, row);
        row.putLong(0, position, ORDER);
        if (ElementType.INT64 == spec.elementType())
        {
            updateLongs(buffer, offset, given / Long.BYTES);
            return;
        }

        load(row);
        final boolean wasFinite = 0 == rowsNotFinite || isFinite();
        compute(buffer, offset);
        rowsNotFinite += (wasFinite ? 1 : 0) - (isFinite() ? 1 : 0);
        write(row);
    }

    public void onLoaded(final int index)
    {
        if (ElementType.FLOAT32 == spec.elementType())
        {
            store.wrap(index, row);
            load(row);
            rowsNotFinite += isFinite() ? 0 : 1;
        }
    }

    /** Copy a row's bytes, whether or not it exists. */
    public void copy(final long key, final MutableDirectBuffer destination, final int offset)
    {
        final int index = store.find(key);
        if (index >= 0)
        {
            store.wrap(index, row);
            destination.putBytes(offset, row, 0, rowLength());
        }
        else
        {
            destination.setMemory(offset, rowLength(), (byte)0);
            read(key, destination, offset + VERSION_LENGTH);
        }
    }

    /** Update a copy of a row of floats; false if the row is then infinite or NaN. */
    public boolean staysFinite(final MutableDirectBuffer copy, final DirectBuffer buffer, final int offset)
    {
        load(copy);
        compute(buffer, offset);
        write(copy);

        return isFinite();
    }

    /** Write the values of a row, whether or not it exists. */
    public void read(final long key, final MutableDirectBuffer destination, final int offset)
    {
        final int index = store.find(key);
        if (index >= 0)
        {
            store.wrap(index, row);
            destination.putBytes(offset, row, VERSION_LENGTH, spec.valuesLength());
        }
        else
        {
            readInitial(key, destination, offset);
        }
    }

    private void readInitial(final long key, final MutableDirectBuffer destination, final int offset)
    {
        if (hasInitialValues())
        {
            InitialValues.fill(spec, key, values, 0);
            FloatArrays.write(values, 0, spec.dim(), destination, offset);
        }
        else
        {
            destination.setMemory(offset, spec.valuesLength(), (byte)0);
        }
    }

    /**
     * Write the values of several rows, one after the other, whether or not they exist.
     *
     * @param from  index of the first key.
     * @param count of keys.
     */
    public void read(
        final RowKeys keys, final int from, final int count, final MutableDirectBuffer destination, final int offset)
    {
        final int length = spec.valuesLength();
        for (int done = 0; done < count; done += lookup.maxRows())
        {
            final int found = Math.min(lookup.maxRows(), count - done);
            keys.copyKeys(from + done, found, lookup.keys);
            lookup.find(found);
            copyFound(found, destination, offset + done * length);
        }
    }

    private void copyFound(final int count, final MutableDirectBuffer destination, final int offset)
    {
        final int length = spec.valuesLength();
        destination.boundsCheck(offset, count * length);
        long to = destination.addressOffset() + offset;
        for (int i = 0; i < count; i++)
        {
            final long address = lookup.addresses[i] + VERSION_LENGTH;
            if (VERSION_LENGTH == address)
            {
                readInitial(lookup.keys[i], destination, offset + i * length);
            }
            else if (Integer.BYTES == length)
            {
                // a block copy of one float takes longer than the float
                UnsafeApi.putInt(destination.byteArray(), to, UnsafeApi.getInt(address));
            }
            else
            {
                UnsafeApi.copyMemory(null, address, destination.byteArray(), to, length);
            }
            to += length;
        }
    }

    /** A hash of the keys and values that does not depend on the order of the rows or on where they are stored. */
    public long hash()
    {
        long sum = 0;
        for (int i = 0; i < store.size(); i++)
        {
            store.wrap(i, row);
            long hash = PartitionFunction.mix(store.key(i) * 31 + spec.tableId());
            final int end = VERSION_LENGTH + hashedLength();
            for (int offset = VERSION_LENGTH; offset < end; offset += Float.BYTES)
            {
                hash = PartitionFunction.mix(hash ^ row.getInt(offset, ORDER));
            }
            sum += hash;
        }

        return sum;
    }

    /**
     * Bytes of a row that are hashed. A row of the audit table that no push with a content hash has touched hashes as
     * it did before there were content hashes: released logs keep their known hash.
     */
    private int hashedLength()
    {
        final int contentOffset = spec.valuesLength() - Long.BYTES;
        final boolean isWithout = TableSpec.AUDIT.tableId() == spec.tableId() &&
            0 == row.getLong(VERSION_LENGTH + contentOffset, ORDER);

        return isWithout ? contentOffset : spec.valuesLength();
    }

    public void close()
    {
        store.close();
    }

    private boolean hasInitialValues()
    {
        return TableSpec.ZEROS != spec.initialiser() && ElementType.FLOAT32 == spec.elementType();
    }

    private void load(final DirectBuffer from)
    {
        FloatArrays.read(from, VERSION_LENGTH, values, 0, spec.dim());
        FloatArrays.read(from, VERSION_LENGTH + spec.valuesLength(), state, 0, stateCount);
    }

    private void compute(final DirectBuffer buffer, final int offset)
    {
        FloatArrays.read(buffer, offset, gradient, 0, spec.dim());
        function.updateFloats(values, state, gradient, spec.dim(), rateFactor);
    }

    private boolean isFinite()
    {
        return FiniteFloats.areFinite(values, spec.dim()) && FiniteFloats.areFinite(state, stateCount);
    }

    private boolean isFinite(final DirectBuffer from)
    {
        load(from);
        return isFinite();
    }

    private void write(final MutableDirectBuffer to)
    {
        FloatArrays.write(values, 0, spec.dim(), to, VERSION_LENGTH);
        FloatArrays.write(state, 0, stateCount, to, VERSION_LENGTH + spec.valuesLength());
    }

    private void updateLongs(final DirectBuffer buffer, final int offset, final int given)
    {
        for (int i = 0; i < spec.dim(); i++)
        {
            longValues[i] = row.getLong(VERSION_LENGTH + i * Long.BYTES, ORDER);
            longGradient[i] = i < given ? buffer.getLong(offset + i * Long.BYTES, ORDER) : 0;
        }
        function.updateLongs(longValues, longGradient, spec.dim());
        for (int i = 0; i < spec.dim(); i++)
        {
            row.putLong(VERSION_LENGTH + i * Long.BYTES, longValues[i], ORDER);
        }
    }
}
