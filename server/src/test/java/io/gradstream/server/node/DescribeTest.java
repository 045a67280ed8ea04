// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.ConnectEncoder;
import io.gradstream.codecs.wire.DescribeEncoder;
import io.gradstream.codecs.wire.DescriptionDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.RefusedDecoder;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.node.PendingDescriptions.PendingDescription;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.InMemoryStorage;
import io.gradstream.server.partition.Outcome;
import io.gradstream.server.partition.PushPartHeader;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.snapshot.SnapshotThreshold;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class DescribeTest
{
    private static final int SESSION = 9;
    private static final int MAX_SLOTS = 1024;
    private static final long REQUEST_ID = -77;
    private static final String FUNCTION = "sgd/1 rate=0." + "1".repeat(TableSpec.MAX_FUNCTION_LENGTH - 13);

    private final ServedPartition served = new ServedPartition(128 * 1024).serve();
    private final InMemoryStorage storage = served.storage;
    private final Partition partition = served.partition;
    private final Replica replica = served.replica;
    private final HostedPartition copy = served.copy;
    private final KeptStream stream = served.stream;
    private final WorkerRequests requests = served.requests;
    private final IngressAdapter adapter = served.adapter;
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final PushPartHeader part = new PushPartHeader();

    @BeforeEach
    void serve()
    {
        copy.mayAnswer(true);
        connect(SESSION);
    }

    @Test
    void shouldTellAnObserverEverythingInOnePageWhenThereIsLittle()
    {
        partition.onCreateTable(TableSpec.sparse(3, "weights", 2, "add/1"), partition.epoch());
        clock(4, 1);
        describe(0, partition.epoch(), 0, 0);
        assertThat(stream.messages).isEmpty();
        assertThat(requests.descriptions().doWork()).isEqualTo(1);

        assertThat(page().toString()).contains(
            "epoch=1|position=" + partition.cursor().position() + "|requestId=-77|partition=0|nextTable=2|" +
                "nextSlot=1024|joiner=-1|wanted=1|last=1|heldNs=0",
            "members=[(nodeId=0)]", "name='_audit'", "tableId=3|dim=2|", "name='weights'|function='add/1'",
            "slots=[(incarnation=6|clock=1|lastSequence=1|slot=4|ended=1)]");
        assertThat(requests.descriptions().waitingCount()).isZero();
    }

    @Test
    void shouldTellEachTableAndSlotOnceOverPagesThatFitWhenThereAreTheMost()
    {
        for (int tableId = 0; tableId < TableSpec.MAX_TABLES; tableId++)
        {
            final String name = String.format("%0" + TableSpec.MAX_NAME_LENGTH + "d", tableId);
            assertThat(partition.onCreateTable(TableSpec.sparse(tableId, name, 1, FUNCTION), partition.epoch()))
                .isEqualTo(Outcome.APPENDED);
        }
        for (int slot = 0; slot < MAX_SLOTS; slot++)
        {
            clock(slot, 1);
        }

        final List<Integer> tables = new ArrayList<>();
        final List<Integer> slots = new ArrayList<>();
        DescriptionDecoder page = ask(0, 0);
        while (0 == page.last())
        {
            final int nextTable = page.nextTable();
            final int nextSlot = page.nextSlot();
            collect(page, tables, slots);
            assertThat(slots.size() + tables.size()).isLessThanOrEqualTo(nextTable + nextSlot);
            page = ask(nextTable, nextSlot);
        }
        collect(page, tables, slots);

        assertThat(tables).hasSize(TableSpec.MAX_TABLES + 1).doesNotHaveDuplicates().contains(-1, 0, 1023);
        assertThat(slots).hasSize(MAX_SLOTS).isSorted().doesNotHaveDuplicates();
        assertThat(stream.longest).isBetween(16 * 1024, DescriptionPublisher.MAX_LENGTH);
    }

    @Test
    void shouldSayNothingWhileItHasNoLease()
    {
        copy.mayAnswer(false);
        describe(0, partition.epoch(), 0, 0);
        requests.descriptions().doWork();
        assertThat(stream.messages).isEmpty();
        assertThat(requests.descriptions().waitingCount()).isEqualTo(1);

        copy.mayAnswer(true);
        requests.descriptions().doWork();
        assertThat(page().requestId()).isEqualTo(REQUEST_ID);
    }

    @Test
    void shouldRefuseAsAPullWhatItDoesNotServeAndAnOlderEpoch()
    {
        describe(1, partition.epoch(), 0, 0);
        assertThat(refusal()).isEqualTo(Refusal.NOT_PRIMARY);
        describe(0, partition.epoch() - 1, 0, 0);
        assertThat(refusal()).isEqualTo(Refusal.FENCED);
        assertThat(requests.descriptions().waitingCount()).isZero();
    }

    @Test
    void shouldKeepOneQuestionOfAWorkerAndNoneOfOneThatHasGone()
    {
        stream.isFull = true;
        describe(0, partition.epoch(), 0, 0);
        describe(0, partition.epoch(), 1, 0);
        requests.descriptions().doWork();
        assertThat(requests.descriptions().waitingCount()).isEqualTo(1);

        stream.isFull = false;
        requests.descriptions().doWork();
        assertThat(page().toString()).contains("tables=[]");

        describe(0, partition.epoch(), 0, 0);
        stream.close();
        requests.descriptions().doWork();
        assertThat(requests.descriptions().waitingCount()).isZero();
        assertThat(stream.messages).isEmpty();
    }

    @Test
    void shouldBeBusyBeyondItsLimit()
    {
        copy.mayAnswer(false);
        final WorkerConnection connection = served.connections.sender(SESSION, WorkerConnection.OBSERVER, 5, 0);
        for (int i = 0; i < PendingDescriptions.MAX_DESCRIPTIONS; i++)
        {
            final HostedPartition other =
                new HostedPartition(partition, storage, replica, SnapshotThreshold.fixed(Long.MAX_VALUE));
            assertThat(requests.descriptions().onDescribe(new PendingDescription(connection, other, 1, i, 0, 0)))
                .isEqualTo(Refusal.NONE);
        }
        describe(0, partition.epoch(), 0, 0);

        assertThat(refusal()).isEqualTo(Refusal.BUSY);
        assertThat(requests.descriptions().waitingCount()).isEqualTo(PendingDescriptions.MAX_DESCRIPTIONS);
    }

    private DescriptionDecoder ask(final int firstTable, final int firstSlot)
    {
        describe(0, partition.epoch(), firstTable, firstSlot);
        requests.descriptions().doWork();
        return page();
    }

    private static void collect(
        final DescriptionDecoder page, final List<Integer> tables, final List<Integer> slots)
    {
        page.members().forEach(DescriptionDecoder.MembersDecoder::nodeId);
        for (final DescriptionDecoder.TablesDecoder table : page.tables())
        {
            tables.add(table.tableId());
            table.skipName();
            table.skipFunction();
        }
        page.slots().forEach((slot) -> slots.add(slot.slot()));
    }

    private DescriptionDecoder page()
    {
        return new DescriptionDecoder().wrapAndApplyHeader(
            new UnsafeBuffer(stream.messages.remove(0)), 0, new MessageHeaderDecoder());
    }

    private Refusal refusal()
    {
        final RefusedDecoder refused = new RefusedDecoder().wrapAndApplyHeader(
            new UnsafeBuffer(stream.messages.remove(0)), 0, new MessageHeaderDecoder());
        assertThat(refused.requestId()).isEqualTo(REQUEST_ID);
        return Refusal.of(refused.code());
    }

    private void clock(final int slot, final long clock)
    {
        part.set(slot, 6, partition.epoch(), 1, 0, clock);
        assertThat(partition.onClockDone(part)).isEqualTo(Outcome.APPENDED);
    }

    private void connect(final int sessionId)
    {
        send(sessionId, new ConnectEncoder().wrapAndApplyHeader(buffer, 0, header)
            .correlationId(1).incarnation(5).jobId(1).slot(WorkerConnection.OBSERVER)
            .responseStreamId(102).responseChannel("aeron:udp?endpoint=127.0.0.1:40123").encodedLength());
    }

    private void describe(final int number, final long epoch, final int firstTable, final int firstSlot)
    {
        send(SESSION, new DescribeEncoder().wrapAndApplyHeader(buffer, 0, header)
            .epoch(epoch).requestId(REQUEST_ID).incarnation(5).partition(number).slot(WorkerConnection.OBSERVER)
            .firstTable(firstTable).firstSlot(firstSlot).encodedLength());
    }

    private void send(final int sessionId, final int bodyLength)
    {
        assertThat(adapter.onMessage(sessionId, buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + bodyLength))
            .isTrue();
    }
}
