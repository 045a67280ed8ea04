// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.keys.KeyLists;
import io.gradstream.codecs.keys.WholeMessages;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.PullDecoder;
import io.gradstream.codecs.wire.PushDecoder;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.World;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The planted faults of lists of keys: a message that names one gets keys before the production code sees it. Without
 * a fault it changes nothing.
 */
final class PlantedKeyFaults
{
    /** Places of lists, where numbers are not compared. */
    private static final int PLACES = 4;

    /** The keys of a list in their form. */
    private record KeyList(int form, int count, byte[] bytes)
    {
    }

    private final World world;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final PushDecoder push = new PushDecoder();
    private final PullDecoder pull = new PullDecoder();
    private final Sections sections = new Sections();
    private final WholeMessages whole = new WholeMessages();
    /** By the sender and the partition, then by number. */
    private final Map<String, TreeMap<Long, KeyList>> known = new HashMap<>();

    PlantedKeyFaults(final World world)
    {
        this.world = world;
    }

    /** Returns the message that the node hears in the place of one. */
    UnsafeBuffer map(final int sessionId, final UnsafeBuffer message)
    {
        final boolean isPlanted = switch (world.planted())
        {
            case KEYS_OF_ANOTHER_LIST, KEYS_KEPT_FOR_NEXT_PROCESS, KEYS_NOT_COMPARED -> true;
            default -> false;
        };
        if (!isPlanted)
        {
            return message;
        }

        return switch (header.wrap(message, 0).templateId())
        {
            case PushDecoder.TEMPLATE_ID -> push(sessionId, message);
            case PullDecoder.TEMPLATE_ID -> pull(sessionId, message);
            default -> message;
        };
    }

    private UnsafeBuffer push(final int sessionId, final UnsafeBuffer message)
    {
        push.wrapAndApplyHeader(message, 0, header);
        final int offset = push.offset() + PushDecoder.BLOCK_LENGTH;
        sections.wrap(message, offset, message.capacity() - offset).next();

        return map(listsOf(sessionId, push.slot(), push.partition()), push.keyList(), sections.keyForm(),
            sections.rowCount(), message, sections.keysOffset());
    }

    private UnsafeBuffer pull(final int sessionId, final UnsafeBuffer message)
    {
        pull.wrapAndApplyHeader(message, 0, header);

        return map(listsOf(sessionId, pull.slot(), pull.partition()), pull.keyList(), pull.keyForm(),
            pull.rowCount(), message, pull.limit() + PullDecoder.bodyHeaderLength());
    }

    private TreeMap<Long, KeyList> listsOf(final int sessionId, final int slot, final int partition)
    {
        final String sender =
            world.isPlanted(PlantedFault.KEYS_KEPT_FOR_NEXT_PROCESS) ? "slot " + slot : "session " + sessionId;

        return known.computeIfAbsent(sender + " " + partition, (key) -> new TreeMap<>());
    }

    private UnsafeBuffer map(
        final TreeMap<Long, KeyList> lists,
        final long number,
        final int form,
        final int count,
        final UnsafeBuffer message,
        final int keysOffset)
    {
        if (KeyForm.LISTED != form)
        {
            if (number > 0)
            {
                final byte[] bytes = new byte[(int)KeyForm.length(form, count)];
                message.getBytes(keysOffset, bytes);
                keep(lists, number, new KeyList(form, count, bytes));
            }
            return message;
        }
        final KeyList found = find(lists, number, count);
        if (null == found || count != found.count())
        {
            return message;
        }
        final KeyLists forged = new KeyLists(new KeyLists.Memory(Long.MAX_VALUE));
        final UnsafeBuffer keys = new UnsafeBuffer(found.bytes());
        final long hash = KeyLists.hash(found.form(), count, keys, 0, keys.capacity());
        forged.add(number, found.form(), count, hash, keys, 0, keys.capacity());
        final UnsafeBuffer named = new UnsafeBuffer(new byte[message.capacity()]);
        named.putBytes(0, message, 0, message.capacity());
        named.putLong(keysOffset, hash, ByteOrder.LITTLE_ENDIAN);
        if (!whole.wrap(forged, named, 0, named.capacity()))
        {
            return message;
        }
        final byte[] copy = new byte[whole.length()];
        whole.buffer().getBytes(whole.offset(), copy);

        return new UnsafeBuffer(copy);
    }

    private void keep(final TreeMap<Long, KeyList> lists, final long number, final KeyList list)
    {
        if (world.isPlanted(PlantedFault.KEYS_NOT_COMPARED))
        {
            lists.put(number % PLACES, list);
        }
        else
        {
            lists.putIfAbsent(number, list);
        }
    }

    private KeyList find(final TreeMap<Long, KeyList> lists, final long number, final int count)
    {
        if (!world.isPlanted(PlantedFault.KEYS_OF_ANOTHER_LIST))
        {
            return lists.get(world.isPlanted(PlantedFault.KEYS_NOT_COMPARED) ? number % PLACES : number);
        }

        return lists.headMap(number).values().stream().filter((list) -> count == list.count()).findFirst().orElse(null);
    }
}
