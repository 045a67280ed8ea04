// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.ConnectEncoder;
import io.gradstream.codecs.wire.HelloEncoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.OutcomesKnownEncoder;
import io.gradstream.codecs.wire.WatermarksDecoder;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.InMemoryStorage;
import io.gradstream.server.partition.LoneChain;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.share.ConnectionLimit;
import io.gradstream.server.snapshot.SnapshotThreshold;
import io.gradstream.server.table.InMemoryRowStore;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A worker of which more is refused than one message tells, and which pushes nothing more: it hears of all of it.
 */
class ManyRefusalsToldTest
{
    private static final int SLOT = 3;
    private static final int SESSION = 9;
    private static final int WRONG_DIM = 1;
    private static final int SAFE_EVERY = 1000;
    private static final TableSpec TABLE = TableSpec.sparse(0, "weights", 2, "add/1");

    /** Of the newest connection. */
    private KeptStream stream;
    private final NodeCounters counters = new NodeCounters();
    private final HostedPartitions partitions = new HostedPartitions();
    private final List<Hosted> hosted = new ArrayList<>();
    private final WorkerConnections connections =
        new WorkerConnections((id) -> 1 == id, new ConnectionLimit(64), (endpoint, streamId) ->
        {
            stream = new KeptStream();
            return stream;
        }, ServedPartition.KEY_LIST_BYTES, counters);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
    private long incarnation = 5;
    private WorkerRequests requests;
    private IngressAdapter adapter;
    private WatermarksPublisher watermarks;

    /** A partition that this node serves alone. */
    private static final class Hosted
    {
        private final InMemoryStorage storage = new InMemoryStorage();
        private final LoneChain chain = new LoneChain();
        private final Partition partition;
        private final Replica replica;
        private final HostedPartition copy;

        Hosted(final int number)
        {
            partition = new Partition(1, number, 0, new PartitionFunction(2),
                (p, spec, length) -> new InMemoryRowStore(length, 16));
            replica = new Replica(0, 1, number, storage, partition, chain);
            copy = new HostedPartition(partition, storage, replica, SnapshotThreshold.fixed(Long.MAX_VALUE));
        }

        void record()
        {
            storage.recordAll();
            chain.drive(replica);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldTellAllWhenTheWorkerSaysWhatItKnows(final boolean isByHello)
    {
        start(1, 64 * 1024);
        refuse(0, 5000);
        final List<Long> told = new ArrayList<>();
        long through = 0;
        for (int round = 0; through < 5000 && round < 10; round++)
        {
            through = tell(0, told);
            assertThat(publish()).as("the same again, once").isEqualTo(through < 5000);
            assertThat(publish()).as("and no more before the worker knows some").isFalse();
            if (isByHello)
            {
                hello(0, through + 1);
            }
            else
            {
                known(0, through);
            }
        }

        assertThat(through).isEqualTo(5000);
        assertThat(told).hasSize(5000).doesNotHaveDuplicates().isSorted();
        publish();
        assertThat(publish()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {192, 1024, 64 * 1024})
    void shouldFitEachMessageAndKeepBackNoPartitionForAnother(final int maxResponseLength)
    {
        start(2, maxResponseLength);
        stream.maxMessageLength = maxResponseLength;
        refuse(0, 3000);
        refuse(1, 3);
        final List<Long> told = new ArrayList<>();
        for (int round = 0; told.size() < 3 && round < 10; round++)
        {
            tell(1, told);
        }

        assertThat(told).containsExactly(1L, 2L, 3L);
        assertThat(stream.longest).isLessThanOrEqualTo(maxResponseLength);
    }

    @Test
    void shouldTellOfAPartitionThoughAnotherOneFillsEachMessageAndMoves()
    {
        start(2, 1024);
        refuse(0, 3000);
        refuse(1, 3);
        final List<Long> told = new ArrayList<>();
        int last = 3000;
        for (int round = 0; told.size() < 3 && round < 10; round++)
        {
            tell(1, told);
            refuse(0, last + 1, last + 5);
            last += 5;
        }

        assertThat(told).containsExactly(1L, 2L, 3L);
    }

    @Test
    void shouldTellAProcessThatTakesTheSlotOverNothingOfThePartsBefore()
    {
        start(1, 64 * 1024);
        refuse(0, 5000);
        incarnation++;
        connect();
        hello(0, 0);
        hosted.get(0).record();
        hello(0, 0);

        final List<Long> told = new ArrayList<>();
        assertThat(tell(0, told)).isEqualTo(5000);
        assertThat(told).isEmpty();

        refuse(0, 5001, 5003);
        hello(0, 0);
        assertThat(tell(0, told)).as("a hello that comes late").isEqualTo(5003);
        assertThat(told).containsExactly(5001L, 5002L, 5003L);
    }

    private void start(final int count, final int maxResponseLength)
    {
        for (int number = 0; number < count; number++)
        {
            final Hosted one = new Hosted(number);
            hosted.add(one);
            partitions.add(one.copy);
            while (!one.copy.isPrimary())
            {
                one.record();
            }
            one.copy.mayAnswer(true);
            one.partition.onCreateTable(TABLE, one.partition.epoch());
        }
        requests = new WorkerRequests(new NodeIdentity(1, 0, 1, "127.0.0.1:1"), partitions, connections,
            128 * 1024, NodeTiming.SIGN_OF_LIFE_NS, (copy) -> {}, counters);
        adapter = new IngressAdapter(requests);
        watermarks = new WatermarksPublisher(0, 1, partitions.all(), maxResponseLength);
        connect();
        for (int number = 0; number < count; number++)
        {
            hello(number, 0);
            hosted.get(number).record();
            hello(number, 0);
        }
    }

    private void connect()
    {
        final ConnectEncoder connect = new ConnectEncoder();
        connect.wrapAndApplyHeader(buffer, 0, header).correlationId(1).incarnation(incarnation).jobId(1).slot(SLOT)
            .role((short)0).partsPerClock((short)0)
            .responseStreamId(102).responseChannel("aeron:udp?endpoint=127.0.0.1:40123");
        take(buffer, MessageHeaderEncoder.ENCODED_LENGTH + connect.encodedLength());
    }

    private void refuse(final int number, final int count)
    {
        refuse(number, 1, count);
    }

    private void refuse(final int number, final int from, final int count)
    {
        for (int sequence = from; sequence <= count; sequence++)
        {
            final PushFrame frame = PushFrame.of(
                number, hosted.get(number).partition.epoch(), sequence, incarnation, WRONG_DIM, 4);
            take(frame.buffer(), frame.length());
            if (0 == sequence % SAFE_EVERY || count == sequence)
            {
                hosted.get(number).record();
                hosted.get(number).copy.updateWatermarks(SLOT);
            }
        }
    }

    private boolean publish()
    {
        return watermarks.publish(connections.sender(SESSION, SLOT, incarnation, 0), false);
    }

    /** One message: add the refusals of a partition that it tells, and return how far it says the partition is. */
    private long tell(final int number, final List<Long> told)
    {
        assertThat(publish()).isTrue();
        final UnsafeBuffer message = new UnsafeBuffer(stream.messages.get(stream.messages.size() - 1));
        final WatermarksDecoder decoder = new WatermarksDecoder().wrapAndApplyHeader(message, 0, headerDecoder);
        long recorded = -1;
        for (final WatermarksDecoder.PartitionsDecoder entry : decoder.partitions())
        {
            recorded = entry.partition() == number ? entry.recorded() : recorded;
        }
        for (final WatermarksDecoder.RefusalsDecoder refusal : decoder.refusals())
        {
            if (refusal.partition() == number)
            {
                told.add(refusal.sequence());
            }
        }
        final long last = recorded;
        assertThat(told).as("no watermark passes what is not told").allMatch((sequence) -> sequence <= last);

        return recorded;
    }

    private void known(final int number, final long through)
    {
        final OutcomesKnownEncoder known = new OutcomesKnownEncoder();
        known.wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnation).acknowledgedThrough(through).partition(number).slot(SLOT);
        take(buffer, MessageHeaderEncoder.ENCODED_LENGTH + known.encodedLength());
    }

    private void hello(final int number, final long oldestKept)
    {
        final HelloEncoder hello = new HelloEncoder();
        hello.wrapAndApplyHeader(buffer, 0, header).incarnation(incarnation).oldestKept(oldestKept)
            .partition(number).slot(SLOT).clock(0).helloId(1).awaited((short)3);
        take(buffer, MessageHeaderEncoder.ENCODED_LENGTH + hello.encodedLength());
    }

    private void take(final DirectBuffer message, final int length)
    {
        assertThat(adapter.onMessage(SESSION, message, 0, length)).isTrue();
    }
}
