// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.codecs.wire.ConnectDecoder;
import io.gradstream.codecs.wire.ConnectRefusedEncoder;
import io.gradstream.codecs.wire.ConnectedEncoder;
import io.gradstream.codecs.wire.CreateTableDecoder;
import io.gradstream.codecs.wire.HelloDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PullDecoder;
import io.gradstream.codecs.wire.PushDecoder;
import io.gradstream.codecs.wire.RefusedEncoder;
import io.gradstream.codecs.wire.RowsEncoder;
import io.gradstream.codecs.wire.TableCreatedEncoder;
import io.gradstream.codecs.wire.WatermarksEncoder;
import io.gradstream.codecs.wire.WelcomeEncoder;
import io.gradstream.worker.client.Transport.RequestStream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Servers at the other end of a transport in memory: each stream keeps what was said on it, and the test says what is
 * answered.
 */
final class SimulatedServers implements Transport
{
    /** One stream of requests, as its server has it. */
    static final class Stream implements RequestStream
    {
        final String endpoint;
        final List<UnsafeBuffer> messages = new ArrayList<>();
        boolean isConnected = true;
        boolean isClosed;
        /** The process that it leads to, where it leads to one alone. */
        long ofProcess;

        Stream(final String endpoint)
        {
            this.endpoint = endpoint;
        }

        @Override
        public boolean isConnected()
        {
            return isConnected && !isClosed;
        }

        @Override
        public boolean leadsTo(final long incarnation)
        {
            return 0 == ofProcess || incarnation == ofProcess;
        }

        @Override
        public void abandon()
        {
            close();
        }

        @Override
        public ResponseAddress responseAddress()
        {
            return new ResponseAddress("memory?endpoint=here:1", 102, "here:1");
        }

        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length)
        {
            if (isConnected())
            {
                final byte[] bytes = new byte[length];
                buffer.getBytes(offset, bytes);
                messages.add(new UnsafeBuffer(bytes));
            }

            return isConnected();
        }

        @Override
        public void close()
        {
            isClosed = true;
        }

        /** Kinds of the messages, by template id. */
        List<Integer> kinds()
        {
            return messages.stream()
                .map((message) -> new MessageHeaderDecoder().wrap(message, 0).templateId()).toList();
        }

        ConnectDecoder connect()
        {
            final MessageHeaderDecoder header = new MessageHeaderDecoder();
            return new ConnectDecoder().wrapAndApplyHeader(newest(ConnectDecoder.TEMPLATE_ID), 0, header);
        }

        HelloDecoder hello()
        {
            final MessageHeaderDecoder header = new MessageHeaderDecoder();
            return new HelloDecoder().wrapAndApplyHeader(newest(HelloDecoder.TEMPLATE_ID), 0, header);
        }

        PushDecoder push()
        {
            final MessageHeaderDecoder header = new MessageHeaderDecoder();
            return new PushDecoder().wrapAndApplyHeader(newest(PushDecoder.TEMPLATE_ID), 0, header);
        }

        PullDecoder pull()
        {
            final MessageHeaderDecoder header = new MessageHeaderDecoder();
            return new PullDecoder().wrapAndApplyHeader(newest(PullDecoder.TEMPLATE_ID), 0, header);
        }

        private UnsafeBuffer newest(final int kind)
        {
            final int index = kinds().lastIndexOf(kind);
            if (index < 0)
            {
                throw new AssertionError("no message of kind " + kind + " in " + kinds());
            }

            return messages.get(index);
        }
    }

    final List<Stream> streams = new ArrayList<>();
    private final ArrayDeque<UnsafeBuffer> answers = new ArrayDeque<>();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();

    @Override
    public RequestStream open(final String endpoint, final long incarnation)
    {
        final Stream stream = new Stream(endpoint);
        streams.add(stream);

        return stream;
    }

    @Override
    public int poll(final Receiver receiver)
    {
        int count = 0;
        while (!answers.isEmpty())
        {
            final UnsafeBuffer answer = answers.poll();
            receiver.onMessage(answer, 0, answer.capacity());
            count++;
        }

        return count;
    }

    /** The newest stream to a server. */
    Stream stream(final String endpoint)
    {
        for (int i = streams.size() - 1; i >= 0; i--)
        {
            if (streams.get(i).endpoint.equals(endpoint))
            {
                return streams.get(i);
            }
        }
        throw new AssertionError("no stream to " + endpoint);
    }

    void connected(final long correlationId, final long nodeIncarnation, final int nodeId)
    {
        final UnsafeBuffer buffer = buffer();
        answer(buffer, new ConnectedEncoder().wrapAndApplyHeader(buffer, 0, header)
            .correlationId(correlationId).nodeIncarnation(nodeIncarnation).nodeId(nodeId).encodedLength());
    }

    /** The server has no room: 384 connections of 400 are of the worker's job, and 512 is the limit. */
    void connectRefused(final long correlationId, final long nodeIncarnation, final int nodeId)
    {
        final UnsafeBuffer buffer = buffer();
        answer(buffer, new ConnectRefusedEncoder().wrapAndApplyHeader(buffer, 0, header)
            .correlationId(correlationId).nodeIncarnation(nodeIncarnation).nodeId(nodeId)
            .connections(400).ofJob(384).maxConnections(512).encodedLength());
    }

    void welcome(final HelloDecoder hello, final long epoch, final long lastSequence)
    {
        final UnsafeBuffer buffer = buffer();
        answer(buffer, new WelcomeEncoder().wrapAndApplyHeader(buffer, 0, header)
            .epoch(epoch).lastSequence(lastSequence).position(0).partition(hello.partition()).slot(hello.slot())
            .incarnation(hello.incarnation()).helloId(hello.helloId()).lastIncarnation(hello.incarnation())
            .encodedLength());
    }

    void tableCreated(final CreateTableDecoder create, final long epoch)
    {
        final UnsafeBuffer buffer = buffer();
        answer(buffer, new TableCreatedEncoder().wrapAndApplyHeader(buffer, 0, header).epoch(epoch)
            .requestId(create.requestId()).partition(create.partition()).tableId(create.tableId()).encodedLength());
    }

    /** A table is refused by a head that has stopped, or by a node that is none. */
    void notPrimary(final CreateTableDecoder create)
    {
        final UnsafeBuffer buffer = buffer();
        answer(buffer, new RefusedEncoder().wrapAndApplyHeader(buffer, 0, header)
            .epoch(0).requestId(create.requestId()).sequence(0).expected(0).partition(create.partition())
            .code((short)Refusal.NOT_PRIMARY.code()).incarnation(0).helloId(0).encodedLength());
    }

    /** A hello is refused, since the slot has had a newer process. */
    void fenced(final HelloDecoder hello, final long epoch, final long newest)
    {
        final UnsafeBuffer buffer = buffer();
        answer(buffer, new RefusedEncoder().wrapAndApplyHeader(buffer, 0, header)
            .epoch(epoch).requestId(0).sequence(0).expected(newest).partition(hello.partition())
            .code((short)Refusal.FENCED.code()).incarnation(hello.incarnation()).helloId(hello.helloId())
            .encodedLength());
    }

    /** Every watermark of partition 0 at one sequence; refused parts have the same epoch. */
    void watermarks(final long incarnation, final long nodeIncarnation, final long[] at, final long... refused)
    {
        final UnsafeBuffer buffer = buffer();
        final WatermarksEncoder watermarks = new WatermarksEncoder().wrapAndApplyHeader(buffer, 0, header)
            .nodeIncarnation(nodeIncarnation).nodeId(0).slot(0).incarnation(incarnation);
        watermarks.partitionsCount(1).next().epoch(at[0]).applied(at[1]).replicated(at[1]).recorded(at[1])
            .snapshotted(at[1]).partition(0).degraded((short)0).held(0);
        final WatermarksEncoder.RefusalsEncoder refusals = watermarks.refusalsCount(refused.length);
        Arrays.stream(refused).forEach(
            (sequence) -> refusals.next().sequence(sequence).partition(0).code((short)5).epoch(at[0]));
        answer(buffer, watermarks.encodedLength());
    }

    /** Every watermark of one partition at one sequence, in epoch 1 at the first node. */
    void watermarksOf(final int partition, final long incarnation, final long sequence)
    {
        final UnsafeBuffer buffer = buffer();
        final WatermarksEncoder watermarks = new WatermarksEncoder().wrapAndApplyHeader(buffer, 0, header)
            .nodeIncarnation(1).nodeId(0).slot(0).incarnation(incarnation);
        watermarks.partitionsCount(1).next().epoch(1).applied(sequence).replicated(sequence).recorded(sequence)
            .snapshotted(sequence).partition(partition).degraded((short)0).held(0);
        watermarks.refusalsCount(0);
        answer(buffer, watermarks.encodedLength());
    }

    /** One row of one long. */
    void row(final long requestId, final long epoch, final long position, final long value)
    {
        row(requestId, epoch, position, value, 0);
    }

    /** One row of one long, read when every slot had finished so many iterations. */
    void row(final long requestId, final long epoch, final long position, final long value, final long minClock)
    {
        final UnsafeBuffer buffer = buffer();
        final UnsafeBuffer values = new UnsafeBuffer(new byte[Long.BYTES]);
        values.putLong(0, value, MessageHeaderDecoder.BYTE_ORDER);
        answer(buffer, new RowsEncoder().wrapAndApplyHeader(buffer, 0, header)
            .epoch(epoch).position(position).requestId(requestId).minClock(minClock).partition(0)
            .rowOffset(0).rowCount(1).last((short)1).putValues(values, 0, Long.BYTES).encodedLength());
    }

    /** Rows of one long each, every one 0, of the first partition in epoch 1. */
    void rows(final long requestId, final int count)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256 + count * Long.BYTES]);
        answer(buffer, new RowsEncoder().wrapAndApplyHeader(buffer, 0, header)
            .epoch(1).position(0).requestId(requestId).minClock(0).partition(0).rowOffset(0).rowCount(count)
            .last((short)1).putValues(new byte[count * Long.BYTES], 0, count * Long.BYTES).encodedLength());
    }

    /** The server does not have the list that a push or pull names. */
    void keysUnknown(final HelloDecoder hello, final long sequence, final long requestId, final long keyList)
    {
        final UnsafeBuffer buffer = buffer();
        answer(buffer, new RefusedEncoder().wrapAndApplyHeader(buffer, 0, header)
            .epoch(1).requestId(requestId).sequence(sequence).expected(keyList).partition(0)
            .code((short)Refusal.KEYS_UNKNOWN.code()).incarnation(hello.incarnation()).helloId(hello.helloId())
            .encodedLength());
    }

    /** Rows of floats of one partition in epoch 1, read when every slot had finished so many iterations. */
    void rows(final long requestId, final int partition, final int rows, final float[] floats, final long minClock)
    {
        rows(requestId, partition, rows, floats, minClock, ValueEncoding.RAW);
    }

    /** As above, in an encoding. */
    void rows(
        final long requestId,
        final int partition,
        final int rows,
        final float[] floats,
        final long minClock,
        final ValueEncoding encoding)
    {
        final UnsafeBuffer values = new UnsafeBuffer(
            new byte[floats.length * (ValueEncoding.RAW == encoding ? Float.BYTES : encoding.elementLength())]);
        encoding.encode(floats, 0, values, 0, floats.length);
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256 + values.capacity()]);
        answer(buffer, new RowsEncoder().wrapAndApplyHeader(buffer, 0, header)
            .epoch(1).position(0).requestId(requestId).minClock(minClock).partition(partition)
            .rowOffset(0).rowCount(rows).last((short)1).encoding((short)encoding.wire())
            .putValues(values, 0, values.capacity()).encodedLength());
    }

    private static UnsafeBuffer buffer()
    {
        return new UnsafeBuffer(new byte[256]);
    }

    private void answer(final UnsafeBuffer buffer, final int encodedLength)
    {
        answers.add(new UnsafeBuffer(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + encodedLength));
    }
}
