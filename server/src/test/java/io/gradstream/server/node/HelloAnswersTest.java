// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.ConnectEncoder;
import io.gradstream.codecs.wire.HelloEncoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.RefusedDecoder;
import io.gradstream.codecs.wire.WatermarksDecoder;
import io.gradstream.codecs.wire.WelcomeDecoder;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever a server says about a hello or a part names the process and the hello it is for.
 */
class HelloAnswersTest
{
    private static final int SLOT = 3;
    private static final TableSpec TABLE = TableSpec.sparse(0, "weights", 2, "add/1");

    private final InMemoryStorage storage = new InMemoryStorage();
    private final Partition partition = new Partition(
        1, 0, 0, new PartitionFunction(1), (p, spec, length) -> new InMemoryRowStore(length, 16));
    private final LoneChain chain = new LoneChain();
    private final Replica replica = new Replica(0, 1, 0, storage, partition, chain);
    private final HostedPartition copy =
        new HostedPartition(partition, storage, replica, SnapshotThreshold.fixed(Long.MAX_VALUE));
    private final NodeCounters counters = new NodeCounters();
    private final LastAnswer answers = new LastAnswer();
    private final HostedPartitions partitions = new HostedPartitions();
    private final WorkerConnections connections =
        new WorkerConnections((id) -> 1 == id, new ConnectionLimit(64), (endpoint, streamId) -> answers,
        ServedPartition.KEY_LIST_BYTES, counters);
    private final WorkerRequests requests = new WorkerRequests(new NodeIdentity(1, 0, 1, "127.0.0.1:1"), partitions,
        connections, 128 * 1024, NodeTiming.SIGN_OF_LIFE_NS, (copy) -> {}, counters);
    private final IngressAdapter adapter = new IngressAdapter(requests);
    private final WatermarksPublisher watermarks = new WatermarksPublisher(0, 1, List.of(copy), 64 * 1024);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
    private int awaited;

    @BeforeEach
    void serve()
    {
        partitions.add(copy);
        while (!copy.isPrimary())
        {
            record();
        }
        copy.mayAnswer(true);
        partition.onCreateTable(TABLE, partition.epoch());
    }

    @Test
    void shouldNameTheHelloThatIsRefusedAndTheOneThatIsWelcomed()
    {
        connect(9, 5);
        hello(9, 5, 41);
        final RefusedDecoder busy = refused();
        assertThat(Refusal.of(busy.code())).isEqualTo(Refusal.BUSY);
        assertThat(busy.helloId()).isEqualTo(41);
        assertThat(busy.incarnation()).isEqualTo(5);

        record();
        hello(9, 5, 42);
        final WelcomeDecoder welcome =
            new WelcomeDecoder().wrapAndApplyHeader(answers.last, 0, headerDecoder);
        assertThat(welcome.helloId()).isEqualTo(42);
        assertThat(welcome.incarnation()).isEqualTo(5);
        assertThat(welcome.lastIncarnation()).isZero();
    }

    @Test
    void shouldNameWithARefusedPartTheHelloOfItsConnection()
    {
        attach(9, 5, 42);
        push(9, 5, 7);
        assertThat(Refusal.of(refused().code())).isEqualTo(Refusal.SEQUENCE_GAP);
        assertThat(refused().helloId()).isEqualTo(42);
        assertThat(refused().expected()).isEqualTo(1);

        connect(10, 5);
        push(10, 5, 7);
        assertThat(refused().helloId()).isZero();
        assertThat(refused().incarnation()).isEqualTo(5);
    }

    @Test
    void shouldNameTheHelloOfAReplacedProcessThatIsFenced()
    {
        attach(9, 6, 1);
        connect(10, 5);
        hello(10, 5, 17);

        assertThat(Refusal.of(refused().code())).isEqualTo(Refusal.FENCED);
        assertThat(refused().helloId()).isEqualTo(17);
        assertThat(refused().incarnation()).isEqualTo(5);
        assertThat(refused().expected()).as("the newest process").isEqualTo(6);
    }

    @Test
    void shouldNameTheNewestOfHolderAndBackupToAProcessThatIsFenced()
    {
        attach(9, 6, SlotRole.backedUp(1));
        attach(10, 9, SlotRole.backup(1));
        connect(11, 4, SlotRole.backedUp(1));
        hello(11, 4, 17);

        assertThat(Refusal.of(refused().code())).isEqualTo(Refusal.FENCED);
        assertThat(refused().expected()).isEqualTo(9);
    }

    /** One that no partition takes hurts nobody, neither before nor after it has ended. */
    @Test
    void shouldKeepTheProcessThatTrainsWhenTheSlotIsRefusedToANewerOne()
    {
        attach(9, 5, 42);
        assertRefused(6, SlotRole.backup(1));
        assertKept(9, 5, SlotRole.SOLE);
    }

    @Test
    void shouldKeepHolderAndBackupWhenNewerOnesAreRefusedThatCountOtherwise()
    {
        attach(9, 5, SlotRole.backedUp(1));
        assertRefused(6, SlotRole.backedUp(2));
        assertKept(9, 5, SlotRole.backedUp(1));

        attach(10, 7, SlotRole.backup(1));
        assertRefused(8, SlotRole.backup(2));
        assertKept(9, 5, SlotRole.backedUp(1));
        assertKept(10, 7, SlotRole.backup(1));
    }

    @Test
    void shouldNameProcessAndEpochWithWatermarksAndRefusals()
    {
        attach(9, 5, 42);
        final PushFrame frame = PushFrame.of(0, partition.epoch(), 1, 5, 1, 4);
        take(9, frame.buffer(), frame.length());

        assertThat(watermarks.publish(connections.sender(9, SLOT, 5, 0), true)).isTrue();

        final WatermarksDecoder told =
            new WatermarksDecoder().wrapAndApplyHeader(answers.last, 0, headerDecoder);
        assertThat(told.incarnation()).isEqualTo(5);
        assertThat(told.partitions().next().applied()).isEqualTo(1);
        final WatermarksDecoder.RefusalsDecoder refusal = told.refusals().next();
        assertThat(refusal.sequence()).isEqualTo(1);
        assertThat(refusal.epoch()).isEqualTo(partition.epoch());
    }

    @Test
    void shouldSendPushesToTheNextPrimaryOnceItHasStoppedToHandTheLeadOver()
    {
        attach(9, 5, 42);
        replica.seal();
        push(9, 5, 1);

        assertThat(Refusal.of(refused().code())).isEqualTo(Refusal.NOT_PRIMARY);
        assertThat(partition.nextSequence(SLOT)).isEqualTo(1);
    }

    @Test
    void shouldTellNothingToAProcessWhoseSlotAnotherOneHolds()
    {
        attach(9, 5, 42);
        assertThat(watermarks.publish(connections.sender(9, SLOT, 5, 0), false)).isTrue();

        copy.onHello(SLOT, 6, SlotRole.SOLE, 0, 0);
        push(9, 5, 1);

        assertThat(Refusal.of(refused().code())).isEqualTo(Refusal.FENCED);
        connections.sender(9, SLOT, 5, 0).attach(0);
        assertThat(watermarks.publish(connections.sender(9, SLOT, 5, 0), false)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0, true, true", "1, true, false", "2, true, false", "3, false, true", "200, true, true"})
    void shouldTellAtOnceOnlyWhatIsWaitedFor(
        final int awaited, final boolean isToldWhenApplied, final boolean isToldWhenRecorded)
    {
        this.awaited = awaited;
        attach(9, 5, 42);
        final WorkerConnection connection = connections.sender(9, SLOT, 5, 0);
        assertThat(watermarks.publish(connection, false)).as("what it attaches to").isTrue();
        assertThat(watermarks.publish(connection, false)).isFalse();

        push(9, 5, 1);
        assertThat(watermarks.publish(connection, false)).isEqualTo(isToldWhenApplied);
        assertThat(watermarks.takeRecordingAwaited()).isEqualTo(isToldWhenRecorded);
        record();
        assertThat(watermarks.publish(connection, false)).isEqualTo(isToldWhenRecorded);
        assertThat(watermarks.publish(connection, false)).isFalse();
        assertThat(watermarks.takeRecordingAwaited()).isFalse();

        assertThat(connection.startSignOfLife(NodeTiming.SIGN_OF_LIFE_NS, NodeTiming.SIGN_OF_LIFE_NS)).isTrue();
        assertThat(watermarks.publish(connection, false)).as("a sign of life tells everything").isTrue();
        final WatermarksDecoder.PartitionsDecoder told =
            new WatermarksDecoder().wrapAndApplyHeader(answers.last, 0, headerDecoder).partitions().next();
        assertThat(told.applied()).isEqualTo(1);
        assertThat(told.recorded()).isEqualTo(1);
    }

    private void assertRefused(final long incarnation, final SlotRole role)
    {
        connect(20, incarnation, role);
        hello(20, incarnation, 1);
        assertThat(Refusal.of(refused().code())).isEqualTo(Refusal.ROLE_MISMATCH);
    }

    private void assertKept(final int session, final long incarnation, final SlotRole role)
    {
        assertThat(connections.sender(session, SLOT, incarnation, 0)).as("which is connected").isNotNull();
        attach(session, incarnation, role);
    }

    private void attach(final int session, final long incarnation, final SlotRole role)
    {
        connect(session, incarnation, role);
        hello(session, incarnation, 2);
        record();
        hello(session, incarnation, 3);
        assertThat(headerDecoder.wrap(answers.last, 0).templateId()).isEqualTo(WelcomeDecoder.TEMPLATE_ID);
    }

    private void attach(final int session, final long incarnation, final long helloId)
    {
        connect(session, incarnation);
        hello(session, incarnation, helloId);
        record();
        hello(session, incarnation, helloId);
        assertThat(headerDecoder.wrap(answers.last, 0).templateId()).isEqualTo(WelcomeDecoder.TEMPLATE_ID);
    }

    private void connect(final int session, final long incarnation)
    {
        connect(session, incarnation, SlotRole.SOLE);
    }

    private void connect(final int session, final long incarnation, final SlotRole role)
    {
        final ConnectEncoder connect = new ConnectEncoder();
        connect.wrapAndApplyHeader(buffer, 0, header).correlationId(1).incarnation(incarnation).jobId(1).slot(SLOT)
            .role((short)role.code()).partsPerClock((short)role.partsPerClock())
            .responseStreamId(102).responseChannel("aeron:udp?endpoint=127.0.0.1:40123");
        take(session, buffer, MessageHeaderEncoder.ENCODED_LENGTH + connect.encodedLength());
    }

    private void hello(final int session, final long incarnation, final long helloId)
    {
        final HelloEncoder hello = new HelloEncoder();
        hello.wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnation).oldestKept(0).partition(0).slot(SLOT).clock(0).helloId(helloId)
            .awaited((short)awaited);
        take(session, buffer, MessageHeaderEncoder.ENCODED_LENGTH + hello.encodedLength());
    }

    private void push(final int session, final long incarnation, final long sequence)
    {
        final PushFrame frame = PushFrame.of(0, partition.epoch(), sequence, incarnation, TABLE.dim(), 4);
        take(session, frame.buffer(), frame.length());
    }

    private void take(final int session, final DirectBuffer message, final int length)
    {
        assertThat(adapter.onMessage(session, message, 0, length)).isTrue();
    }

    private RefusedDecoder refused()
    {
        return new RefusedDecoder().wrapAndApplyHeader(answers.last, 0, headerDecoder);
    }

    private void record()
    {
        storage.recordAll();
        chain.drive(replica);
    }

    /**
     * A worker that takes everything and keeps what was said last.
     */
    private static final class LastAnswer implements ResponseStream
    {
        private UnsafeBuffer last;

        @Override
        public int doWork()
        {
            return 0;
        }

        @Override
        public boolean isConnected()
        {
            return true;
        }

        @Override
        public boolean isClosed()
        {
            return false;
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
        public boolean offer(final DirectBuffer message, final int offset, final int length)
        {
            final byte[] bytes = new byte[length];
            message.getBytes(offset, bytes);
            last = new UnsafeBuffer(bytes);

            return true;
        }

        @Override
        public void close()
        {
            // nothing is open
        }
    }
}
