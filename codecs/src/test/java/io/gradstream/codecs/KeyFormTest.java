// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class KeyFormTest
{
    private static final int OFFSET = 3;

    @ParameterizedTest
    @CsvSource({
        "1, 0", "1, 9223372036854775807", "2, 0", "2, 9223372036854775000", "3, 0", "3, 9223372036854710000",
        "4, 0", "4, 9223372032559808000"})
    void shouldReadTheKeysThatWereWritten(final int form, final long least)
    {
        final long[] keys = keys(form, least);
        final int length = (int)KeyForm.length(form, keys.length - 1);
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[OFFSET + length]);
        KeyForm.write(form, keys, 1, keys.length - 1, least, buffer, OFFSET);

        final long[] expected = Arrays.copyOfRange(keys, 1, keys.length);
        final long[] read = new long[expected.length];
        KeyForm.read(form, buffer, OFFSET, 0, read.length, read);
        assertThat(read).isEqualTo(expected);
        KeyForm.read(form, buffer, OFFSET, 2, 2, read);
        assertThat(read).startsWith(expected[2], expected[3]);
        for (int i = 0; i < expected.length; i++)
        {
            assertThat(KeyForm.read(form, buffer, OFFSET, i)).isEqualTo(expected[i]);
        }
    }

    /** The first of them is not written. The second is the least but for the last form of offsets. */
    private static long[] keys(final int form, final long least)
    {
        return switch (form)
        {
            case KeyForm.KEYS -> new long[]{5, least, 0, Long.MAX_VALUE, 7};
            case KeyForm.RANGE -> new long[]{5, least, least + 1, least + 2, least + 3};
            case KeyForm.OFFSETS_16 -> new long[]{5, least, least + 0xFFFF, least + 1, least + 0x8000};
            default -> new long[]{5, least + 1, least, least + 0xFFFF_FFFFL, least + 0x8000_0000L};
        };
    }

    @Test
    void shouldChooseTheShortestThatReaches()
    {
        assertThat(KeyForm.shortest(9, 9, 9)).isEqualTo(KeyForm.OFFSETS_16);
        assertThat(KeyForm.shortest(9, 9 + 0xFFFFL, 9)).isEqualTo(KeyForm.OFFSETS_16);
        assertThat(KeyForm.shortest(9, 9 + 0x1_0000L, 9)).isEqualTo(KeyForm.OFFSETS_32);
        assertThat(KeyForm.shortest(9, 9 + 0xFFFF_FFFFL, 9)).isEqualTo(KeyForm.OFFSETS_32);
        assertThat(KeyForm.shortest(9, 9 + 0x1_0000_0000L, 9)).isEqualTo(KeyForm.KEYS);
        assertThat(KeyForm.shortest(0, Long.MAX_VALUE, 9)).isEqualTo(KeyForm.KEYS);
    }

    @Test
    void shouldNotChooseAFormThatIsLongerThanTheKeys()
    {
        assertThat(KeyForm.shortest(9, 9, 1)).isEqualTo(KeyForm.KEYS);
        assertThat(KeyForm.shortest(9, 10, 2)).isEqualTo(KeyForm.OFFSETS_16);
        assertThat(KeyForm.shortest(9, 70_000, 2)).isEqualTo(KeyForm.KEYS);
        assertThat(KeyForm.shortest(9, 70_000, 3)).isEqualTo(KeyForm.OFFSETS_32);
    }

    @Test
    void shouldTellTheBytesOfKeys()
    {
        assertThat(KeyForm.length(KeyForm.KEYS, 10)).isEqualTo(80);
        assertThat(KeyForm.length(KeyForm.RANGE, 10)).isEqualTo(8);
        assertThat(KeyForm.length(KeyForm.OFFSETS_16, 10)).isEqualTo(28);
        assertThat(KeyForm.length(KeyForm.OFFSETS_32, Integer.MAX_VALUE)).isEqualTo(8 + 4L * Integer.MAX_VALUE);
        assertThat(KeyForm.isKnown(0) || KeyForm.isKnown(5) || KeyForm.isKnown(-1)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "3", "4"})
    void shouldNotReadBehindTheBuffer(final int form)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[(int)KeyForm.length(form, 4) - 1]);
        assertThatThrownBy(() -> KeyForm.read(form, buffer, 0, 2, 2, new long[2]))
            .isInstanceOf(IndexOutOfBoundsException.class);
    }
}
