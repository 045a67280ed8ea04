// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs.keys;

import io.gradstream.codecs.KeyForm;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The server's end of key caching: lists that pushes and pulls bring are added, and a message that names one becomes,
 * to the byte, the message that it would be with its keys.
 */
public final class WholeMessages
{
    private final KeyedMessage message = new KeyedMessage();
    /** As long as the longest message that named a list. */
    private final UnsafeBuffer copy = new UnsafeBuffer(0, 0);
    private DirectBuffer buffer;
    private int offset;
    private int length;

    /**
     * Look at a push or pull that came, and was found sound.
     *
     * @param lists of its connection and partition; null if there are none, and none is to be added.
     * @return false if it names a list that is not there, or is another.
     */
    public boolean wrap(final KeyLists lists, final DirectBuffer from, final int at, final int bytes)
    {
        buffer = from;
        offset = at;
        length = bytes;
        message.wrap(from, at, bytes);
        if (KeyForm.LISTED == message.form())
        {
            return null != lists && wrapListed(lists);
        }
        if (null != lists && lists.isNew(message.keyList()) &&
            KeyLists.isList(message.form(), message.keysLength()))
        {
            final int keysOffset = at + message.keysAt();
            final long hash =
                KeyLists.hash(message.form(), message.count(), from, keysOffset, message.keysLength());
            lists.add(message.keyList(), message.form(), message.count(), hash, from, keysOffset,
                message.keysLength());
        }

        return true;
    }

    private boolean wrapListed(final KeyLists lists)
    {
        final long hash = buffer.getLong(offset + message.keysAt(), ByteOrder.LITTLE_ENDIAN);
        final int place = lists.placeOf(message.keyList(), message.count(), hash);
        if (place < 0)
        {
            return false;
        }
        final int needed = length + lists.length(place);
        if (copy.capacity() < needed)
        {
            copy.wrap(ByteBuffer.allocateDirect(BitUtil.findNextPositivePowerOfTwo(needed)));
        }
        final int form = lists.form(place);
        final int keysLength = lists.length(place);
        length = message.copy(copy, message.keyList(), form, keysLength);
        lists.copy(place, copy, message.keysAt());
        buffer = copy;
        offset = 0;

        return hash == KeyLists.hash(form, message.count(), copy, message.keysAt(), keysLength);
    }

    /** The buffer of the message with its keys: valid until another one comes. */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /** Where it begins. */
    public int offset()
    {
        return offset;
    }

    /** Its bytes. */
    public int length()
    {
        return length;
    }
}
