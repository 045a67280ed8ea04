// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.store;

import org.agrona.UnsafeApi;

import java.util.Arrays;

/**
 * An array off heap that grows by pages: growing copies nothing, leaves no garbage, and takes memory only where
 * something was written. Elements are longs or ints, and 0 where nothing was written.
 */
final class PagedArray implements AutoCloseable
{
    /** Bytes of a page. */
    static final int PAGE_LENGTH = 16 * 1024;

    private static final int INITIAL_PAGES = 16;

    private final int elementShift;
    private final int pageShift;
    private final int indexMask;
    /** Address of each page; 0 where nothing was written. */
    private long[] pages = new long[INITIAL_PAGES];

    private PagedArray(final int elementLength)
    {
        elementShift = Integer.numberOfTrailingZeros(elementLength);
        pageShift = Integer.numberOfTrailingZeros(PAGE_LENGTH / elementLength);
        indexMask = (1 << pageShift) - 1;
    }

    static PagedArray ofLongs()
    {
        return new PagedArray(Long.BYTES);
    }

    static PagedArray ofInts()
    {
        return new PagedArray(Integer.BYTES);
    }

    /** An element of longs. */
    long getLong(final int index)
    {
        final long page = page(index);
        return 0 == page ? 0 : UnsafeApi.getLong(page + offset(index));
    }

    /** An element of ints. */
    int getInt(final int index)
    {
        final long page = page(index);
        return 0 == page ? 0 : UnsafeApi.getInt(page + offset(index));
    }

    void putLong(final int index, final long value)
    {
        UnsafeApi.putLong(pageOrNew(index) + offset(index), value);
    }

    void putInt(final int index, final int value)
    {
        UnsafeApi.putInt(pageOrNew(index) + offset(index), value);
    }

    /** Give the memory back; all elements are 0 then. */
    @Override
    public void close()
    {
        for (final long page : pages)
        {
            if (0 != page)
            {
                UnsafeApi.freeMemory(page);
            }
        }
        pages = new long[INITIAL_PAGES];
    }

    private int offset(final int index)
    {
        return (index & indexMask) << elementShift;
    }

    private long page(final int index)
    {
        final int page = index >>> pageShift;
        return page < pages.length ? pages[page] : 0;
    }

    private long pageOrNew(final int index)
    {
        final int page = index >>> pageShift;
        if (page >= pages.length)
        {
            pages = Arrays.copyOf(pages, Math.max(page + 1, 2 * pages.length));
        }
        if (0 == pages[page])
        {
            // not of the JVM's direct memory, whose limit is that of the heap
            pages[page] = UnsafeApi.allocateMemory(PAGE_LENGTH);
            UnsafeApi.setMemory(pages[page], PAGE_LENGTH, (byte)0);
        }

        return pages[page];
    }
}
