// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PushEncoder;
import io.gradstream.server.table.InMemoryRowStore;
import io.gradstream.server.table.RowTable;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whether there is room for the rows of a part, whose sections may be of one table.
 */
class RequestRoomTest
{
    private static final int CAPACITY = 10;
    private static final TableSpec SPEC = TableSpec.sparse(3, "rows", 1, "add/1");

    private final PartitionState state = new PartitionState(0, new PartitionFunction(1),
        (number, spec, rowLength) -> new InMemoryRowStore(rowLength, CAPACITY));
    private final RequestValidator validator = new RequestValidator(state);
    private final RowTable table = state.addTable(SPEC);
    private final PushPartHeader part = new PushPartHeader();

    @Test
    void shouldAddUpTheSectionsOfATable()
    {
        assertThat(check(range(0, 6), range(100, 4))).isEqualTo(Refusal.NONE);
        assertThat(check(range(0, 6), range(100, 5))).isEqualTo(Refusal.OUT_OF_ROWS);
        assertThat(check(range(0, 4), range(100, 4), range(200, 3))).isEqualTo(Refusal.OUT_OF_ROWS);
    }

    @Test
    void shouldCountOnlyRowsThatAreMissing()
    {
        for (long key = 0; key < 8; key++)
        {
            table.findOrCreate(key);
        }
        assertThat(check(range(0, 8), range(100, 2))).isEqualTo(Refusal.NONE);
        assertThat(check(range(0, 8), range(100, 3))).isEqualTo(Refusal.OUT_OF_ROWS);
        assertThat(check(range(7, 2), range(100, 1))).isEqualTo(Refusal.NONE);
        assertThat(check(range(7, 2), range(100, 2))).isEqualTo(Refusal.OUT_OF_ROWS);
    }

    @Test
    void shouldLimitTheBytesOfRowsWithThoseThatAreHeld()
    {
        final int rowBytes = SPEC.dim() * Float.BYTES;
        validator.maxRowBytes(5 * rowBytes);
        assertThat(check(range(0, 5))).isEqualTo(Refusal.NONE);
        assertThat(check(range(0, 6))).isEqualTo(Refusal.OUT_OF_ROWS);
        assertThat(check(range(0, 3), range(100, 3))).isEqualTo(Refusal.OUT_OF_ROWS);

        table.findOrCreate(0);
        table.findOrCreate(1);
        assertThat(check(range(0, 5))).as("of which two are there").isEqualTo(Refusal.NONE);
        assertThat(check(range(0, 6))).isEqualTo(Refusal.OUT_OF_ROWS);
        validator.maxRowBytes(1);
        assertThat(check(range(0, 2))).as("no row more, under a limit that was lowered").isEqualTo(Refusal.NONE);
        assertThat(check(range(2, 1))).isEqualTo(Refusal.OUT_OF_ROWS);
        validator.maxRowBytes(0);
        assertThat(check(range(2, 8))).as("no limit").isEqualTo(Refusal.NONE);
    }

    @Test
    void shouldCountTheRowsOfAllTablesWithTheirStateAndThoseOfHeldParts()
    {
        final RowTable other = state.addTable(TableSpec.dense(4, "other", CAPACITY, 2, "adagrad/1 rate=0.1"));
        assertThat(other.contentLength()).isEqualTo(2 * 2 * Float.BYTES);
        other.findOrCreate(1);
        validator.maxRowBytes(other.contentLength() + 2 * Float.BYTES);
        other.rowsAsked(CAPACITY);
        assertThat(check(range(0, 2))).as("what another part asked for").isEqualTo(Refusal.NONE);
        assertThat(check(range(0, 3))).isEqualTo(Refusal.OUT_OF_ROWS);

        check(range(0, 1));
        final Sections held = sections(range(0, 1));
        held.next();
        table.holdRows(held);
        assertThat(check(range(0, 2))).isEqualTo(Refusal.NONE);
        assertThat(check(range(1, 2))).as("beside a row that is held").isEqualTo(Refusal.OUT_OF_ROWS);
    }

    private static long[] range(final long first, final int count)
    {
        return new long[]{first, count};
    }

    private Refusal check(final long[]... ranges)
    {
        return validator.checkContent(part, sections(ranges), Integer.MAX_VALUE);
    }

    private static Sections sections(final long[]... ranges)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(1024));
        final PushEncoder push = new PushEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        final PushEncoder.SectionsEncoder sections = push.sectionsCount(ranges.length);
        int bodyLength = 0;
        for (final long[] range : ranges)
        {
            final int count = (int)range[1];
            sections.next().tableId(SPEC.tableId()).rowCount(count).valuesLength(count * Float.BYTES)
                .keyForm((short)KeyForm.RANGE).encoding((short)Sections.RAW);
            bodyLength += Long.BYTES + count * Float.BYTES;
        }
        final UnsafeBuffer body = new UnsafeBuffer(new byte[bodyLength]);
        int at = 0;
        for (final long[] range : ranges)
        {
            body.putLong(at, range[0], ByteOrder.LITTLE_ENDIAN);
            at += Long.BYTES + (int)range[1] * Float.BYTES;
        }
        push.putBody(body, 0, bodyLength);
        final int begin = MessageHeaderEncoder.ENCODED_LENGTH + PushEncoder.BLOCK_LENGTH;
        final Sections walk = new Sections().wrap(buffer, begin, push.limit() - begin);
        assertThat(walk.isMalformed()).isFalse();

        return walk;
    }
}
