// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.logbuffer.Header;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Streams;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.ClockDoneDecoder;
import io.gradstream.codecs.wire.ConnectDecoder;
import io.gradstream.codecs.wire.ConnectedEncoder;
import io.gradstream.codecs.wire.CreateTableDecoder;
import io.gradstream.codecs.wire.DescribeDecoder;
import io.gradstream.codecs.wire.DescriptionEncoder;
import io.gradstream.codecs.wire.DisconnectDecoder;
import io.gradstream.codecs.wire.HelloDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PullDecoder;
import io.gradstream.codecs.wire.PushDecoder;
import io.gradstream.codecs.wire.RefusedEncoder;
import io.gradstream.codecs.wire.RowsEncoder;
import io.gradstream.codecs.wire.TableCreatedEncoder;
import io.gradstream.codecs.wire.TableRefusedEncoder;
import io.gradstream.codecs.wire.SnapshotWantedDecoder;
import io.gradstream.codecs.wire.WatermarksEncoder;
import io.gradstream.codecs.wire.WelcomeEncoder;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A server that takes every push in order, remembers nothing but the last sequence, and answers pulls with the key of
 * each row in every element. Polled by the test's thread.
 */
final class EchoServer implements AutoCloseable
{
    /** A table of this name is refused. */
    static final String REFUSED_NAME = "refused";

    private static final int ROWS_PER_CHUNK = 3;

    final long[] lastSequence;
    int dim = 2;
    final List<Long> clocks = new ArrayList<>();
    int pushes;
    int nodeId;
    boolean isDegraded;
    int snapshotsWanted;
    int describes;
    int muted = -1;
    /** Pushes are taken, and nothing is said of them. */
    boolean isHolding;
    /** Pushes are taken, and held as a sequential job's, and none is applied. */
    boolean isSequential;
    /** Slots are told that what they push is held until all end the clock. */
    boolean isBound;
    /** The newest process that slots have had; older ones are fenced. */
    long newest;
    /** No partition says welcome. */
    boolean isHelloIgnored;
    int disconnects;
    /** Slots have finished, and only so much of what they pushed is safe; -1: they have not. */
    long finishedSafe = -1;
    /** What answers to pulls say of the clocks that all slots have ended. */
    long minClock;
    /** What answers to pulls say of the asking slot's own clocks that are in the values. */
    long slotClock;
    /** By partition the sequences that came. */
    final List<List<Long>> sequences = List.of(new ArrayList<>(), new ArrayList<>());
    /** A sequence that partition 0 refuses for its content. */
    long refused;
    /** By partition and slot what is described; none if null, and a slot at 0 was never seen. */
    long[][] clocksAt;
    /** By partition the clocks of each slot that a welcome tells, and the process before that pushed last; 0: this. */
    final long[] clocksBefore = new long[2];
    long predecessor;
    final long[] snapshotted;
    private final long epoch;
    private final Aeron aeron;
    private final Subscription ingress;
    private final FragmentAssembler assembler = new FragmentAssembler(this::onFragment);
    private final MessageHeaderDecoder in = new MessageHeaderDecoder();
    private final MessageHeaderEncoder out = new MessageHeaderEncoder();
    private final ArrayDeque<UnsafeBuffer> outbox = new ArrayDeque<>();
    private ExclusivePublication response;
    private UnsafeBuffer buffer;
    private long workerIncarnation;

    EchoServer(final Aeron aeron, final String endpoint, final long epoch, final long... lastSequence)
    {
        this.aeron = aeron;
        this.epoch = epoch;
        this.lastSequence = lastSequence;
        snapshotted = new long[lastSequence.length];
        ingress = aeron.addSubscription("aeron:udp?endpoint=" + endpoint, Streams.INGRESS);
    }

    void poll()
    {
        ingress.poll(assembler, 16);
        while (!outbox.isEmpty() && response.offer(outbox.peek()) > 0)
        {
            outbox.poll();
        }
    }

    public void close()
    {
        CloseHelper.closeAll(ingress, response);
    }

    private void onFragment(final DirectBuffer message, final int offset, final int length, final Header header)
    {
        in.wrap(message, offset);
        if (null == response && ConnectDecoder.TEMPLATE_ID != in.templateId())
        {
            return;
        }
        buffer = new UnsafeBuffer(new byte[512]);
        switch (in.templateId())
        {
            case ConnectDecoder.TEMPLATE_ID -> onConnect(new ConnectDecoder().wrapAndApplyHeader(message, offset, in));
            case HelloDecoder.TEMPLATE_ID -> onHello(new HelloDecoder().wrapAndApplyHeader(message, offset, in));
            case DisconnectDecoder.TEMPLATE_ID -> disconnects++;
            case CreateTableDecoder.TEMPLATE_ID ->
                onCreateTable(new CreateTableDecoder().wrapAndApplyHeader(message, offset, in));
            case PushDecoder.TEMPLATE_ID ->
            {
                final PushDecoder push = new PushDecoder().wrapAndApplyHeader(message, offset, in);
                pushes++;
                onSequence(push.partition(), push.sequence(), push.slot());
            }
            case ClockDoneDecoder.TEMPLATE_ID ->
            {
                final ClockDoneDecoder clock = new ClockDoneDecoder().wrapAndApplyHeader(message, offset, in);
                clocks.add(clock.clock());
                onSequence(clock.partition(), clock.sequence(), clock.slot());
            }
            case SnapshotWantedDecoder.TEMPLATE_ID ->
            {
                final SnapshotWantedDecoder wanted =
                    new SnapshotWantedDecoder().wrapAndApplyHeader(message, offset, in);
                snapshotsWanted++;
                snapshotted[wanted.partition()] = lastSequence[wanted.partition()];
                onSequence(wanted.partition(), -1, wanted.slot());
            }
            case DescribeDecoder.TEMPLATE_ID ->
                onDescribe(new DescribeDecoder().wrapAndApplyHeader(message, offset, in));
            case PullDecoder.TEMPLATE_ID -> onPull(new PullDecoder().wrapAndApplyHeader(message, offset, in));
            default ->
            {
            }
        }
    }

    private void onConnect(final ConnectDecoder connect)
    {
        final ConnectedEncoder connected = new ConnectedEncoder().wrapAndApplyHeader(buffer, 0, out)
            .correlationId(connect.correlationId()).nodeIncarnation(epoch).nodeId(nodeId);
        workerIncarnation = connect.incarnation();
        final int streamId = connect.responseStreamId();
        if (null == response)
        {
            response = aeron.addExclusivePublication(connect.responseChannel() + "|term-length=64k", streamId);
        }
        send(connected.encodedLength());
    }

    private void onHello(final HelloDecoder hello)
    {
        if (isHelloIgnored)
        {
            return;
        }
        if (hello.incarnation() < newest)
        {
            send(new RefusedEncoder().wrapAndApplyHeader(buffer, 0, out).epoch(epoch).requestId(0).sequence(0)
                .expected(newest).partition(hello.partition()).code((short)Refusal.FENCED.code())
                .incarnation(hello.incarnation()).helloId(hello.helloId()).encodedLength());
            return;
        }
        send(new WelcomeEncoder().wrapAndApplyHeader(buffer, 0, out).epoch(epoch)
            .lastSequence(lastSequence[hello.partition()]).position(0).partition(hello.partition())
            .slot(hello.slot()).incarnation(hello.incarnation()).helloId(hello.helloId())
            .lastIncarnation(0 == predecessor ? hello.incarnation() : predecessor)
            .safe(finishedSafe < 0 ? lastSequence[hello.partition()] : finishedSafe)
            .clock(finishedSafe < 0 ? clocksBefore[hello.partition()] : Consistency.FINISHED)
            .held(lastSequence[hello.partition()]).sequential((short)(isBound ? 1 : 0)).encodedLength());
    }

    private void onCreateTable(final CreateTableDecoder create)
    {
        if (REFUSED_NAME.equals(create.name()))
        {
            send(new TableRefusedEncoder().wrapAndApplyHeader(buffer, 0, out).epoch(epoch)
                .requestId(create.requestId()).partition(create.partition())
                .code((short)Refusal.INVALID_TABLE.code()).reason("it has no use here").encodedLength());
            return;
        }
        send(new TableCreatedEncoder().wrapAndApplyHeader(buffer, 0, out).epoch(epoch)
            .requestId(create.requestId()).partition(create.partition()).tableId(create.tableId()).encodedLength());
    }

    private void onSequence(final int partition, final long sequence, final int slot)
    {
        sequences.get(partition).add(sequence);
        if (sequence == lastSequence[partition] + 1)
        {
            lastSequence[partition]++;
        }
        if (!isHolding)
        {
            tell(partition, slot);
        }
    }

    /** Say how far the pushes of slot 0 are, and go on saying it. */
    void acknowledge()
    {
        acknowledge(0);
    }

    /** As above, of another slot. */
    void acknowledge(final int slot)
    {
        isHolding = false;
        for (int i = 0; i < lastSequence.length; i++)
        {
            buffer = new UnsafeBuffer(new byte[512]);
            tell(i, slot);
        }
    }

    private void tell(final int partition, final int slot)
    {
        final long last = lastSequence[partition];
        final long applied = isSequential ? 0 : last;
        final WatermarksEncoder watermarks = new WatermarksEncoder().wrapAndApplyHeader(buffer, 0, out)
            .nodeIncarnation(epoch).nodeId(nodeId).slot(slot).incarnation(workerIncarnation);
        watermarks.partitionsCount(1).next().epoch(epoch).applied(applied).replicated(applied).recorded(applied)
            .snapshotted(snapshotted[partition])
            .partition(partition).degraded((short)(isDegraded ? 1 : 0))
            .held(isSequential || isBound ? last : 0);
        final boolean isRefusing = 0 == partition && refused > 0;
        final WatermarksEncoder.RefusalsEncoder refusals = watermarks.refusalsCount(isRefusing ? 1 : 0);
        if (isRefusing)
        {
            refusals.next().sequence(refused).partition(0).code((short)Refusal.BAD_KEY.code()).epoch(epoch);
        }
        send(watermarks.encodedLength());
    }

    /** Two pages: the audit table, then a table of the test's and slot 4; the first answer of all is lost. */
    private void onDescribe(final DescribeDecoder describe)
    {
        describes++;
        final int partition = describe.partition();
        if (1 == describes || partition == muted)
        {
            return;
        }
        final boolean isFirst = 0 == describe.firstTable();
        final TableSpec spec = isFirst ? TableSpec.AUDIT : TableSpec.dense(3, "described", 10, 2, "add/1");
        final DescriptionEncoder page = new DescriptionEncoder().wrapAndApplyHeader(buffer, 0, out).epoch(epoch)
            .position(640).requestId(describe.requestId()).partition(partition).nextTable(isFirst ? 1 : 2)
            .nextSlot(isFirst ? 0 : 1024).joiner(9).wanted(3).last((short)(isFirst ? 0 : 1))
            .heldNs(isFirst ? 0 : 500 + partition);
        page.membersCount(2).next().nodeId(nodeId).next().nodeId(7);
        page.tablesCount(1).next().rows(spec.rows()).rowsPresent(10 + partition).initialiserSeed(0)
            .tableId(spec.tableId()).dim(spec.dim()).initialiserScale(0)
            .elementType((short)spec.elementType().code()).initialiser((short)0).rowsNotFinite(3 * partition)
            .name(spec.name())
            .function(spec.function());
        if (!isFirst && null != clocksAt)
        {
            encodeSlots(page, clocksAt[partition]);
            send(page.encodedLength());
            return;
        }
        final DescriptionEncoder.SlotsEncoder slots = page.slotsCount(isFirst ? 0 : 1);
        if (!isFirst)
        {
            slots.next().incarnation(50 - partition).clock(8 - partition).lastSequence(20 + partition).slot(4)
                .ended(9 + partition);
        }
        send(page.encodedLength());
    }

    private static void encodeSlots(final DescriptionEncoder page, final long[] clocks)
    {
        final DescriptionEncoder.SlotsEncoder slots =
            page.slotsCount((int)Arrays.stream(clocks).filter((clock) -> clock > 0).count());
        for (int slot = 0; slot < clocks.length; slot++)
        {
            if (clocks[slot] > 0)
            {
                slots.next().incarnation(1).clock(clocks[slot]).lastSequence(1).slot(slot);
            }
        }
    }

    private void onPull(final PullDecoder pull)
    {
        final int total = pull.rowCount();
        final UnsafeBuffer keys = new UnsafeBuffer(new byte[pull.bodyLength()]);
        pull.getBody(keys, 0, keys.capacity());
        for (int row = 0; row < total; row += ROWS_PER_CHUNK)
        {
            buffer = new UnsafeBuffer(new byte[512]);
            final int rows = Math.min(ROWS_PER_CHUNK, total - row);
            final UnsafeBuffer values = new UnsafeBuffer(new byte[rows * dim * Float.BYTES]);
            for (int i = 0; i < rows * dim; i++)
            {
                final int index = row + i / dim;
                values.putFloat(i * 4, KeyForm.read(pull.keyForm(), keys, 0, index));
            }
            send(new RowsEncoder().wrapAndApplyHeader(buffer, 0, out).epoch(epoch).position(0)
                .requestId(pull.requestId()).minClock(minClock).slotClock(slotClock)
                .partition(pull.partition()).rowOffset(row)
                .rowCount(rows).last((short)(row + rows == total ? 1 : 0)).putValues(values, 0, values.capacity())
                .encodedLength());
        }
    }

    private void send(final int encodedLength)
    {
        outbox.add(new UnsafeBuffer(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + encodedLength));
    }
}
