// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs.keys;

import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.WireFrames;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PullDecoder;
import io.gradstream.codecs.wire.PullEncoder;
import io.gradstream.codecs.wire.PushDecoder;
import io.gradstream.codecs.wire.PushEncoder;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A message that a worker shortens is the same again at the server.
 */
class ListedMessagesTest
{
    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int PUSH_KEY_LIST = HEADER + PushDecoder.keyListEncodingOffset();
    private static final int PULL_KEY_LIST = HEADER + PullDecoder.keyListEncodingOffset();
    private static final java.nio.ByteOrder ORDER = java.nio.ByteOrder.LITTLE_ENDIAN;

    private final ShortMessages worker = new ShortMessages(new ExpandableArrayBuffer());
    private final KeyLists lists = new KeyLists(new KeyLists.Memory(KeyLists.MAX_BYTES));
    private final WholeMessages server = new WholeMessages();
    private final WireFrames frames = new WireFrames();
    private long sentBytes;

    @ParameterizedTest
    @ValueSource(ints = {KeyForm.KEYS, KeyForm.OFFSETS_16, KeyForm.OFFSETS_32})
    void shouldBeTheSameMessageWhenItsListIsKnown(final int form)
    {
        final UnsafeBuffer push = push(form, 1f, 9, 4, 4, 7, 30);
        final UnsafeBuffer pull = pull(form, 9, 4, 4, 7, 30);

        assertThat(whole(pull)).isTrue();
        assertSame(pull, PULL_KEY_LIST, 1);
        assertThat(worker.bytesSaved()).isZero();
        final long saved = KeyForm.length(form, 5) - KeyLists.HASH_LENGTH;
        sentBytes = 0;
        assertThat(whole(push)).isTrue();
        assertSame(push, PUSH_KEY_LIST, 1);
        assertThat(worker.bytesSaved()).isEqualTo(saved);
        assertThat(sentBytes).isEqualTo(push.capacity() - saved);
        assertThat(whole(pull)).isTrue();
        assertSame(pull, PULL_KEY_LIST, 1);
        assertThat(worker.bytesSaved()).isEqualTo(2 * saved);
        final UnsafeBuffer other = push(form, 2f, 9, 4, 4, 7, 31);
        assertThat(whole(other)).isTrue();
        assertSame(other, PUSH_KEY_LIST, 2);
        assertThat(worker.bytesSaved()).as("other keys").isEqualTo(2 * saved);
    }

    @Test
    void shouldSendMessagesThatDoNotAskForListsAsTheyAre()
    {
        final UnsafeBuffer pull = pull(KeyForm.KEYS, 9, 4, 4, 7, 30);
        pull.putLong(PULL_KEY_LIST, KeyLists.NONE, ORDER);
        for (int i = 0; i < 2; i++)
        {
            worker.wrap(pull, 0, pull.capacity());
            assertThat(worker.buffer()).isSameAs(pull);
            worker.onSent();
        }
        final UnsafeBuffer shortList = pull(KeyForm.KEYS, 9);
        worker.wrap(shortList, 0, shortList.capacity());
        assertThat(worker.buffer()).as("keys as short as their hash").isSameAs(shortList);
        assertThat(frames.checkFromWorker(shortList, 0, shortList.capacity())).isEqualTo(Refusal.NONE);
        assertThat(server.wrap(null, shortList, 0, shortList.capacity())).isTrue();
    }

    @Test
    void shouldSendKeysAgainWhenTheFirstMessageWasLost()
    {
        final UnsafeBuffer push = push(KeyForm.KEYS, 1f, 9, 4, 7);
        worker.wrap(push, 0, push.capacity());
        worker.onSent();

        assertThat(whole(push)).as("named, and never brought").isFalse();
        assertThat(worker.onPartUnknown(1)).isTrue();
        assertThat(whole(push)).isTrue();
        assertSame(push, PUSH_KEY_LIST, 2);
        assertThat(worker.onPartUnknown(1)).as("a late refusal is no news").isFalse();
        worker.onPullUnknown(1);
        assertThat(whole(push)).isTrue();
        assertSame(push, PUSH_KEY_LIST, 2);
        assertThat(worker.bytesSaved()).isPositive();
    }

    /** Else the part would not be sent again before a silence shows that it is missing. */
    @Test
    void shouldKnowThatAPartIsMissingAlthoughAPullHasSaidThatItsListIs()
    {
        final UnsafeBuffer push = push(KeyForm.KEYS, 1f, 9, 4, 7);
        worker.wrap(push, 0, push.capacity());
        worker.onSent();
        worker.onPullUnknown(1);
        assertThat(whole(push)).isTrue();
        assertSame(push, PUSH_KEY_LIST, 2);

        assertThat(worker.onPartUnknown(1)).isTrue();
        assertThat(worker.onPartUnknown(2)).as("what was sent before").isFalse();
        assertThat(whole(push)).isTrue();
        assertSame(push, PUSH_KEY_LIST, 3);
        assertThat(worker.onPartUnknown(3)).isTrue();
        worker.onAttached();
        assertThat(worker.onPartUnknown(3)).isFalse();
    }

    @Test
    void shouldSendTheListAgainThatCouldNotBeSent()
    {
        final UnsafeBuffer push = push(KeyForm.KEYS, 1f, 9, 4, 7);
        worker.wrap(push, 0, push.capacity());

        assertThat(whole(push)).isTrue();
        assertSame(push, PUSH_KEY_LIST, 1);
    }

    @Test
    void shouldSendKeysAgainAfterAWelcome()
    {
        final UnsafeBuffer push = push(KeyForm.KEYS, 1f, 9, 4, 7);
        whole(push);
        worker.onAttached();
        lists.clear();

        assertThat(whole(push)).isTrue();
        assertSame(push, PUSH_KEY_LIST, 2);
        assertThat(worker.bytesSaved()).isZero();
    }

    /** The server may have no room: then each message would go there and back twice. */
    @Test
    void shouldNameNoListsAfterTooManyLossesUntilTheNextWelcome()
    {
        final UnsafeBuffer push = push(KeyForm.KEYS, 1f, 9, 4, 7);
        for (int i = 1; i <= ShortMessages.MAX_LOSSES; i++)
        {
            worker.wrap(push, 0, push.capacity());
            assertThat(worker.buffer().getLong(PUSH_KEY_LIST, ORDER)).isEqualTo(i);
            worker.onSent();
            worker.onPartUnknown(i);
        }
        worker.wrap(push, 0, push.capacity());
        assertThat(worker.buffer()).isSameAs(push);
        assertThat(server.wrap(null, push, 0, push.capacity())).isTrue();

        worker.onAttached();
        assertThat(whole(push)).isTrue();
        assertSame(push, PUSH_KEY_LIST, ShortMessages.MAX_LOSSES + 1);
    }

    @Test
    void shouldRefuseAListOfAnotherHashCountOrNumber()
    {
        final UnsafeBuffer push = push(KeyForm.KEYS, 1f, 9, 4, 7);
        whole(push);
        worker.wrap(push, 0, push.capacity());
        final byte[] named = new byte[worker.length()];
        worker.buffer().getBytes(worker.offset(), named);
        final int hashAt = HEADER + PushDecoder.BLOCK_LENGTH + Sections.lengthOf(2, 0);
        final int countAt = HEADER + PushDecoder.BLOCK_LENGTH + Sections.GROUP_HEADER_LENGTH + Integer.BYTES;

        for (final int at : new int[]{hashAt, hashAt + 7, countAt, PUSH_KEY_LIST})
        {
            final UnsafeBuffer changed = new UnsafeBuffer(named.clone());
            changed.putByte(at, (byte)(changed.getByte(at) ^ 1));
            assertThat(server.wrap(lists, changed, 0, changed.capacity())).as("byte %d", at).isFalse();
        }
        final UnsafeBuffer unchanged = new UnsafeBuffer(named);
        assertThat(server.wrap(null, unchanged, 0, named.length)).as("nothing is there").isFalse();
        assertThat(server.wrap(lists, unchanged, 0, named.length)).isTrue();
    }

    /** A fault of the ring, or of memory, would apply values to other rows. */
    @Test
    void shouldRefuseAListWhoseKeysAreNotThoseOfItsHash()
    {
        final UnsafeBuffer push = push(KeyForm.KEYS, 1f, 9, 4, 7);
        whole(push);
        worker.wrap(push, 0, push.capacity());
        final byte[] named = new byte[worker.length()];
        worker.buffer().getBytes(worker.offset(), named);
        final int hashAt = HEADER + PushDecoder.BLOCK_LENGTH + Sections.lengthOf(2, 0);
        final long hash = new UnsafeBuffer(named).getLong(hashAt, ORDER);
        final UnsafeBuffer keys = new UnsafeBuffer(new byte[3 * Long.BYTES]);
        push.getBytes(hashAt, keys, 0, keys.capacity());

        final KeyLists sound = new KeyLists(new KeyLists.Memory(KeyLists.MAX_BYTES));
        sound.add(1, KeyForm.KEYS, 3, hash, keys, 0, keys.capacity());
        assertThat(server.wrap(sound, new UnsafeBuffer(named), 0, named.length)).isTrue();
        keys.putByte(9, (byte)(keys.getByte(9) ^ 1));
        final KeyLists broken = new KeyLists(new KeyLists.Memory(KeyLists.MAX_BYTES));
        broken.add(1, KeyForm.KEYS, 3, hash, keys, 0, keys.capacity());
        assertThat(server.wrap(broken, new UnsafeBuffer(named), 0, named.length)).isFalse();
    }

    @Test
    void shouldBeMalformedWithAListInAnotherThanTheFirstSection()
    {
        final UnsafeBuffer push = push(KeyForm.KEYS, 1f, 9, 4, 7);
        final int secondForm = HEADER + PushDecoder.BLOCK_LENGTH + Sections.GROUP_HEADER_LENGTH +
            Sections.ENTRY_LENGTH + PushDecoder.SectionsDecoder.keyFormEncodingOffset();
        push.putByte(secondForm, (byte)KeyForm.LISTED);

        // a hash is as long as the one key
        assertThat(frames.checkFromWorker(push, 0, push.capacity())).isEqualTo(Refusal.MALFORMED);
    }

    /** Send a message, as Aeron would, and make it whole at the server. */
    private boolean whole(final UnsafeBuffer message)
    {
        worker.wrap(message, 0, message.capacity());
        final byte[] bytes = new byte[worker.length()];
        worker.buffer().getBytes(worker.offset(), bytes);
        worker.onSent();
        sentBytes += bytes.length;
        final UnsafeBuffer arrived = new UnsafeBuffer(bytes);
        assertThat(frames.checkFromWorker(arrived, 0, bytes.length)).isEqualTo(Refusal.NONE);
        final boolean isWhole = server.wrap(lists, arrived, 0, bytes.length);
        if (isWhole)
        {
            assertThat(frames.checkFromWorker(server.buffer(), server.offset(), server.length()))
                .isEqualTo(Refusal.NONE);
        }

        return isWhole;
    }

    private void assertSame(final DirectBuffer message, final int keyListAt, final long number)
    {
        final byte[] expected = new byte[message.capacity()];
        message.getBytes(0, expected);
        new UnsafeBuffer(expected).putLong(keyListAt, number, ORDER);
        final byte[] actual = new byte[server.length()];
        server.buffer().getBytes(server.offset(), actual);

        assertThat(actual).containsExactly(expected);
    }

    private static UnsafeBuffer push(final int form, final float value, final long... keys)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1024]);
        final PushEncoder push = new PushEncoder();
        final int keysLength = (int)KeyForm.length(form, keys.length);
        final int valuesLength = keys.length * Float.BYTES;
        final PushEncoder.SectionsEncoder sections = push.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .epoch(1).sequence(2).acknowledgedThrough(1).incarnation(5).clock(3).partition(0).slot(3)
            .keyList(KeyLists.WANTED).sectionsCount(2);
        sections.next().tableId(4).rowCount(keys.length).valuesLength(valuesLength).keyForm((short)form)
            .encoding((short)Sections.RAW);
        sections.next().tableId(TableSpec.AUDIT.tableId()).rowCount(1).valuesLength(32)
            .keyForm((short)KeyForm.KEYS).encoding((short)Sections.RAW);
        final UnsafeBuffer body = new UnsafeBuffer(new byte[keysLength + valuesLength + 40]);
        KeyForm.write(form, keys, 0, keys.length, LongStream.of(keys).min().orElseThrow(), body, 0);
        for (int i = 0; i < keys.length; i++)
        {
            body.putFloat(keysLength + i * Float.BYTES, value + i, ORDER);
        }
        body.setMemory(keysLength + valuesLength, 40, (byte)77);
        push.putBody(body, 0, body.capacity());

        return new UnsafeBuffer(buffer, 0, HEADER + push.encodedLength());
    }

    private static UnsafeBuffer pull(final int form, final long... keys)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1024]);
        final PullEncoder pull = new PullEncoder();
        final UnsafeBuffer body = new UnsafeBuffer(new byte[(int)KeyForm.length(form, keys.length)]);
        KeyForm.write(form, keys, 0, keys.length, LongStream.of(keys).min().orElseThrow(), body, 0);
        pull.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .epoch(1).requestId(2).lastSequence(1).incarnation(5).partition(0).slot(3).tableId(4)
            .rowCount(keys.length).keyForm((short)form).clock(2).encoding((short)1).keyList(KeyLists.WANTED)
            .putBody(body, 0, body.capacity());

        return new UnsafeBuffer(buffer, 0, HEADER + pull.encodedLength());
    }
}
