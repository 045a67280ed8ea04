// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs.keys;

import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.PullDecoder;
import io.gradstream.codecs.wire.PushDecoder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import java.nio.ByteOrder;

/** Finds where a push or pull has its keys, and copies it with others in their place. */
final class KeyedMessage
{
    private static final int HEADER = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int TEMPLATE_ID = MessageHeaderDecoder.templateIdEncodingOffset();
    private static final int SECTIONS = HEADER + PushDecoder.BLOCK_LENGTH;
    private static final int FIRST_ENTRY = SECTIONS + Sections.GROUP_HEADER_LENGTH;
    private static final int PULL_BODY = HEADER + PullDecoder.BLOCK_LENGTH;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private DirectBuffer buffer;
    private int offset;
    private int length;
    // counted from the begin of the message
    private int keyListAt;
    private int countAt;
    private int formAt;
    private int bodyLengthAt;

    /** Look at a message that is sound; false if it is another than a push or pull. */
    boolean wrap(final DirectBuffer message, final int from, final int bytes)
    {
        buffer = message;
        offset = from;
        length = bytes;
        final int templateId = message.getShort(from + TEMPLATE_ID, ORDER) & 0xFFFF;
        if (PushDecoder.TEMPLATE_ID == templateId)
        {
            final int sections = message.getShort(from + SECTIONS + Short.BYTES, ORDER) & 0xFFFF;
            keyListAt = HEADER + PushDecoder.keyListEncodingOffset();
            countAt = FIRST_ENTRY + PushDecoder.SectionsDecoder.rowCountEncodingOffset();
            formAt = FIRST_ENTRY + PushDecoder.SectionsDecoder.keyFormEncodingOffset();
            bodyLengthAt = FIRST_ENTRY + sections * Sections.ENTRY_LENGTH;
        }
        else
        {
            keyListAt = HEADER + PullDecoder.keyListEncodingOffset();
            countAt = HEADER + PullDecoder.rowCountEncodingOffset();
            formAt = HEADER + PullDecoder.keyFormEncodingOffset();
            bodyLengthAt = PULL_BODY;
        }

        return PushDecoder.TEMPLATE_ID == templateId || PullDecoder.TEMPLATE_ID == templateId;
    }

    long keyList()
    {
        return buffer.getLong(offset + keyListAt, ORDER);
    }

    int form()
    {
        return buffer.getByte(offset + formAt);
    }

    int count()
    {
        return buffer.getInt(offset + countAt, ORDER);
    }

    /** Where the keys begin, counted from the begin of the message. */
    int keysAt()
    {
        return bodyLengthAt + Sections.BODY_LENGTH_LENGTH;
    }

    /** Bytes of the keys. */
    int keysLength()
    {
        return (int)KeyForm.length(form(), count());
    }

    /**
     * Copy all but the keys.
     *
     * @param to         the begin of the copy.
     * @param keyList    that it names.
     * @param form       of its keys.
     * @param keysLength bytes left for its keys, from {@link #keysAt()} on.
     * @return bytes of the copy.
     */
    int copy(final MutableDirectBuffer to, final long keyList, final int form, final int keysLength)
    {
        final int longer = keysLength - keysLength();
        final int restAt = keysAt() + keysLength();
        to.putBytes(0, buffer, offset, keysAt());
        to.putBytes(restAt + longer, buffer, offset + restAt, length - restAt);
        to.putLong(keyListAt, keyList, ORDER);
        to.putByte(formAt, (byte)form);
        to.putInt(bodyLengthAt, buffer.getInt(offset + bodyLengthAt, ORDER) + longer, ORDER);

        return length + longer;
    }
}
