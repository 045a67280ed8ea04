// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

/**
 * The function from rows to partitions, which never changes during a job: blocks of consecutive keys stay together, so
 * that ranges stay ranges.
 */
public final class PartitionFunction
{
    /** Most partitions of a job. */
    public static final int MAX_PARTITIONS = 4096;
    /** Consecutive keys in one block, as a power of two. */
    public static final int BLOCK_BITS = 6;

    private final int partitionCount;
    /** With as many partitions as a power of two, of which the remainder is the low bits. */
    private final boolean isPowerOfTwo;

    /** For a job with so many partitions, 1 to {@link #MAX_PARTITIONS}. */
    public PartitionFunction(final int partitionCount)
    {
        Check.range("partitionCount", partitionCount, 1, MAX_PARTITIONS);
        this.partitionCount = partitionCount;
        isPowerOfTwo = 1 == Integer.bitCount(partitionCount);
    }

    public int partitionCount()
    {
        return partitionCount;
    }

    /**
     * The partition of a row.
     *
     * @param key of the row, not negative.
     * @return 0 to partitionCount - 1.
     */
    public int partitionOf(final int tableId, final long key)
    {
        final long mixed = mix((key >>> BLOCK_BITS) * 0x9E3779B97F4A7C15L + tableId);

        return isPowerOfTwo ? (int)mixed & partitionCount - 1 : (int)Long.remainderUnsigned(mixed, partitionCount);
    }

    /** First key after the block that holds a key. */
    public static long blockEnd(final long key)
    {
        return ((key >>> BLOCK_BITS) + 1) << BLOCK_BITS;
    }

    /** Finaliser of MurmurHash3 in Stafford's variant 13: every bit of the input moves every bit of the result. */
    public static long mix(final long value)
    {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
