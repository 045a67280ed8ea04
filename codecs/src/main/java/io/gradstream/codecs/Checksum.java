// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import org.agrona.DirectBuffer;
import org.agrona.checksum.Crc32c;

/** CRC-32C over a range of a buffer that is not on the heap, with the CPU's instruction for it. */
public final class Checksum
{
    private Checksum()
    {
    }

    /**
     * CRC-32C (Castagnoli) of a range.
     *
     * @param buffer off heap.
     * @throws IllegalArgumentException if the buffer is on the heap.
     */
    public static int crc32c(final DirectBuffer buffer, final int offset, final int length)
    {
        if (null != buffer.byteArray())
        {
            throw new IllegalArgumentException("checksums are taken off heap only: give a direct buffer");
        }
        buffer.boundsCheck(offset, length);

        return Crc32c.INSTANCE.compute(buffer.addressOffset(), offset, length);
    }
}
