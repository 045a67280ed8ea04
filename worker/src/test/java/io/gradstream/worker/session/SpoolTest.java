// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
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
    void shouldTakeNothingAtFirstAndGrowInSteps()
    {
        final Spool.Memory memory = new Spool.Memory(1 << 20, 1);
        final Spool spool = new Spool(1 << 20, 1000, memory);
        assertThat(spool.buffer().capacity()).isZero();

        for (int i = 0; i < 600; i++)
        {
            spool.buffer().setMemory(spool.claim(1000), 1000, (byte)i);
            spool.commit(i);
            assertThat(spool.buffer().capacity()).isLessThanOrEqualTo(Math.max(Spool.STEP, 2 * (i + 1) * 1000));
        }

        assertThat(memory.used()).isEqualTo((1 << 20) - Spool.STEP);
        for (int i = 0; i < 600; i++)
        {
            verifyOldest(spool, new Kept(i + 1, 1000, (byte)i, i));
            spool.release();
        }
    }

    @Test
    void shouldGrowWhereOnlyWhatIsLeftAtTheEndIsTooShort()
    {
        final Spool spool = new Spool(4 * Spool.STEP, 8);
        spool.claim(6 * 1024);
        spool.commit(1);
        spool.claim(6 * 1024);
        spool.commit(2);
        spool.release();

        assertThat(spool.claim(7 * 1024)).isNotEqualTo(Spool.NOT_NOW);
        assertThat(spool.buffer().capacity()).isEqualTo(2 * Spool.STEP);
    }

    @Test
    void shouldKeepEveryMessageIntactWhileItGrowsAndShrinks()
    {
        final Random random = new Random(43);
        final Spool.Memory memory = new Spool.Memory(6 * Spool.STEP, 2);
        final Spool spool = new Spool(4 * Spool.STEP, 200, memory);
        final Spool other = new Spool(4 * Spool.STEP, 200, memory);
        final ArrayDeque<Kept> model = new ArrayDeque<>();
        int grown = 0;
        int shrunk = 0;
        int isShort = 0;
        for (int pushed = 0; pushed < 50_000; pushed++)
        {
            final int before = spool.buffer().capacity();
            if (0 == random.nextInt(100) && Spool.NOT_NOW != other.claim(1 + random.nextInt(3 * Spool.STEP)))
            {
                other.commit(0);
                other.release();
            }
            shrunk += spool.buffer().capacity() < before ? 1 : 0;
            assertThat(memory.used()).isBetween(0L, 4L * Spool.STEP);
            final int length = 1 + random.nextInt(2000);
            final int offset = spool.claim(length);
            grown += spool.buffer().capacity() > before ? 1 : 0;
            isShort += spool.isMemoryShort() ? 1 : 0;
            if (Spool.NOT_NOW != offset)
            {
                final byte mark = (byte)random.nextInt();
                spool.buffer().setMemory(offset, length, mark);
                model.add(new Kept(spool.commit(pushed), length, mark, pushed));
            }
            final int most = 0 == random.nextInt(100) ? model.size() : 2;
            for (int i = random.nextInt(most + 1); i > 0 && !model.isEmpty(); i--)
            {
                verifyOldest(spool, model.poll());
                spool.release();
            }
        }
        assertThat(grown).isGreaterThan(10);
        assertThat(shrunk).isGreaterThan(10);
        assertThat(isShort).isZero();
    }

    @Test
    void shouldStayWithinTheMemoryOfAllSpools()
    {
        final Spool.Memory memory = new Spool.Memory(6 * Spool.STEP, 2);
        final Spool one = new Spool(8 * Spool.STEP, 200, memory);
        final Spool two = new Spool(8 * Spool.STEP, 200, memory);
        assertThat(one.hasRoom(1, 4 * Spool.STEP, 4 * Spool.STEP)).isTrue();
        assertThat(one.claim(4 * Spool.STEP)).isZero();
        one.commit(0);

        assertThat(two.claim(Spool.STEP)).isZero();
        assertThat(two.hasRoom(1, 4 * Spool.STEP, 4 * Spool.STEP)).isFalse();
        assertThat(two.isMemoryShort()).isTrue();
        assertThat(memory.used()).isEqualTo(3 * Spool.STEP);
        assertThat(one.isHalfFull()).as("it is time to let something go").isTrue();

        one.release();
        assertThat(two.hasRoom(1, 4 * Spool.STEP, 4 * Spool.STEP)).as("the other gives back").isTrue();
        assertThat(two.isMemoryShort()).isFalse();
        assertThat(one.buffer().capacity()).isEqualTo(Spool.STEP);
        assertThat(one.claim(Spool.STEP)).as("the first step is always there").isZero();
    }

    @Test
    void shouldKeepTheRoomThatWasFoundInARound()
    {
        final Spool.Memory memory = new Spool.Memory(6 * Spool.STEP, 2);
        final Spool one = new Spool(8 * Spool.STEP, 200, memory);
        final Spool two = new Spool(8 * Spool.STEP, 200, memory);
        memory.beginRound();
        assertThat(one.hasRoom(1, 4 * Spool.STEP, 4 * Spool.STEP)).isTrue();
        assertThat(two.hasRoom(1, 4 * Spool.STEP, 4 * Spool.STEP)).isFalse();
        assertThat(one.claim(4 * Spool.STEP)).isZero();
        memory.endRound();

        assertThat(two.hasRoom(1, 4 * Spool.STEP, 4 * Spool.STEP)).isTrue();
    }

    @Test
    void shouldGrowItsEntriesToTheLimit()
    {
        final Spool spool = new Spool(1 << 16, 300);
        for (int i = 0; i < 300; i++)
        {
            spool.claim(8);
            spool.commit(i);
            spool.refuse(i + 1, i % 100);
        }
        assertThat(spool.claim(8)).isEqualTo(Spool.NOT_NOW);
        for (int i = 0; i < 300; i++)
        {
            assertThat(spool.ticketOf(spool.oldest())).isEqualTo(i);
            assertThat(spool.refusalOf(spool.oldest())).isEqualTo(i % 100);
            spool.release();
        }
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
        assertThat(spool.claim(CAPACITY)).isZero();
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
