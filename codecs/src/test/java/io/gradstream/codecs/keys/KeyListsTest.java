// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs.keys;

import io.gradstream.codecs.KeyForm;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

class KeyListsTest
{
    private static final int FORM = KeyForm.OFFSETS_32;

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
        assertThat(memory.used()).isEqualTo(KeyLists.MAX_BYTES);

        add(lists, 100, KeyLists.MIN_LENGTH, 9);
        assertThat(lists.placeOf(1, countOf(length), hashOf(length, 1))).isNegative();
        assertThat(lists.placeOf(2, countOf(length), hashOf(length, 2))).isNotNegative();
        assertThat(memory.used()).isEqualTo(KeyLists.MAX_BYTES);
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
    void shouldTakeNoMoreMemoryThanThereIs()
    {
        final KeyLists.Memory shared = new KeyLists.Memory(3L * KeyLists.FIRST_BYTES);
        final KeyLists first = new KeyLists(shared);
        final KeyLists second = new KeyLists(shared);
        add(first, 1, KeyLists.FIRST_BYTES + 1, 1);
        assertThat(shared.used()).isEqualTo(2 * KeyLists.FIRST_BYTES);
        add(second, 1, KeyLists.FIRST_BYTES, 1);
        assertThat(shared.used()).isEqualTo(3 * KeyLists.FIRST_BYTES);

        add(second, 2, 40, 2);
        assertThat(second.placeOf(2, countOf(40), hashOf(40, 2))).isNegative();
        first.close();
        assertThat(shared.used()).isEqualTo(KeyLists.FIRST_BYTES);
        add(second, 3, 40, 3);
        assertThat(second.placeOf(3, countOf(40), hashOf(40, 3))).isNotNegative();
        assertThat(second.placeOf(1, countOf(KeyLists.FIRST_BYTES), hashOf(KeyLists.FIRST_BYTES, 1))).isNotNegative();
    }

    /** The end that names lists may have begun later: what it has, the other end must have. */
    @Test
    void shouldHaveEverythingThatAnEndHasWhichBeganLater()
    {
        final Random random = new Random(37);
        final KeyLists later = new KeyLists(memory);
        final UnsafeBuffer copy = new UnsafeBuffer(new byte[KeyLists.MAX_LENGTH]);
        for (int number = 1; number <= 3000; number++)
        {
            if (0 == random.nextInt(400))
            {
                later.clear();
            }
            final int length = KeyLists.MIN_LENGTH + random.nextInt(0 == number % 7 ? 60_000 : 5_000);
            final int seed = random.nextInt(50);
            final long hash = add(lists, number, length, seed);
            add(later, number, length, seed);
            final long found = later.find(FORM, countOf(length), hash, keys, 0, length);
            assertThat(found).isEqualTo(number);
            assertThat(later.size()).isLessThanOrEqualTo(lists.size());
            final int place = lists.placeOf(found, countOf(length), hash);
            lists.copy(place, copy, 0);
            assertThat(copy.getByte(0)).isEqualTo(keys.getByte(0));
            assertThat(copy.getByte(length - 1)).isEqualTo(keys.getByte(length - 1));
            assertThat(KeyLists.hash(FORM, countOf(length), copy, 0, length)).isEqualTo(hash);
        }
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
