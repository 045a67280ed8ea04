// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.keys.KeyLists;
import io.gradstream.codecs.keys.WholeMessages;
import io.gradstream.codecs.wire.ClockDoneDecoder;
import io.gradstream.codecs.wire.HelloDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.PullDecoder;
import io.gradstream.codecs.wire.PushDecoder;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

import static org.assertj.core.api.Assertions.assertThat;

/** A client that caches keys, in a simulated world: which keys travel, and which rows the server finds. */
class KeyCachingTest
{
    private static final TableSpec SPEC = new TableSpec(1, "counts", 1, ElementType.INT64, 0, 0, 0, 0, "add/1");
    private static final long INCARNATION = 7;
    private static final long[] KEYS = {900_000, 3, 70_000, 5};
    private static final long[] OTHERS = {1, 2, 4_000_000};
    /** The least key, and four distances from it. */
    private static final int KEYS_LENGTH = Long.BYTES + 4 * Integer.BYTES;

    private final SimulatedServers servers = new SimulatedServers();
    private final SimulatedWaits waits = new SimulatedWaits(servers, this::answer);
    private final ToldCoordinators coordinators = ToldCoordinators.serving(1, SimulatedWaits.SERVER);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final KeyLists lists = new KeyLists(new KeyLists.Memory(Long.MAX_VALUE));
    private final WholeMessages whole = new WholeMessages();
    /** The form of keys of each push and pull, as it came. */
    private final List<Integer> forms = new ArrayList<>();
    /** The keys of each push and pull that the server took. */
    private final List<List<Long>> taken = new ArrayList<>();
    private long epoch = 1;
    private HelloDecoder hello;
    private boolean isLosing;

    private final GradstreamClient client = GradstreamClient.connect(waits.of(new ClientContext())
        .coordinatorChannel(coordinators::open)
        .incarnation(INCARNATION));
    private final Table table = client.createTable(SPEC).cacheKeys(true);

    @Test
    void shouldSendTheKeysOfAPullAndItsPushOnce()
    {
        pull(KEYS);
        push(KEYS);
        pull(OTHERS);
        push(OTHERS);
        pull(KEYS);
        push(KEYS);

        assertThat(forms).containsExactly(
            KeyForm.OFFSETS_32, KeyForm.LISTED, KeyForm.OFFSETS_32, KeyForm.LISTED, KeyForm.LISTED, KeyForm.LISTED);
        assertThat(taken).containsExactly(listOf(KEYS), listOf(KEYS), listOf(OTHERS), listOf(OTHERS), listOf(KEYS),
            listOf(KEYS));
        assertThat(client.stats().keyBytesSaved()).isEqualTo(
            3 * (KEYS_LENGTH - KeyLists.HASH_LENGTH) + KEYS_LENGTH - Integer.BYTES - KeyLists.HASH_LENGTH);
    }

    @Test
    void shouldSendKeysWhereTheyAreNotCached()
    {
        final Table plain = client.knownTable(SPEC);
        for (int i = 0; i < 2; i++)
        {
            client.await(plain.pull(KEYS, KEYS.length, new long[KEYS.length]));
            client.await(plain.push(KEYS, 0, KEYS.length, new long[KEYS.length]));
        }
        table.cacheKeys(false);
        pull(KEYS);
        push(KEYS);

        assertThat(forms).hasSize(6).containsOnly(KeyForm.OFFSETS_32);
        assertThat(client.stats().keyBytesSaved()).isZero();
    }

    @Test
    void shouldSendKeysAgainWhenTheServerDoesNotHaveThem()
    {
        pull(KEYS);
        lists.clear();
        push(KEYS);
        lists.clear();
        pull(KEYS);
        pull(KEYS);

        assertThat(forms).containsExactly(KeyForm.OFFSETS_32, KeyForm.LISTED, KeyForm.OFFSETS_32,
            KeyForm.LISTED, KeyForm.OFFSETS_32, KeyForm.LISTED);
        assertThat(taken).containsExactly(listOf(KEYS), listOf(KEYS), listOf(KEYS), listOf(KEYS));
    }

    /** What was sent to the primary before is not known to the next one, and what waits goes there with its keys. */
    @Test
    void shouldSendKeysToTheNextPrimary()
    {
        pull(KEYS);
        isLosing = true;
        final long first = table.push(KEYS, 0, KEYS.length, new long[KEYS.length]);
        final long second = table.push(KEYS, 0, KEYS.length, new long[KEYS.length]);
        client.poll();
        waits.serve();
        isLosing = false;
        epoch = 2;
        lists.clear();
        coordinators.tell(2, 2, ToldCoordinators.chain(2, 0));
        client.await(first);
        client.await(second);

        assertThat(forms).containsExactly(KeyForm.OFFSETS_32, KeyForm.LISTED, KeyForm.LISTED,
            KeyForm.OFFSETS_32, KeyForm.LISTED);
        assertThat(taken).containsExactly(listOf(KEYS), listOf(KEYS), listOf(KEYS));
    }

    @Test
    void shouldHaveTheSameListsInAPushAndAPullOfSeveralMessages()
    {
        final long[] keys = new long[20_000];
        for (int i = 0; i < keys.length; i++)
        {
            keys[i] = i * 100L;
        }
        pull(keys);
        final int pulls = forms.size();
        assertThat(pulls).isGreaterThan(1);
        push(keys);

        assertThat(forms.subList(pulls, forms.size())).hasSize(pulls).containsOnly(KeyForm.LISTED);
        assertThat(taken.subList(pulls, taken.size())).isEqualTo(taken.subList(0, pulls));
    }

    /** As many rows as may be outstanding without lists may be so with them, although a push has fewer in a part. */
    @Test
    void shouldPullAsManyRowsAtOnceAsWithoutLists()
    {
        final Table floats = client.createTable(TableSpec.sparse(2, "weights", 1, "add/1"));
        final long[] keys = new long[1 << 20];
        java.util.Arrays.setAll(keys, (i) -> i * 100L);
        final float[] rows = new float[keys.length];
        int fit = 1;
        int tooMany = keys.length;
        while (tooMany - fit > 1)
        {
            final int count = (fit + tooMany) / 2;
            final boolean isFit = isPossible(() -> floats.tryPull(keys, count, rows));
            fit = isFit ? count : fit;
            tooMany = isFit ? tooMany : count;
        }
        assertThat(fit).isGreaterThan(1 << 16);
        assertThat(tooMany).isLessThan(keys.length);

        final int most = fit;
        floats.cacheKeys(true);
        assertThat(isPossible(() -> floats.tryPull(keys, most, rows))).isTrue();
        assertThat(isPossible(() -> floats.tryPull(keys, most + 1, rows))).isFalse();
    }

    private static boolean isPossible(final LongSupplier pull)
    {
        try
        {
            return pull.getAsLong() >= -1;
        }
        catch (final IllegalArgumentException e)
        {
            return false;
        }
    }

    private void pull(final long[] keys)
    {
        client.await(table.pull(keys, keys.length, new long[keys.length]));
    }

    private void push(final long[] keys)
    {
        client.await(table.push(keys, 0, keys.length, new long[keys.length]));
    }

    private static List<Long> listOf(final long[] keys)
    {
        return java.util.Arrays.stream(keys).boxed().toList();
    }

    private void answer(final UnsafeBuffer message)
    {
        switch (header.wrap(message, 0).templateId())
        {
            case HelloDecoder.TEMPLATE_ID ->
            {
                hello = new HelloDecoder().wrapAndApplyHeader(message, 0, new MessageHeaderDecoder());
                servers.welcome(hello, epoch, 0);
            }
            case PushDecoder.TEMPLATE_ID ->
                onPush(new PushDecoder().wrapAndApplyHeader(message, 0, header), message);
            case ClockDoneDecoder.TEMPLATE_ID -> acknowledge(
                new ClockDoneDecoder().wrapAndApplyHeader(message, 0, header).sequence());
            case PullDecoder.TEMPLATE_ID ->
                onPull(new PullDecoder().wrapAndApplyHeader(message, 0, header), message);
            default -> waits.greet(message);
        }
    }

    private void onPush(final PushDecoder push, final UnsafeBuffer message)
    {
        final Sections sections = sections(message, 0, message.capacity());
        forms.add(sections.keyForm());
        if (isLosing)
        {
            return;
        }
        if (!whole.wrap(listsOf(push.keyList()), message, 0, message.capacity()))
        {
            servers.keysUnknown(hello, push.sequence(), 0, push.keyList());
            return;
        }
        final Sections wholeSections = sections((UnsafeBuffer)whole.buffer(), whole.offset(), whole.length());
        final long[] keys = new long[wholeSections.rowCount()];
        wholeSections.keys(0, keys.length, keys);
        taken.add(listOf(keys));
        acknowledge(push.sequence());
    }

    private static Sections sections(final UnsafeBuffer message, final int offset, final int length)
    {
        final int front = MessageHeaderDecoder.ENCODED_LENGTH + PushDecoder.BLOCK_LENGTH;
        final Sections sections = new Sections().wrap(message, offset + front, length - front);
        assertThat(sections.next()).isTrue();

        return sections;
    }

    private void onPull(final PullDecoder pull, final UnsafeBuffer message)
    {
        forms.add((int)pull.keyForm());
        if (!whole.wrap(listsOf(pull.keyList()), message, 0, message.capacity()))
        {
            servers.keysUnknown(hello, 0, pull.requestId(), pull.keyList());
            return;
        }
        final PullDecoder wholePull =
            new PullDecoder().wrapAndApplyHeader(whole.buffer(), whole.offset(), new MessageHeaderDecoder());
        final long[] keys = new long[wholePull.rowCount()];
        KeyForm.read(wholePull.keyForm(), whole.buffer(), wholePull.limit() + PullDecoder.bodyHeaderLength(), 0,
            keys.length, keys);
        taken.add(listOf(keys));
        servers.rows(pull.requestId(), pull.rowCount());
    }

    private KeyLists listsOf(final long number)
    {
        return number > 0 ? lists : null;
    }

    private void acknowledge(final long sequence)
    {
        servers.watermarks(INCARNATION, 1, new long[]{epoch, sequence});
    }
}
