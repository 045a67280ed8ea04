// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.read;

/** XXH64 of bytes with seed 0: the 64-bit xxHash of Yann Collet, as its specification of version 0.1.1 describes it. */
final class XxHash64
{
    private static final long PRIME_1 = 0x9E3779B185EBCA87L;
    private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
    private static final long PRIME_3 = 0x165667B19E3779F9L;
    private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
    private static final long PRIME_5 = 0x27D4EB2F165667C5L;
    /** Beyond 64 bits, which is as it should be. */
    private static final long PRIME_1_PLUS_2 = 0x60EA27EEADC0B5D6L;
    private static final int STRIPE_LENGTH = 32;

    private XxHash64()
    {
    }

    static long hash(final byte[] bytes, final int length)
    {
        int at = length - length % STRIPE_LENGTH;
        long hash = (at > 0 ? hashStripes(bytes, at) : PRIME_5) + length;
        for (; at + Long.BYTES <= length; at += Long.BYTES)
        {
            hash ^= round(0, word(bytes, at));
            hash = Long.rotateLeft(hash, 27) * PRIME_1 + PRIME_4;
        }
        if (at + Integer.BYTES <= length)
        {
            hash ^= halfWord(bytes, at) * PRIME_1;
            hash = Long.rotateLeft(hash, 23) * PRIME_2 + PRIME_3;
            at += Integer.BYTES;
        }
        for (; at < length; at++)
        {
            hash ^= (bytes[at] & 0xFF) * PRIME_5;
            hash = Long.rotateLeft(hash, 11) * PRIME_1;
        }

        return avalanche(hash);
    }

    private static long hashStripes(final byte[] bytes, final int length)
    {
        long first = PRIME_1_PLUS_2;
        long second = PRIME_2;
        long third = 0;
        long fourth = -PRIME_1;
        for (int at = 0; at < length; at += STRIPE_LENGTH)
        {
            first = round(first, word(bytes, at));
            second = round(second, word(bytes, at + 8));
            third = round(third, word(bytes, at + 16));
            fourth = round(fourth, word(bytes, at + 24));
        }

        long hash = Long.rotateLeft(first, 1) + Long.rotateLeft(second, 7) +
            Long.rotateLeft(third, 12) + Long.rotateLeft(fourth, 18);
        hash = merge(hash, first);
        hash = merge(hash, second);
        hash = merge(hash, third);
        return merge(hash, fourth);
    }

    private static long round(final long lane, final long word)
    {
        return Long.rotateLeft(lane + word * PRIME_2, 31) * PRIME_1;
    }

    private static long merge(final long hash, final long lane)
    {
        return (hash ^ round(0, lane)) * PRIME_1 + PRIME_4;
    }

    private static long avalanche(final long value)
    {
        long hash = value;
        hash = (hash ^ (hash >>> 33)) * PRIME_2;
        hash = (hash ^ (hash >>> 29)) * PRIME_3;
        return hash ^ (hash >>> 32);
    }

    private static long word(final byte[] bytes, final int at)
    {
        return halfWord(bytes, at) | halfWord(bytes, at + Integer.BYTES) << Integer.SIZE;
    }

    /** Little endian, without sign. */
    private static long halfWord(final byte[] bytes, final int at)
    {
        return (bytes[at] & 0xFFL) | (bytes[at + 1] & 0xFFL) << 8 |
            (bytes[at + 2] & 0xFFL) << 16 | (bytes[at + 3] & 0xFFL) << 24;
    }
}
