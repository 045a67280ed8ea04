// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.form;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

class Utf8Test
{
    private static final int[] EDGES = { 'a', 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0,
        0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF };
    private static final int LENGTH = 4;

    @Test
    void shouldTakeWhatTheDecoderOfTheJdkTakes()
    {
        final byte[] bytes = new byte[LENGTH];
        int places = 1;
        for (int i = 0; i < LENGTH; i++)
        {
            places *= EDGES.length;
        }
        for (int place = 0; place < places; place++)
        {
            int rest = place;
            for (int i = 0; i < LENGTH; i++)
            {
                bytes[i] = (byte)EDGES[rest % EDGES.length];
                rest /= EDGES.length;
            }
            assertSame(bytes, 0, LENGTH);
        }
    }

    @Test
    void shouldFindTheFirstMalformedCharacterAmongOthers()
    {
        final Random random = new Random(1);
        for (int run = 0; run < 20_000; run++)
        {
            final StringBuilder text = new StringBuilder();
            random.ints(random.nextInt(30), 0, 0x300).forEach((c) -> text.append((char)(c < 0x200 ? 'a' : c)));
            final byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            if (bytes.length > 0 && 0 == run % 2)
            {
                bytes[random.nextInt(bytes.length)] ^= (byte)0x80;
            }
            final int begin = random.nextInt(bytes.length + 1);
            assertSame(bytes, begin, begin + random.nextInt(bytes.length + 1 - begin));
        }
    }

    @Test
    void shouldKnowAscii()
    {
        final byte[] bytes = "only letters, twice eight".getBytes(StandardCharsets.US_ASCII);
        assertThat(Utf8.isAscii(bytes, bytes.length)).isTrue();
        for (int i = 0; i < bytes.length; i++)
        {
            final byte[] other = bytes.clone();
            other[i] = (byte)0x80;
            assertThat(Utf8.isAscii(other, bytes.length)).isFalse();
            assertThat(Utf8.isAscii(other, i)).isTrue();
        }
    }

    private static void assertSame(final byte[] bytes, final int begin, final int end)
    {
        final int malformed = Utf8.firstMalformed(bytes, begin, end);
        final boolean isText = isText(bytes, begin, end);
        final boolean isRight = isText ? Utf8.NONE == malformed : isText(bytes, begin, malformed);
        assertThat(isRight).as("%d in %d..%d of %s", malformed, begin, end, Arrays.toString(bytes)).isTrue();
    }

    private static boolean isText(final byte[] bytes, final int begin, final int end)
    {
        try
        {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, begin, end - begin));
            return true;
        }
        catch (final CharacterCodingException ex)
        {
            return false;
        }
    }
}
