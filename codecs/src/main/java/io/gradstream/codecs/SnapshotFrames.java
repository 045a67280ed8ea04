// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import java.nio.ByteOrder;

/**
 * The envelope every snapshot frame has: its number and a CRC. {@link #seal} writes it, {@link #verify} checks it.
 * <p>
 * Layout: message header (8), number (4), crc32c (4), then the content.
 */
public final class SnapshotFrames
{
    /** Bytes before a frame's own fields. */
    public static final int ENVELOPE_LENGTH = 16;

    private static final int NUMBER = 8;
    private static final int CRC = 12;
    private static final int MULTIPLIER = 0x9E3779B9;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private SnapshotFrames()
    {
    }

    /**
     * Write number and CRC of a frame whose other fields are written.
     *
     * @param buffer that holds it, off heap.
     * @param number of the frame in its snapshot, from 0.
     */
    public static void seal(
        final MutableDirectBuffer buffer, final int offset, final int length, final int number)
    {
        buffer.putInt(offset + NUMBER, number, ORDER);
        buffer.putInt(offset + CRC, crc(buffer, offset, length), ORDER);
    }

    /**
     * Check a frame against its envelope.
     *
     * @param buffer         that holds it, off heap.
     * @param expectedNumber it must have.
     * @return null if it is sound, else one line that says what is wrong.
     */
    public static String verify(
        final DirectBuffer buffer, final int offset, final int length, final int expectedNumber)
    {
        if (length < ENVELOPE_LENGTH)
        {
            return "frame too short, length=" + length;
        }
        if (crc(buffer, offset, length) != buffer.getInt(offset + CRC, ORDER))
        {
            return "checksum differs";
        }
        final int number = buffer.getInt(offset + NUMBER, ORDER);

        return number == expectedNumber ? null : "frame number=" + number + " expected=" + expectedNumber;
    }

    private static int crc(final DirectBuffer buffer, final int offset, final int length)
    {
        final int front = Checksum.crc32c(buffer, offset, CRC);
        final int rest = Checksum.crc32c(buffer, offset + ENVELOPE_LENGTH, length - ENVELOPE_LENGTH);

        return front * MULTIPLIER ^ rest;
    }
}
