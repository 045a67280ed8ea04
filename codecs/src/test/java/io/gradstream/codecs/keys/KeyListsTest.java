// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs.keys;

import io.gradstream.codecs.KeyForm;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

class KeyListsTest
{
    private static final int FORM = KeyForm.OFFSETS_32;

    /** A list that was added. */
    private record AddedList(int length, int seed, long hash)
    {
    }

    private final KeyLists.Memory memory = new KeyLists.Memory(Long.MAX_VALUE);
    private final KeyLists lists = new KeyLists(memory);
    private final UnsafeBuffer keys = new UnsafeBuffer(new byte[KeyLists.MAX_BYTES]);

    @Test
    void shouldGiveBackWhatWasAdded()
    {
        final long hash = add(lists, 1, 40, 7);

        final int place = lists.placeOf(1, countOf(40), hash);
        assertThat(place).isNotNegative();
        assertThat(lists.form(place)).isEqualTo(FORM);
        assertThat(lists.length(place)).isEqualTo(40);
        final UnsafeBuffer copy = new UnsafeBuffer(new byte[50]);
        lists.copy(place, copy, 5);
        fill(40, 7);
        for (int i = 0; i < 40; i++)
        {
            assertThat(copy.getByte(5 + i)).isEqualTo(keys.getByte(i));
        }
        assertThat(lists.find(FORM, countOf(40), hash, keys, 0, 40)).isEqualTo(1);
    }

    @Test
    void shouldNotFindAnotherNumberCountHashOrForm()
    {
        final long hash = add(lists, 5, 40, 7);

        assertThat(lists.placeOf(4, countOf(40), hash)).isNegative();
        assertThat(lists.placeOf(6, countOf(40), hash)).isNegative();
        assertThat(lists.placeOf(5, countOf(40) + 1, hash)).isNegative();
        assertThat(lists.placeOf(5, countOf(40), hash + 1)).isNegative();
        fill(40, 7);
        assertThat(lists.find(KeyForm.KEYS, countOf(40), hash, keys, 0, 40)).isEqualTo(KeyLists.NONE);
        keys.putByte(39, (byte)(keys.getByte(39) + 1));
        assertThat(lists.find(FORM, countOf(40), hash, keys, 0, 40)).as("the same hash of other keys")
            .isEqualTo(KeyLists.NONE);
        assertThat(KeyLists.hash(FORM, countOf(40), keys, 0, 40)).isNotEqualTo(hash);
    }

    /** Aeron delivers a message again that a server could not take. */
    @Test
    void shouldAddAListOnce()
    {
        final long hash = add(lists, 2, 40, 7);
        add(lists, 2, 44, 8);
        add(lists, 1, 44, 8);

        assertThat(lists.size()).isEqualTo(1);
        assertThat(lists.placeOf(2, countOf(40), hash)).isNotNegative();
    }

    @Test
    void shouldKeepTheNewestOfAsManyListsAsTheLimit()
    {
        for (int i = 1; i <= KeyLists.MAX_LISTS; i++)
        {
            add(lists, i, 40, i);
        }
        assertThat(lists.placeOf(1, countOf(40), hashOf(40, 1))).isNotNegative();

        add(lists, KeyLists.MAX_LISTS + 1, 40, 0);
        assertThat(lists.size()).isEqualTo(KeyLists.MAX_LISTS);
        assertThat(lists.placeOf(1, countOf(40), hashOf(40, 1))).isNegative();
        assertThat(lists.placeOf(2, countOf(40), hashOf(40, 2))).isNotNegative();
    }

    @Test
    void shouldKeepTheNewestOfAsManyBytesAsTheLimit()
    {
        final int length = KeyLists.MAX_LENGTH;
        for (int i = 1; i <= KeyLists.MAX_BYTES / length; i++)
        {
            add(lists, i, length, i);
        }
        assertThat(lists.placeOf(1, countOf(length), hashOf(length, 1))).isNotNegative();
        final long places = KeyLists.FIRST_LISTS * KeyLists.PLACE_BYTES;
        assertThat(memory.used()).isEqualTo(KeyLists.MAX_BYTES + places);

        add(lists, 100, KeyLists.MIN_LENGTH, 9);
        assertThat(lists.placeOf(1, countOf(length), hashOf(length, 1))).isNegative();
        assertThat(lists.placeOf(2, countOf(length), hashOf(length, 2))).isNotNegative();
        assertThat(memory.used()).isEqualTo(KeyLists.MAX_BYTES + places).isEqualTo(lists.bytes());
    }

    @Test
    void shouldNotKeepWhatIsTooShortOrTooLong()
    {
        assertThat(KeyLists.isList(KeyForm.KEYS, KeyLists.MIN_LENGTH - 1)).isFalse();
        assertThat(KeyLists.isList(KeyForm.KEYS, KeyLists.MIN_LENGTH)).isTrue();
        assertThat(KeyLists.isList(KeyForm.KEYS, KeyLists.MAX_LENGTH)).isTrue();
        assertThat(KeyLists.isList(KeyForm.KEYS, KeyLists.MAX_LENGTH + 1)).isFalse();
        assertThat(KeyLists.isList(KeyForm.RANGE, KeyLists.MIN_LENGTH)).isFalse();
        assertThat(KeyLists.isList(KeyForm.LISTED, KeyLists.MIN_LENGTH)).isFalse();

        add(lists, 1, KeyLists.MAX_LENGTH + 1, 1);
        assertThat(lists.size()).isZero();
        assertThat(memory.used()).isZero();
    }

    @Test
    void shouldCountPlacesAndTakeNothingWithoutMemory()
    {
        for (int i = 1; i <= KeyLists.MAX_LISTS; i++)
        {
            add(lists, i, KeyLists.MIN_LENGTH, i);
        }
        assertThat(memory.used()).isEqualTo(KeyLists.MAX_LISTS * (KeyLists.PLACE_BYTES + 16));

        final KeyLists.Memory none = new KeyLists.Memory(0);
        final KeyLists empty = new KeyLists(none);
        add(empty, 1, KeyLists.MIN_LENGTH, 1);
        assertThat(empty.size()).isZero();
        assertThat(empty.bytes()).isZero();
        assertThat(none.used()).isZero();
    }

    @Test
    void shouldTakeNoMoreMemoryThanThereIs()
    {
        final KeyLists.Memory shared = new KeyLists.Memory(8 * 1024);
        final KeyLists first = new KeyLists(shared);
        final KeyLists second = new KeyLists(shared);
        add(first, 1, 4 * 1024, 1);
        add(second, 1, 2 * 1024, 1);
        final long used = shared.used();
        assertThat(used).isEqualTo(first.bytes() + second.bytes()).isGreaterThan(6 * 1024);

        add(second, 2, 4 * 1024, 2);
        assertThat(second.placeOf(2, countOf(4 * 1024), hashOf(4 * 1024, 2))).as("longer than its ring").isNegative();
        assertThat(second.placeOf(1, countOf(2 * 1024), hashOf(2 * 1024, 1))).isNotNegative();
        assertThat(shared.used()).isEqualTo(used);
        first.close();
        assertThat(shared.used()).isEqualTo(second.bytes());
        add(second, 3, 40, 3);
        assertThat(second.placeOf(3, countOf(40), hashOf(40, 3))).isNotNegative();
        assertThat(second.placeOf(1, countOf(2 * 1024), hashOf(2 * 1024, 1))).isNotNegative();
        second.close();
        assertThat(shared.used()).isZero();
        add(second, 1, 40, 3);
        assertThat(second.placeOf(1, countOf(40), hashOf(40, 3))).as("used again").isNotNegative();
    }

    /** The newest lists are those that the worker names next. */
    @Test
    void shouldRemoveTheOldestListsWhereThereIsNoMemoryForMore()
    {
        final int length = 4 * 1024;
        final KeyLists few = new KeyLists(new KeyLists.Memory(4 * length));
        for (int i = 1; i <= 5; i++)
        {
            add(few, i, length, i);
            assertThat(few.placeOf(i, countOf(length), hashOf(length, i))).isNotNegative();
        }
        assertThat(few.placeOf(4, countOf(length), hashOf(length, 4))).isNotNegative();
        assertThat(few.placeOf(3, countOf(length), hashOf(length, 3))).isNegative();
    }

    @Test
    void shouldNotWriteOverAListThatIsKeptWhereAFewBytesAreMissing()
    {
        final int length = 4 * 1024 - 2;
        final KeyLists few = new KeyLists(new KeyLists.Memory(16 * 1024));
        add(few, 1, length, 1);
        add(few, 2, length, 2);
        assertIsKept(few, 1, length, 1);
        add(few, 3, KeyLists.MIN_LENGTH, 3);

        assertThat(few.placeOf(1, countOf(length), hashOf(length, 1))).isNegative();
        assertIsKept(few, 2, length, 2);
        assertIsKept(few, 3, KeyLists.MIN_LENGTH, 3);
    }

    @Test
    void shouldKeepListsWhenItGrowsAfterOlderOnesWereRemoved()
    {
        final int length = 4 * 1024 - 2;
        final KeyLists.Memory shared = new KeyLists.Memory(20 * 1024);
        final KeyLists other = new KeyLists(shared);
        final KeyLists few = new KeyLists(shared);
        add(other, 1, length, 1);
        for (int i = 1; i <= 3; i++)
        {
            add(few, i, length, i);
        }
        assertThat(few.size()).as("without memory").isEqualTo(2);
        other.close();
        for (int i = 4; i <= 12; i++)
        {
            add(few, i, 40, i);
        }

        assertThat(few.size()).isEqualTo(11).isGreaterThan(KeyLists.FIRST_LISTS);
        for (int i = 2; i <= 12; i++)
        {
            assertIsKept(few, i, i < 4 ? length : 40, i);
        }
    }

    @Test
    void shouldRemoveTheOldestListWhereThereIsNoMemoryForMorePlaces()
    {
        final int most = KeyLists.FIRST_BYTES + KeyLists.FIRST_LISTS * KeyLists.PLACE_BYTES;
        final KeyLists few = new KeyLists(new KeyLists.Memory(most));
        for (int i = 1; i <= KeyLists.FIRST_LISTS + 1; i++)
        {
            add(few, i, 40, i);
        }
        assertThat(few.size()).isEqualTo(KeyLists.FIRST_LISTS);
        assertThat(few.placeOf(1, countOf(40), hashOf(40, 1))).isNegative();
        for (int i = 2; i <= KeyLists.FIRST_LISTS + 1; i++)
        {
            assertIsKept(few, i, 40, i);
        }
    }

    /**
     * The end that names lists may have begun later: what it has, the other end must have. Old lists too, where the
     * ring has begun again, grown, or lost older ones.
     */
    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, 16 * 1024, 100 * 1024})
    void shouldHaveEverythingThatAnEndHasWhichBeganLater(final long limit)
    {
        final Random random = new Random(37);
        final KeyLists first = new KeyLists(new KeyLists.Memory(limit));
        final KeyLists later = new KeyLists(new KeyLists.Memory(limit));
        final List<AddedList> added = new ArrayList<>();
        int compared = 0;
        for (int number = 1; number <= 1500; number++)
        {
            if (0 == random.nextInt(400))
            {
                later.clear();
            }
            final int length = KeyLists.MIN_LENGTH + random.nextInt(0 == number % 7 ? 60_000 : 5_000);
            final int seed = random.nextInt(50);
            final long hash = add(first, number, length, seed);
            add(later, number, length, seed);
            added.add(new AddedList(length, seed, hash));
            if (Long.MAX_VALUE == limit)
            {
                assertThat(later.find(FORM, countOf(length), hash, keys, 0, length)).isEqualTo(number);
                assertThat(later.size()).isLessThanOrEqualTo(first.size());
            }
            for (int old = number; 0 == number % 50 && old > Math.max(0, number - 500); old--)
            {
                final AddedList list = added.get(old - 1);
                final boolean isLater = later.placeOf(old, countOf(list.length), list.hash) >= 0;
                if (isLater)
                {
                    assertIsKept(later, old, list.length, list.seed);
                    compared++;
                }
                if (isLater && Long.MAX_VALUE == limit || first.placeOf(old, countOf(list.length), list.hash) >= 0)
                {
                    assertIsKept(first, old, list.length, list.seed);
                }
            }
        }
        assertThat(compared).as("lists that were compared").isGreaterThan(50);
    }

    private void assertIsKept(final KeyLists in, final long number, final int length, final int seed)
    {
        final int place = in.placeOf(number, countOf(length), hashOf(length, seed));
        assertThat(place).as("list %d", number).isNotNegative();
        final byte[] kept = new byte[length];
        in.copy(place, new UnsafeBuffer(kept), 0);
        final byte[] expected = new byte[length];
        keys.getBytes(0, expected);
        assertThat(kept).as("list %d", number).isEqualTo(expected);
    }

    private long add(final KeyLists to, final long number, final int length, final int seed)
    {
        final long hash = hashOf(length, seed);
        to.add(number, FORM, countOf(length), hash, keys, 0, length);

        return hash;
    }

    private long hashOf(final int length, final int seed)
    {
        fill(length, seed);
        return KeyLists.hash(FORM, countOf(length), keys, 0, length);
    }

    private void fill(final int length, final int seed)
    {
        for (int i = 0; i < length; i++)
        {
            keys.putByte(i, (byte)(31 * seed + i * 7 + (i >> 8)));
        }
    }

    private static int countOf(final int length)
    {
        return length / 4;
    }
}
