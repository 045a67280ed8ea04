// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs.keys;

import io.gradstream.codecs.KeyForm;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import java.nio.ByteOrder;

/**
 * The worker's end of key caching at one partition: a push or pull whose keys the server has names their number.
 * <p>
 * A message that asks for it ({@link KeyLists#WANTED}) is kept with its keys, and shortened each time it is sent. So
 * after any doubt the lists are forgotten here, and messages carry their keys again.
 */
public final class ShortMessages
{
    /** From so many losses on no message is shortened before the next welcome: the server may have no room. */
    static final int MAX_LOSSES = 16;

    private final KeyedMessage message = new KeyedMessage();
    private final MutableDirectBuffer copy;
    /** Null before the first message that asks for a list. */
    private KeyLists lists;
    /** The number that was given last; none is given twice. */
    private long lastNumber;
    /** Lists with lower numbers are forgotten. */
    private long firstNumber = 1;
    /** A refusal of a part that names a list with a lower number is no news: parts are sent again since. */
    private long firstOfParts = 1;
    private int losses;
    private long bytesSaved;
    // the message to be sent
    private DirectBuffer buffer;
    private int offset;
    private int length;
    private int savedOfMessage;
    private boolean isAdded;
    private int keysOffset;
    private int keysLength;
    private long hash;

    /**
     * No lists yet.
     *
     * @param copy that grows as needed, to write messages to; others may use it between two messages.
     */
    public ShortMessages(final MutableDirectBuffer copy)
    {
        this.copy = copy;
    }

    /** The partition attached this worker: the server has no list. */
    public void onAttached()
    {
        losses = 0;
        forget();
        firstOfParts = firstNumber;
    }

    /**
     * The server refused a pull whose list it did not have, or not as it should be. Messages bring their keys again.
     *
     * @param number of the list; what was forgotten since is no news.
     */
    public void onPullUnknown(final long number)
    {
        if (number >= firstNumber)
        {
            losses++;
            forget();
        }
    }

    /**
     * The same of a part of a push.
     *
     * @return true if this is news of the parts, so that the part and those after it have to be sent again. It may be
     * so although the lists were forgotten since, for a pull.
     */
    public boolean onPartUnknown(final long number)
    {
        final boolean isNews = number >= firstOfParts;
        if (isNews)
        {
            losses += number >= firstNumber ? 1 : 0;
            forget();
            firstOfParts = firstNumber;
        }

        return isNews;
    }

    private void forget()
    {
        if (null != lists)
        {
            lists.clear();
        }
        firstNumber = lastNumber + 1;
    }

    /**
     * Look at a message that is to be sent. What is sent instead is from {@link #offset()} on in {@link #buffer()}, and
     * {@link #onSent()} follows if it was.
     */
    public void wrap(final DirectBuffer whole, final int from, final int bytes)
    {
        buffer = whole;
        offset = from;
        length = bytes;
        savedOfMessage = 0;
        isAdded = false;
        if (message.wrap(whole, from, bytes) && KeyLists.WANTED == message.keyList() && losses < MAX_LOSSES &&
            KeyLists.isList(message.form(), message.keysLength()))
        {
            wrapListed(whole, from);
        }
    }

    private void wrapListed(final DirectBuffer whole, final int from)
    {
        lists = null == lists ? new KeyLists(new KeyLists.Memory(Long.MAX_VALUE)) : lists;
        keysOffset = from + message.keysAt();
        keysLength = message.keysLength();
        hash = KeyLists.hash(message.form(), message.count(), whole, keysOffset, keysLength);
        final long number =
            lists.find(message.form(), message.count(), hash, whole, keysOffset, keysLength);
        if (KeyLists.NONE == number)
        {
            isAdded = true;
            length = message.copy(copy, lastNumber + 1, message.form(), keysLength);
            copy.putBytes(message.keysAt(), whole, keysOffset, keysLength);
        }
        else
        {
            savedOfMessage = keysLength - KeyLists.HASH_LENGTH;
            length = message.copy(copy, number, KeyForm.LISTED, KeyLists.HASH_LENGTH);
            copy.putLong(message.keysAt(), hash, ByteOrder.LITTLE_ENDIAN);
        }
        buffer = copy;
        offset = 0;
    }

    /** The message was sent. */
    public void onSent()
    {
        bytesSaved += savedOfMessage;
        if (isAdded)
        {
            lists.add(++lastNumber, message.form(), message.count(), hash, copy, message.keysAt(), keysLength);
        }
    }

    /** The buffer of what is sent. */
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

    /** Bytes of keys that were not sent. */
    public long bytesSaved()
    {
        return bytesSaved;
    }
}
