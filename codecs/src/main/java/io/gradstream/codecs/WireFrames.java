// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import io.gradstream.codecs.wire.ClockDoneDecoder;
import io.gradstream.codecs.wire.ConnectDecoder;
import io.gradstream.codecs.wire.CreateTableDecoder;
import io.gradstream.codecs.wire.DescribeDecoder;
import io.gradstream.codecs.wire.DisconnectDecoder;
import io.gradstream.codecs.wire.HelloDecoder;
import io.gradstream.codecs.wire.KeepAliveDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.OutcomesKnownDecoder;
import io.gradstream.codecs.wire.PullDecoder;
import io.gradstream.codecs.wire.PushDecoder;
import io.gradstream.codecs.wire.SnapshotWantedDecoder;
import io.gradstream.codecs.wire.TakeModelDecoder;
import org.agrona.DirectBuffer;

import java.nio.ByteOrder;

/**
 * Judges the structure of what workers send before any of it is decoded: schema, version, kind, and every length
 * against what is really there. A frame it passes can be decoded without an exception. Not thread safe.
 */
public final class WireFrames
{
    /** Longest message. */
    public static final int MAX_MESSAGE_LENGTH = 16 * 1024 * 1024;
    /** Longest text within a message. */
    public static final int MAX_TEXT_LENGTH = 1024;
    /** Most rows that one pull may ask for. */
    public static final int MAX_PULL_ROWS = 65_536;
    /** No description begins at a table or slot beyond it: jobs have fewer. */
    public static final int MAX_DESCRIBE_START = 4096;

    private static final int HEADER_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int LENGTH_LENGTH = 4;
    private static final int PULL_ROW_COUNT = HEADER_LENGTH + PullDecoder.rowCountEncodingOffset();
    private static final int PULL_KEY_FORM = HEADER_LENGTH + PullDecoder.keyFormEncodingOffset();
    private static final int DESCRIBE_FIRST_TABLE = HEADER_LENGTH + DescribeDecoder.firstTableEncodingOffset();
    private static final int DESCRIBE_FIRST_SLOT = HEADER_LENGTH + DescribeDecoder.firstSlotEncodingOffset();
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private final Sections sections = new Sections();

    /**
     * Judge a message from a worker.
     *
     * @param length bytes, all of which must belong to it.
     * @return NONE; TOO_LARGE for a message or a pull beyond its limit, a pull's fixed fields can then be read; else
     * MALFORMED, and nothing in it may be read.
     */
    public Refusal checkFromWorker(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length > MAX_MESSAGE_LENGTH || length < HEADER_LENGTH)
        {
            return Refusal.MALFORMED;
        }
        final int blockLength = unsignedShort(buffer, offset);
        final int version = unsignedShort(buffer, offset + 6);
        if (unsignedShort(buffer, offset + 4) != MessageHeaderDecoder.SCHEMA_ID ||
            version != MessageHeaderDecoder.SCHEMA_VERSION || length < HEADER_LENGTH + blockLength)
        {
            return Refusal.MALFORMED;
        }
        final int rest = length - HEADER_LENGTH - blockLength;
        final int restOffset = offset + HEADER_LENGTH + blockLength;

        return switch (templateId(buffer, offset))
        {
            case ConnectDecoder.TEMPLATE_ID -> judge(ConnectDecoder.BLOCK_LENGTH == blockLength &&
                hasTexts(buffer, restOffset, rest, 1));
            case HelloDecoder.TEMPLATE_ID -> judge(HelloDecoder.BLOCK_LENGTH == blockLength && 0 == rest);
            case CreateTableDecoder.TEMPLATE_ID -> judge(CreateTableDecoder.BLOCK_LENGTH == blockLength &&
                hasTexts(buffer, restOffset, rest, 2));
            case PushDecoder.TEMPLATE_ID -> judge(PushDecoder.BLOCK_LENGTH == blockLength &&
                !sections.wrap(buffer, restOffset, rest).isMalformedOnWire());
            case ClockDoneDecoder.TEMPLATE_ID -> judge(ClockDoneDecoder.BLOCK_LENGTH == blockLength && 0 == rest);
            case PullDecoder.TEMPLATE_ID -> PullDecoder.BLOCK_LENGTH == blockLength ?
                checkPull(buffer, offset, rest) : Refusal.MALFORMED;
            case KeepAliveDecoder.TEMPLATE_ID -> judge(KeepAliveDecoder.BLOCK_LENGTH == blockLength && 0 == rest);
            case DisconnectDecoder.TEMPLATE_ID -> judge(DisconnectDecoder.BLOCK_LENGTH == blockLength && 0 == rest);
            case SnapshotWantedDecoder.TEMPLATE_ID ->
                judge(SnapshotWantedDecoder.BLOCK_LENGTH == blockLength && 0 == rest);
            case OutcomesKnownDecoder.TEMPLATE_ID ->
                judge(OutcomesKnownDecoder.BLOCK_LENGTH == blockLength && 0 == rest);
            case DescribeDecoder.TEMPLATE_ID -> judge(DescribeDecoder.BLOCK_LENGTH == blockLength && 0 == rest &&
                isDescribeStart(buffer.getInt(offset + DESCRIBE_FIRST_TABLE, ORDER)) &&
                isDescribeStart(buffer.getInt(offset + DESCRIBE_FIRST_SLOT, ORDER)));
            case TakeModelDecoder.TEMPLATE_ID -> judge(TakeModelDecoder.BLOCK_LENGTH == blockLength && 0 == rest);
            default -> Refusal.MALFORMED;
        };
    }

    /** True if it is a message of this schema in another version, of a newer or older Gradstream. */
    public static boolean isOfOtherVersion(final DirectBuffer buffer, final int offset, final int length)
    {
        return length >= HEADER_LENGTH && MessageHeaderDecoder.SCHEMA_ID == unsignedShort(buffer, offset + 4) &&
            MessageHeaderDecoder.SCHEMA_VERSION != unsignedShort(buffer, offset + 6);
    }

    public static int templateId(final DirectBuffer buffer, final int offset)
    {
        return unsignedShort(buffer, offset + 2);
    }

    private static Refusal checkPull(final DirectBuffer buffer, final int offset, final int rest)
    {
        final int rowCount = buffer.getInt(offset + PULL_ROW_COUNT, ORDER);
        final int keyForm = buffer.getByte(offset + PULL_KEY_FORM);
        if (rest < LENGTH_LENGTH || rowCount < 1 || !KeyForm.isKnownOnWire(keyForm))
        {
            return Refusal.MALFORMED;
        }
        final int bodyOffset = offset + HEADER_LENGTH + PullDecoder.BLOCK_LENGTH;
        final long bodyLength = unsignedInt(buffer, bodyOffset);
        if (bodyLength != rest - LENGTH_LENGTH || bodyLength != KeyForm.length(keyForm, rowCount))
        {
            return Refusal.MALFORMED;
        }

        return rowCount > MAX_PULL_ROWS ? Refusal.TOO_LARGE : Refusal.NONE;
    }

    private static boolean isDescribeStart(final int index)
    {
        return index >= 0 && index <= MAX_DESCRIBE_START;
    }

    private static boolean hasTexts(final DirectBuffer buffer, final int offset, final int length, final int count)
    {
        long cursor = 0;
        for (int i = 0; i < count; i++)
        {
            if (cursor + LENGTH_LENGTH > length)
            {
                return false;
            }
            final long textLength = unsignedInt(buffer, offset + (int)cursor);
            cursor += LENGTH_LENGTH + textLength;
            if (textLength > MAX_TEXT_LENGTH || cursor > length)
            {
                return false;
            }
        }

        return cursor == length;
    }

    private static Refusal judge(final boolean isSound)
    {
        return isSound ? Refusal.NONE : Refusal.MALFORMED;
    }

    private static int unsignedShort(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset, ORDER) & 0xFFFF;
    }

    private static long unsignedInt(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset, ORDER) & 0xFFFF_FFFFL;
    }
}
