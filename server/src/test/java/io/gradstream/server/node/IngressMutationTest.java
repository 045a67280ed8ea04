// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.WireFrames;
import io.gradstream.codecs.keys.KeyLists;
import io.gradstream.codecs.keys.ShortMessages;
import io.gradstream.codecs.wire.ConnectEncoder;
import io.gradstream.codecs.wire.CreateTableEncoder;
import io.gradstream.codecs.wire.DescribeEncoder;
import io.gradstream.codecs.wire.HelloEncoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PullEncoder;
import io.gradstream.codecs.wire.PushEncoder;
import io.gradstream.codecs.wire.TakeModelEncoder;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.node.NodeCounters.Counter;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.InMemoryStorage;
import io.gradstream.server.partition.LoneChain;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.share.ConnectionLimit;
import io.gradstream.server.snapshot.SnapshotThreshold;
import io.gradstream.server.table.InMemoryRowStore;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

class IngressMutationTest
{
    private static final int FRAMES = 200_000;
    private static final int SESSION = 9;
    private static final int SLOT = 3;
    private static final int MAX_LENGTH = 4096;
    private static final int MAX_CONNECTIONS = 64;
    private static final ConnectionLimit LIMIT = new ConnectionLimit(MAX_CONNECTIONS);
    private static final TableSpec TABLE = TableSpec.sparse(0, "weights", 2, "add/1");

    private final InMemoryStorage storage = new InMemoryStorage();
    private final Partition partition = new Partition(
        1, 0, 0, new PartitionFunction(1), (p, spec, length) -> new InMemoryRowStore(length, 512));
    private final LoneChain chain = new LoneChain();
    private final Replica replica = new Replica(0, 1, 0, storage, partition, chain);
    private final HostedPartition copy =
        new HostedPartition(partition, storage, replica, SnapshotThreshold.fixed(Long.MAX_VALUE));
    private final NodeCounters counters = new NodeCounters();
    private final HostedPartitions partitions = new HostedPartitions();
    private final WorkerConnections connections =
        new WorkerConnections((id) -> 1 == id, LIMIT, (endpoint, streamId) -> new OpenStream(),
        ServedPartition.KEY_LIST_BYTES, counters);
    private final WorkerRequests requests = new WorkerRequests(new NodeIdentity(1, 0, 1, "127.0.0.1:1"), partitions,
        connections, 128 * 1024, NodeTiming.SIGN_OF_LIFE_NS, (copy) -> {}, counters);
    private final IngressAdapter adapter = new IngressAdapter(requests);
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[MAX_LENGTH]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final WireFrames frames = new WireFrames();

    @Test
    void shouldLiveAndKeepItsStateWhenFramesAreMutated()
    {
        partitions.add(copy);
        while (!copy.isPrimary())
        {
            chain.drive(replica);
            storage.recordAll();
        }
        copy.mayAnswer(true);
        final List<byte[]> originals = originals();
        for (final byte[] original : originals)
        {
            assertThat(adapter.onMessage(SESSION, new UnsafeBuffer(original), 0, original.length)).isTrue();
        }
        assertThat(partition.lastSequence(SLOT)).as("of the push that names its keys").isEqualTo(2);
        assertThat(requests.pulls().doWork(0)).as("of the pulls").isPositive();
        assertThat(counters.get(Counter.REFUSED_MESSAGES)).as("of the model alone").isEqualTo(1);

        final Random random = new Random(20260101);
        long refused = 0;
        long described = 0;
        for (int i = 0; i < FRAMES; i++)
        {
            final int length = mutate(originals.get(random.nextInt(originals.size())), random);
            final boolean isSound = Refusal.NONE == frames.checkFromWorker(scratch, 0, length);
            final long before = isSound ? 0 : partition.stateHash();
            adapter.onMessage(SESSION, scratch, 0, length);
            if (!isSound)
            {
                refused++;
                assertThat(partition.stateHash()).as("frame %d", i).isEqualTo(before);
            }
            requests.pulls().doWork(0);
            described += requests.descriptions().doWork();
            storage.recordAll();
            partition.progress().onPositions(SLOT, Long.MAX_VALUE, Long.MAX_VALUE, 0);
            if (null == connections.sender(SESSION, SLOT, 5, 0))
            {
                adapter.onMessage(SESSION, new UnsafeBuffer(originals.get(0)), 0, originals.get(0).length);
            }
        }
        assertThat(refused).isGreaterThan(FRAMES / 4);
        assertThat(described).isGreaterThan(FRAMES / 1000);
        assertThat(counters.get(Counter.MALFORMED_FRAMES)).isGreaterThan(FRAMES / 4);
        assertThat(counters.get(Counter.CONNECTIONS)).isLessThanOrEqualTo(MAX_CONNECTIONS);
    }

    /** A worker of another version would wait for ever, and nothing would say why. */
    @Test
    void shouldCountWhatComesFromAnotherVersion()
    {
        final byte[] older = originals().get(0);
        older[6]--;

        assertThat(adapter.onMessage(SESSION, new UnsafeBuffer(older), 0, older.length)).isTrue();
        assertThat(adapter.onMessage(SESSION, new UnsafeBuffer(older), 0, 6)).isTrue();
        older[4]--;
        assertThat(adapter.onMessage(SESSION, new UnsafeBuffer(older), 0, older.length)).isTrue();

        assertThat(counters.get(Counter.MALFORMED_FRAMES)).isEqualTo(3);
        assertThat(counters.get(Counter.OTHER_VERSION_MESSAGES)).isEqualTo(1);
    }

    private int mutate(final byte[] original, final Random random)
    {
        scratch.setMemory(0, MAX_LENGTH, (byte)random.nextInt());
        scratch.putBytes(0, original);
        int length = original.length;
        final int flips = random.nextInt(4);
        for (int i = 0; i < flips; i++)
        {
            final int at = random.nextInt(length);
            scratch.putByte(at, (byte)(scratch.getByte(at) ^ 1 << random.nextInt(8)));
        }
        switch (random.nextInt(4))
        {
            case 0 -> length = random.nextInt(length + 1);
            case 1 -> length = Math.min(MAX_LENGTH, length + random.nextInt(64));
            case 2 -> scratch.putInt(random.nextInt(length - 3), random.nextInt());
            default -> length += 0;
        }

        return length;
    }

    private List<byte[]> originals()
    {
        final List<byte[]> frameList = new ArrayList<>();
        final ConnectEncoder connect = new ConnectEncoder();
        connect.wrapAndApplyHeader(scratch, 0, header).correlationId(1).incarnation(5).jobId(1).slot(SLOT)
            .responseStreamId(102).responseChannel("aeron:udp?endpoint=127.0.0.1:40123");
        frameList.add(copy(connect.encodedLength()));
        final HelloEncoder hello = new HelloEncoder();
        hello.wrapAndApplyHeader(scratch, 0, header).incarnation(5).oldestKept(1).partition(0).slot(SLOT).clock(0);
        frameList.add(copy(hello.encodedLength()));
        final CreateTableEncoder create = new CreateTableEncoder();
        create.wrapAndApplyHeader(scratch, 0, header)
            .epoch(1).requestId(-1).rows(0).initialiserSeed(0).partition(0).slot(SLOT).tableId(0).dim(2)
            .elementType((short)1).initialiser((short)0).initialiserScale(0).name(TABLE.name())
            .function(TABLE.function());
        frameList.add(copy(create.encodedLength()));
        final PushFrame push = PushFrame.of(0, 1, 1, 5, 2, 4, 5, 6);
        scratch.putBytes(0, push.buffer(), 0, push.length());
        frameList.add(copy(push.length() - MessageHeaderEncoder.ENCODED_LENGTH));
        scratch.putLong(MessageHeaderEncoder.ENCODED_LENGTH + PushEncoder.keyListEncodingOffset(), KeyLists.WANTED);
        final ShortMessages shortened = new ShortMessages(new ExpandableArrayBuffer());
        // it brings the list that the others name
        frameList.add(shortened(shortened, push.length()));
        scratch.putLong(MessageHeaderEncoder.ENCODED_LENGTH + PushEncoder.sequenceEncodingOffset(), 2);
        frameList.add(shortened(shortened, push.length()));
        final PullEncoder named = new PullEncoder();
        final UnsafeBuffer keys = new UnsafeBuffer(new byte[3 * Long.BYTES]);
        KeyForm.write(KeyForm.KEYS, new long[]{4, 5, 6}, 0, 3, 0, keys, 0);
        named.wrapAndApplyHeader(scratch, 0, header)
            .epoch(1).requestId(2).lastSequence(0).incarnation(5).partition(0).slot(SLOT).tableId(0).rowCount(3)
            .keyForm((short)KeyForm.KEYS).clock(0).encoding((short)1).keyList(KeyLists.WANTED)
            .putBody(keys, 0, keys.capacity());
        frameList.add(shortened(shortened, MessageHeaderEncoder.ENCODED_LENGTH + named.encodedLength()));
        assertThat(shortened.bytesSaved()).isEqualTo(2 * (3 * Long.BYTES - KeyLists.HASH_LENGTH));
        final TakeModelEncoder takeModel = new TakeModelEncoder();
        takeModel.wrapAndApplyHeader(scratch, 0, header)
            .epoch(1).requestId(-9).clock(-1).incarnation(5).partition(0).slot(SLOT);
        frameList.add(copy(takeModel.encodedLength()));
        final PullEncoder pull = new PullEncoder();
        pull.wrapAndApplyHeader(scratch, 0, header)
            .epoch(1).requestId(1).lastSequence(1).incarnation(5).partition(0).slot(SLOT).tableId(0).rowCount(2)
            .keyForm((short)1).keyList(0).putBody(new byte[16], 0, 16);
        frameList.add(copy(pull.encodedLength()));
        final DescribeEncoder describe = new DescribeEncoder();
        describe.wrapAndApplyHeader(scratch, 0, header)
            .epoch(1).requestId(-2).incarnation(5).partition(0).slot(SLOT).firstTable(0).firstSlot(0);
        frameList.add(copy(describe.encodedLength()));

        return frameList;
    }

    private byte[] shortened(final ShortMessages shortened, final int length)
    {
        shortened.wrap(scratch, 0, length);
        final byte[] frame = new byte[shortened.length()];
        shortened.buffer().getBytes(shortened.offset(), frame);
        shortened.onSent();

        return frame;
    }

    private byte[] copy(final int bodyLength)
    {
        final byte[] frame = new byte[MessageHeaderEncoder.ENCODED_LENGTH + bodyLength];
        scratch.getBytes(0, frame);
        return frame;
    }

    /**
     * A worker that takes everything.
     */
    private static final class OpenStream implements ResponseStream
    {
        private boolean isClosed;

        @Override
        public int doWork()
        {
            return 0;
        }

        @Override
        public boolean isConnected()
        {
            return !isClosed;
        }

        @Override
        public boolean isClosed()
        {
            return isClosed;
        }

        @Override
        public int maxPayloadLength()
        {
            return 8160;
        }

        @Override
        public int maxMessageLength()
        {
            return 128 * 1024;
        }

        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length)
        {
            return !isClosed;
        }

        @Override
        public void close()
        {
            isClosed = true;
        }
    }
}
