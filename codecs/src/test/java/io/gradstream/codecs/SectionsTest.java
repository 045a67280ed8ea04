// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PushEncoder;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;

class SectionsTest
{
    private static final int BEGIN = MessageHeaderEncoder.ENCODED_LENGTH + PushEncoder.BLOCK_LENGTH;

    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(1024));
    private final Sections sections = new Sections();
    private final int length = encode();

    @Test
    void shouldWalkKeysAndRanges()
    {
        sections.wrap(buffer, BEGIN, length);
        assertThat(sections.isMalformed()).isFalse();

        assertThat(sections.next()).isTrue();
        assertThat(sections.tableId()).isEqualTo(4);
        assertThat(sections.key(0)).isEqualTo(100);
        assertThat(sections.key(1)).isEqualTo(7);
        assertThat(buffer.getFloat(sections.valuesOffset() + 4, ByteOrder.LITTLE_ENDIAN)).isEqualTo(2.5f);
        assertThat(sections.next()).isTrue();
        assertThat(sections.key(2)).isEqualTo(52);
        assertThat(sections.valuesLength()).isEqualTo(24);
        assertThat(buffer.getLong(sections.valuesOffset() + 16, ByteOrder.LITTLE_ENDIAN)).isEqualTo(3);
        assertThat(sections.next()).isTrue();
        assertThat(sections.key(1)).isEqualTo(1_005);
        final long[] keys = new long[2];
        sections.keys(0, 2, keys);
        assertThat(keys).containsExactly(1_000 + 0xFFFF, 1_005);
        assertThat(buffer.getFloat(sections.valuesOffset() + 4, ByteOrder.LITTLE_ENDIAN)).isEqualTo(4.5f);
        assertThat(sections.next()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(ValueEncoding.class)
    void shouldDecodeElementsOfEachSection(final ValueEncoding encoding)
    {
        final float[][] values = {{1.5f, -2.5f, 0.1f}, {1e-3f}};
        final PushEncoder push = new PushEncoder();
        final PushEncoder.SectionsEncoder entries =
            push.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).sectionsCount(values.length);
        final UnsafeBuffer body = new UnsafeBuffer(new byte[256]);
        int end = 0;
        for (final float[] section : values)
        {
            entries.next().tableId(4).rowCount(section.length).valuesLength(section.length * encoding.elementLength())
                .keyForm((short)KeyForm.RANGE).encoding((short)encoding.wire());
            end += (int)KeyForm.length(KeyForm.RANGE, section.length);
            encoding.encode(section, 0, body, end, section.length);
            end += section.length * encoding.elementLength();
        }
        push.putBody(body, 0, end);

        sections.wrap(buffer, BEGIN, push.limit() - BEGIN);
        assertThat(sections.isMalformed()).isFalse();
        assertThat(sections.hasRows()).isFalse();
        for (int turn = 0; turn < 2; turn++, sections.rewind())
        {
            for (final float[] section : values)
            {
                assertThat(sections.next()).isTrue();
                assertThat(sections.valueEncoding()).isEqualTo(encoding);
                assertThat(sections.elementsLength()).isEqualTo(section.length * Float.BYTES);
                for (int i = 0; i < section.length; i++)
                {
                    assertThat(sections.elements().getFloat(
                        sections.elementsOffset() + i * Float.BYTES, ByteOrder.LITTLE_ENDIAN))
                        .isEqualTo(encoding.rounded(section[i]));
                }
            }
            assertThat(sections.next()).isFalse();
        }
    }

    @Test
    void shouldKnowNoOtherEncodings()
    {
        for (int encoding = 0; encoding < 256; encoding++)
        {
            buffer.putByte(BEGIN + Sections.GROUP_HEADER_LENGTH + Sections.ENTRY_LENGTH - 1, (byte)encoding);
            assertThat(sections.wrap(buffer, BEGIN, length).isMalformed()).as("%d", encoding)
                .isEqualTo(encoding < Sections.RAW || encoding > ValueEncoding.FLOAT16.wire());
        }
    }

    @Test
    void shouldFindLengthsThatContradictEachOther()
    {
        for (int cut = 1; cut < length; cut++)
        {
            assertThat(sections.wrap(buffer, BEGIN, length - cut).isMalformed()).as("cut %d", cut).isTrue();
        }
        assertThat(sections.wrap(buffer, BEGIN, length + 1).isMalformed()).isTrue();
    }

    @Test
    void shouldNeverReadOutsideWhateverTheBytes()
    {
        final SplittableRandom random = new SplittableRandom(3);
        final UnsafeBuffer exact = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
        for (int i = 0; i < 100_000; i++)
        {
            exact.putBytes(0, buffer, BEGIN, length);
            for (int flips = 1 + random.nextInt(4); flips > 0; flips--)
            {
                exact.putByte(random.nextInt(length), (byte)random.nextInt());
            }
            if (!sections.wrap(exact, 0, random.nextInt(length + 1)).isMalformed())
            {
                walk();
            }
        }
    }

    private void walk()
    {
        while (sections.next())
        {
            sections.key(sections.rowCount() - 1);
            sections.buffer().boundsCheck(sections.valuesOffset(), sections.valuesLength());
            sections.elements().boundsCheck(sections.elementsOffset(), sections.elementsLength());
        }
    }

    private int encode()
    {
        final PushEncoder push = new PushEncoder();
        final PushEncoder.SectionsEncoder entries =
            push.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).sectionsCount(3);
        entries.next().tableId(4).rowCount(2).valuesLength(8).keyForm((short)KeyForm.KEYS).encoding((short)1);
        entries.next().tableId(5).rowCount(3).valuesLength(24).keyForm((short)KeyForm.RANGE).encoding((short)1);
        entries.next().tableId(6).rowCount(2).valuesLength(8).keyForm((short)KeyForm.OFFSETS_16).encoding((short)1);
        final ByteBuffer body = ByteBuffer.allocate(16 + 8 + 8 + 24 + 12 + 8).order(ByteOrder.LITTLE_ENDIAN);
        body.putLong(100).putLong(7).putFloat(1.5f).putFloat(2.5f).putLong(50).putLong(1).putLong(2).putLong(3);
        body.putLong(1_000).putShort((short)0xFFFF).putShort((short)5).putFloat(3.5f).putFloat(4.5f);
        push.putBody(body.array(), 0, body.capacity());

        return push.limit() - BEGIN;
    }
}
