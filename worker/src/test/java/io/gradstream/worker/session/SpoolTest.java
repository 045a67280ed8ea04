/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.worker.session;

import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SpoolTest
{
    private static final int CAPACITY = 4096;

    private record Kept(long sequence, int length, byte mark, long ticket)
    {
    }

    @Test
    void shouldKeepEveryMessageIntactOverManyWraps()
    {
        final Random random = new Random(42);
        final Spool spool = new Spool(CAPACITY, 32);
        final ArrayDeque<Kept> model = new ArrayDeque<>();
        int pushed = 0;
        int refused = 0;
        while (pushed < 100_000)
        {
            final int length = 1 + random.nextInt(0 == random.nextInt(50) ? CAPACITY : 400);
            final int offset = spool.claim(length);
            if (Spool.NOT_NOW == offset)
            {
                refused++;
                assertThat(model).isNotEmpty();
            }
            else
            {
                assertThat(offset + length).isLessThanOrEqualTo(CAPACITY);
                final byte mark = (byte)random.nextInt();
                spool.buffer().setMemory(offset, length, mark);
                model.add(new Kept(spool.commit(pushed), length, mark, pushed));
                pushed++;
            }
            final int releases = Spool.NOT_NOW == offset ? 1 + random.nextInt(model.size()) : random.nextInt(2);
            for (int i = 0; i < releases && !model.isEmpty(); i++)
            {
                verifyOldest(spool, model.poll());
                spool.release();
            }
        }

        assertThat(refused).isGreaterThan(100);
        assertThat(spool.next()).isEqualTo(100_001);
        assertThat(spool.peakBytes()).isBetween(CAPACITY / 2, CAPACITY);
    }

    @Test
    void shouldCountThePeakWhenThereIsNeverMoreThanOneMessage()
    {
        final Spool spool = new Spool(CAPACITY, 2);
        spool.claim(100);
        spool.commit(Tickets.NONE);
        spool.release();

        assertThat(spool.peakBytes()).isEqualTo(104);
    }

    @Test
    void shouldSayNotNowWhenAsManyAsTheLimitAreKept()
    {
        final Spool spool = new Spool(CAPACITY, 2);
        spool.claim(8);
        spool.commit(1);
        spool.claim(8);
        spool.commit(2);

        assertThat(spool.claim(8)).isEqualTo(Spool.NOT_NOW);
        assertThat(spool.hasRoom(1, 8, 8)).isFalse();
        spool.release();
        assertThat(spool.claim(8)).isNotEqualTo(Spool.NOT_NOW);
    }

    @Test
    void shouldRejectWhatCouldNeverFit()
    {
        final Spool spool = new Spool(CAPACITY, 2);

        assertThatThrownBy(() -> spool.claim(CAPACITY + 1))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("spoolBytesPerPartition=" + CAPACITY);
        assertThat(spool.claim(CAPACITY)).isZero();
    }

    @Test
    void shouldCopyElementsToPlacesOfAnyAlignment()
    {
        final Spool spool = new Spool(CAPACITY, 2);
        final float[] floats = new float[20];
        final long[] longs = new long[20];
        for (int i = 0; i < 20; i++)
        {
            floats[i] = i * 1.5f;
            longs[i] = i * 1_000_000_007L;
        }
        for (int offset = 100; offset < 108; offset++)
        {
            for (final int count : new int[]{3, 15})
            {
                spool.putFloats(offset, floats, 2, count);
                assertThat(spool.buffer().getFloat(offset + (count - 1) * 4)).isEqualTo(floats[count + 1]);
                spool.putLongs(offset, longs, 2, count);
                assertThat(spool.buffer().getLong(offset + (count - 1) * 8)).isEqualTo(longs[count + 1]);
            }
        }
    }

    private static void verifyOldest(final Spool spool, final Kept kept)
    {
        assertThat(spool.oldest()).isEqualTo(kept.sequence());
        assertThat(spool.lengthOf(kept.sequence())).isEqualTo(kept.length());
        assertThat(spool.ticketOf(kept.sequence())).isEqualTo(kept.ticket());
        final int offset = spool.offsetOf(kept.sequence());
        for (int i = 0; i < kept.length(); i++)
        {
            if (kept.mark() != spool.buffer().getByte(offset + i))
            {
                throw new AssertionError("byte " + i + " of sequence " + kept.sequence() + " was overwritten");
            }
        }
    }
}
