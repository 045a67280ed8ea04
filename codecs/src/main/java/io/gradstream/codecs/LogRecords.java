// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import io.gradstream.codecs.log.MessageHeaderDecoder;
import io.gradstream.codecs.log.MessageHeaderEncoder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import java.nio.ByteOrder;

/**
 * The envelope every log record has: epoch, index, CRC and chain hash. {@link #seal} writes it, {@link #verifyAlone}
 * and {@link #verifyNext} check it before anything else is read.
 * <p>
 * Layout: message header (8), epoch (8), index (8), chain hash (8), crc32c (4), record length (4), then the content.
 */
public final class LogRecords
{
    /** Bytes before a record's own fields. */
    public static final int ENVELOPE_LENGTH = 40;
    /** Chain hash of an empty log. */
    public static final long EMPTY_CHAIN_HASH = 0x6A09E667F3BCC908L;
    /** Bytes Aeron puts before each frame, and what frames are aligned to. */
    public static final int FRAME_ALIGNMENT = 32;

    private static final int EPOCH = 8;
    private static final int INDEX = 16;
    private static final int CHAIN_HASH = 24;
    private static final int CRC = 32;
    private static final int LENGTH = 36;
    private static final int MULTIPLIER = 0x9E3779B9;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private LogRecords()
    {
    }

    /**
     * Bytes of the log that a record takes, frame header and padding included: a multiple of {@link #FRAME_ALIGNMENT}.
     */
    public static int alignedLength(final int recordLength)
    {
        return (recordLength + FRAME_ALIGNMENT + FRAME_ALIGNMENT - 1) & -FRAME_ALIGNMENT;
    }

    /**
     * Write epoch, index, length, CRC and chain hash of a record whose other fields are written.
     *
     * @param buffer that holds the record, off heap.
     */
    public static long seal(
        final MutableDirectBuffer buffer,
        final int offset,
        final int length,
        final long epoch,
        final long index,
        final long previousChainHash)
    {
        buffer.putLong(offset + EPOCH, epoch, ORDER);
        buffer.putLong(offset + INDEX, index, ORDER);
        buffer.putInt(offset + LENGTH, length, ORDER);
        final int crc = crc(buffer, offset, length);
        final long chainHash = chainHash(previousChainHash, crc, index, length);
        buffer.putInt(offset + CRC, crc, ORDER);
        buffer.putLong(offset + CHAIN_HASH, chainHash, ORDER);

        return chainHash;
    }

    /**
     * Check whether a record that is sound by itself follows the one before it.
     *
     * @param expectedIndex number it must have.
     * @return null if it does, else one line that says what is wrong.
     */
    public static String verifyNext(
        final DirectBuffer buffer,
        final int offset,
        final int length,
        final long expectedIndex,
        final long previousChainHash)
    {
        if (index(buffer, offset) != expectedIndex)
        {
            return "index=" + index(buffer, offset) + " expected=" + expectedIndex;
        }
        final int crc = buffer.getInt(offset + CRC, ORDER);
        if (chainHash(previousChainHash, crc, expectedIndex, length) != chainHash(buffer, offset))
        {
            return "chain hash differs at index=" + expectedIndex;
        }

        return null;
    }

    /**
     * Check a record against its own checksum, where the record before it is not known.
     *
     * @param buffer that holds it, off heap.
     * @return null if it is sound by itself, else one line that says what is wrong.
     */
    public static String verifyAlone(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < ENVELOPE_LENGTH || buffer.getInt(offset + LENGTH, ORDER) != length)
        {
            return "length=" + length + " is not the record's own";
        }
        if (crc(buffer, offset, length) != buffer.getInt(offset + CRC, ORDER))
        {
            return "checksum differs";
        }
        if (MessageHeaderDecoder.SCHEMA_ID != (buffer.getShort(offset + 4, ORDER) & 0xFFFF))
        {
            return "schemaId=" + (buffer.getShort(offset + 4, ORDER) & 0xFFFF) + " is not a log record's";
        }

        return null;
    }

    /**
     * Length of the record that begins here, by what it says of itself.
     *
     * @param buffer that may hold one, off heap.
     * @return its length if it is sound by itself, else 0.
     */
    public static int wholeLength(final DirectBuffer buffer, final int offset, final int available)
    {
        if (available < ENVELOPE_LENGTH)
        {
            return 0;
        }
        final int length = buffer.getInt(offset + LENGTH, ORDER);

        return length <= available && null == verifyAlone(buffer, offset, length) ? length : 0;
    }

    public static void putHeader(
        final MutableDirectBuffer buffer,
        final int offset,
        final int blockLength,
        final int templateId,
        final MessageHeaderEncoder header)
    {
        header.wrap(buffer, offset)
            .blockLength(blockLength)
            .templateId(templateId)
            .schemaId(MessageHeaderEncoder.SCHEMA_ID)
            .version(MessageHeaderEncoder.SCHEMA_VERSION);
    }

    public static int templateId(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + 2, ORDER) & 0xFFFF;
    }

    public static long epoch(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + EPOCH, ORDER);
    }

    /** Number of a record, from 1. */
    public static long index(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + INDEX, ORDER);
    }

    public static long chainHash(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + CHAIN_HASH, ORDER);
    }

    private static int crc(final DirectBuffer buffer, final int offset, final int length)
    {
        final int front = Checksum.crc32c(buffer, offset, CHAIN_HASH);
        final int rest = Checksum.crc32c(buffer, offset + LENGTH, length - LENGTH);

        return front * MULTIPLIER ^ rest;
    }

    private static long chainHash(final long previous, final int crc, final long index, final int length)
    {
        return PartitionFunction.mix(PartitionFunction.mix(previous ^ (crc & 0xFFFF_FFFFL)) + index * 31 + length);
    }
}
