// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.FiniteFloats;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.function.UpdateFunction;
import io.gradstream.server.table.FinitenessCheck;
import io.gradstream.server.table.RowLookup;
import io.gradstream.server.table.RowTable;

/**
 * Judges hellos, pushes and tables before anything happens: a push is taken whole or refused whole, and a sentence says
 * why a table is refused.
 */
final class RequestValidator
{
    private final PartitionState state;
    private final FinitenessCheck finitenessCheck;
    private String tableRefusalReason = "";
    /** Most bytes of rows and their state, 0 for no limit. */
    private long maxRowBytes;

    RequestValidator(final PartitionState state)
    {
        this.state = state;
        finitenessCheck = new FinitenessCheck(state::table);
    }

    /** Limit the bytes of rows and their state; 0 is no limit. */
    void maxRowBytes(final long bytes)
    {
        maxRowBytes = bytes;
    }

    Refusal checkHello(final int slot, final long incarnation, final SlotRole role)
    {
        if (Partition.OBSERVER == slot)
        {
            return Refusal.NONE;
        }
        if (!PartitionState.isSlot(slot))
        {
            return Refusal.MALFORMED;
        }

        final Slot known = state.slot(slot);
        if (null == known)
        {
            return role.isBackup() ? Refusal.BUSY : Refusal.NONE;
        }

        return known.isIn(incarnation, role) ? Refusal.NONE : known.checkRole(incarnation, role);
    }

    /** True if a worker is fenced: a newer process has its place in the slot, as the log says. */
    private boolean isFenced(final int slot, final long incarnation)
    {
        return null != state.slot(slot) && state.slot(slot).isFenced(incarnation);
    }

    /** Check whether a part may be taken, with {@code taken} the last sequence of its slot that was taken. */
    Refusal checkPart(final PushPartHeader part, final long epoch, final long taken)
    {
        if (!PartitionState.isSlot(part.slot) || part.sequence < 1)
        {
            return Refusal.MALFORMED;
        }
        if (part.epoch != epoch || isFenced(part.slot, part.incarnation))
        {
            return Refusal.FENCED;
        }

        return part.sequence > taken + 1 ? Refusal.SEQUENCE_GAP : Refusal.NONE;
    }

    /**
     * Check whether the content is right for the tables. An unknown table is reported first, since it consumes nothing.
     *
     * @param sections        bytes from outside.
     * @param maxRecordLength of the log.
     */
    Refusal checkContent(final PushPartHeader part, final Sections sections, final int maxRecordLength)
    {
        if (sections.isMalformed())
        {
            return Refusal.MALFORMED;
        }
        if (RecordWriter.rowsUpdatedLength(sections.length()) > maxRecordLength)
        {
            return Refusal.TOO_LARGE;
        }
        while (sections.next())
        {
            if (null == state.table(sections.tableId()))
            {
                return Refusal.NO_SUCH_TABLE;
            }
        }

        sections.rewind();
        while (sections.next())
        {
            final Refusal refusal = checkSection(part, sections, state.table(sections.tableId()));
            if (Refusal.NONE != refusal)
            {
                return refusal;
            }
        }

        if (!hasRoom(sections))
        {
            return Refusal.OUT_OF_ROWS;
        }

        return finitenessCheck.staysFinite(sections) ? Refusal.NONE : Refusal.ROW_NOT_FINITE;
    }

    private Refusal checkSection(final PushPartHeader part, final Sections sections, final RowTable table)
    {
        final TableSpec spec = table.spec();
        final int rowCount = sections.rowCount();
        if (sections.valuesLength() != (long)rowCount * rowLength(sections, table))
        {
            return Refusal.DIMENSION_MISMATCH;
        }
        if (!arePartitionKeys(part, sections, table))
        {
            return Refusal.BAD_KEY;
        }

        final boolean isFloat = ElementType.FLOAT32 == spec.elementType() && !sections.isRows();

        return isFloat && !isFinite(sections) ? Refusal.NOT_FINITE : Refusal.NONE;
    }

    /** Bytes of a row in a section, or -1 if rows of the table are not encoded as in the section. */
    private static int rowLength(final Sections sections, final RowTable table)
    {
        final TableSpec spec = table.spec();
        final ValueEncoding encoding = sections.valueEncoding();
        if (ValueEncoding.RAW != encoding)
        {
            return ElementType.FLOAT32 == spec.elementType() ? spec.dim() * encoding.elementLength() : -1;
        }

        return sections.isRows() ? table.contentLength() : spec.valuesLength();
    }

    private boolean arePartitionKeys(final PushPartHeader part, final Sections sections, final RowTable table)
    {
        boolean areOwn = true;
        if (table.spec().isSystem())
        {
            // no worker may replace the counts of a slot
            areOwn = !sections.isRows();
            for (int i = 0; areOwn && i < sections.rowCount(); i++)
            {
                areOwn = sections.key(i) == part.slot;
            }
            return areOwn;
        }

        final RowLookup lookup = table.lookup();
        for (int from = 0; areOwn && from < sections.rowCount(); from += lookup.maxRows())
        {
            final int count = Math.min(lookup.maxRows(), sections.rowCount() - from);
            areOwn = state.ownKeys.containAll(table.spec(), lookup.keys(sections, from, count), count);
        }

        return areOwn;
    }

    private static boolean isFinite(final Sections sections)
    {
        return FiniteFloats.areFinite(
            sections.elements(), sections.elementsOffset(), sections.elementsLength() / Float.BYTES);
    }

    /** True if there is room for the missing rows of all sections together. A row that is named twice counts twice. */
    private boolean hasRoom(final Sections sections)
    {
        // few pushes come so near to the end that the missing rows must be looked up
        return hasRoom(sections, false) || hasRoom(sections, true);
    }

    private boolean hasRoom(final Sections sections, final boolean isLookedUp)
    {
        // where bytes are limited, tables of which this part has nothing count, too
        for (int i = 0, size = maxRowBytes > 0 ? state.tables().size() : 0; i < size; i++)
        {
            state.tables().get(i).rowsAsked(0);
        }
        sections.rewind();
        while (sections.next())
        {
            state.table(sections.tableId()).rowsAsked(0);
        }
        boolean hasRoom = true;
        sections.rewind();
        while (hasRoom && sections.next())
        {
            final RowTable table = state.table(sections.tableId());
            table.limited(maxRowBytes > 0);
            if (!table.isRoomForAll() || maxRowBytes > 0)
            {
                table.rowsAsked(table.rowsAsked() +
                    (isLookedUp ? table.lookup().countMissing(sections) : sections.rowCount()));
                hasRoom = table.isRoomForAll() ||
                    table.rowsAsked() + table.rowsHeld() <= table.store().capacity() - table.store().size();
            }
        }

        return hasRoom && (0 == maxRowBytes || isWithinLimit(sections));
    }

    /** True if the part adds no row, or all rows with those that it adds are as long as they may be. */
    private boolean isWithinLimit(final Sections sections)
    {
        boolean isAdding = false;
        sections.rewind();
        while (!isAdding && sections.next())
        {
            final RowTable table = state.table(sections.tableId());
            isAdding = !table.spec().isSystem() && table.rowsAsked() > 0;
        }

        return !isAdding || rowBytes() <= maxRowBytes;
    }

    /** Bytes of the rows and their state in users' tables, with those that are held and asked for. */
    private long rowBytes()
    {
        long bytes = 0;
        for (int i = 0, size = state.tables().size(); i < size; i++)
        {
            final RowTable table = state.tables().get(i);
            bytes += table.spec().isSystem() ? 0 :
                (table.store().size() + table.rowsHeld() + table.rowsAsked()) * table.contentLength();
        }

        return bytes;
    }

    /**
     * Check whether this table may be created. A table that is there with the same specification is not refused.
     *
     * @param maxFrameLength of the log and of snapshots: a row with its state must fit one.
     */
    Refusal checkTable(final TableSpec spec, final int maxFrameLength)
    {
        final RowTable known = state.table(spec.tableId());
        if (null != known)
        {
            return known.spec().equals(spec) ? Refusal.NONE : refuseTable(Refusal.TABLE_MISMATCH,
                "table " + spec.tableId() + " is there already: it has " + known.spec().difference(spec) +
                "; use that specification or another tableId");
        }
        final String problem = tableProblem(spec, maxFrameLength);
        if (null != problem)
        {
            return refuseTable(Refusal.INVALID_TABLE, problem);
        }
        for (final RowTable table : state.tables())
        {
            if (table.spec().name().equals(spec.name()))
            {
                return refuseTable(Refusal.TABLE_MISMATCH, "table " + table.spec().tableId() +
                    " has this name: choose another name");
            }
        }

        return Refusal.NONE;
    }

    String tableRefusalReason()
    {
        return tableRefusalReason;
    }

    private Refusal refuseTable(final Refusal refusal, final String why)
    {
        tableRefusalReason = why;
        return refusal;
    }

    private String tableProblem(final TableSpec spec, final int maxFrameLength)
    {
        final String problem = spec.problem();
        if (null != problem)
        {
            return problem;
        }
        try
        {
            final UpdateFunction function = state.functions().parse(spec.function());
            if (!function.supports(spec.elementType()))
            {
                return "function='" + spec.function() + "' cannot update elementType=" + spec.elementType();
            }
            final int valueLength = spec.elementType().length() + function.statePerValue() * Float.BYTES;
            final int maxDim = (maxFrameLength - RowScan.ROW_OVERHEAD) / valueLength;
            return spec.dim() <= maxDim ? null : "invalid dim=" + spec.dim() + ": must be 1.." + maxDim +
                " with function='" + spec.function() + "', which keeps " + function.statePerValue() +
                " values beside each; cut a larger tensor into equal rows";
        }
        catch (final IllegalArgumentException ex)
        {
            return ex.getMessage();
        }
    }
}
