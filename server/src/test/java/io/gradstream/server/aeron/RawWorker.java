// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.aeron;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.logbuffer.Header;
import io.gradstream.codecs.Streams;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.ConnectEncoder;
import io.gradstream.codecs.wire.ConnectRefusedDecoder;
import io.gradstream.codecs.wire.ConnectedDecoder;
import io.gradstream.codecs.wire.CreateTableEncoder;
import io.gradstream.codecs.wire.HelloEncoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PullEncoder;
import io.gradstream.codecs.wire.RefusedDecoder;
import io.gradstream.codecs.wire.RowsDecoder;
import io.gradstream.codecs.wire.TableCreatedDecoder;
import io.gradstream.codecs.wire.WatermarksDecoder;
import io.gradstream.codecs.wire.WelcomeDecoder;
import io.gradstream.driver.client.LocalIngress;
import io.gradstream.server.node.PushFrame;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A worker of one slot and one partition that speaks plain SBE and remembers the last answer of each kind.
 */
final class RawWorker implements AutoCloseable
{
    private static final long TIMEOUT_NS = 15_000_000_000L;
    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;

    private final Aeron aeron;
    private final Subscription responses;
    private final ExclusivePublication requests;
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64 * 1024]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private final FragmentAssembler assembler = new FragmentAssembler(this::onFragment);
    private final long incarnation;
    private final boolean isLocal;
    private long helloId;
    long connectedId;
    long epoch;
    long lastSequence = -1;
    long recorded;
    long createdRequestId;
    long connectRefusedId;
    int refusedCode;
    int rowsReceived;
    boolean isPullDone;
    final float[] values = new float[4096];

    RawWorker(final String aeronDirectoryName, final String serverEndpoint, final long incarnation)
    {
        this(aeronDirectoryName, serverEndpoint, incarnation, 0);
    }

    /** One that speaks with a process of the node over IPC, or with 0 over UDP. */
    RawWorker(
        final String aeronDirectoryName, final String serverEndpoint, final long incarnation, final long ofProcess)
    {
        this.incarnation = incarnation;
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(aeronDirectoryName));
        isLocal = 0 != ofProcess;
        responses = aeron.addSubscription(
            isLocal ? "aeron:ipc" : "aeron:udp?endpoint=127.0.0.1:0", Streams.RESPONSE);
        requests = isLocal ? aeron.addExclusivePublication(
            "aeron:ipc", LocalIngress.find(aeron, serverEndpoint, ofProcess)) :
            aeron.addExclusivePublication("aeron:udp?endpoint=" + serverEndpoint, Streams.INGRESS);
    }

    void connect()
    {
        await(() -> null != responses.tryResolveChannelEndpointPort());
        connect(7, isLocal ? "aeron:ipc" : responses.tryResolveChannelEndpointPort());
        await(() -> 7 == connectedId);
    }

    /** Ask to connect, and wait until the node says that it has no room. */
    void connectInVain()
    {
        await(() -> null != responses.tryResolveChannelEndpointPort());
        connect(8, isLocal ? "aeron:ipc" : responses.tryResolveChannelEndpointPort());
        await(() -> 8 == connectRefusedId);
    }

    void connect(final long correlationId, final String responseChannel)
    {
        final ConnectEncoder connect = new ConnectEncoder();
        connect.wrapAndApplyHeader(buffer, 0, header)
            .correlationId(correlationId).incarnation(incarnation).jobId(1).slot(3)
            .responseStreamId(Streams.RESPONSE).responseChannel(responseChannel);
        send(connect.encodedLength());
    }

    void hello(final int partition)
    {
        lastSequence = -1;
        // who takes a slot over is told to ask again until that is recorded
        while (lastSequence < 0)
        {
            refusedCode = 0;
            sendHello(partition);
            await(() -> lastSequence >= 0 || 0 != refusedCode);
            assertThat(refusedCode).isIn(0, Refusal.BUSY.code());
        }
    }

    void sendHello(final int partition)
    {
        lastSequence = -1;
        final HelloEncoder hello = new HelloEncoder();
        hello.wrapAndApplyHeader(buffer, 0, header)
            .incarnation(incarnation).oldestKept(1).partition(partition).slot(3).clock(0).helloId(++helloId);
        send(hello.encodedLength());
    }

    void createTable(final TableSpec spec, final int partition, final long requestId)
    {
        final CreateTableEncoder create = new CreateTableEncoder();
        create.wrapAndApplyHeader(buffer, 0, header)
            .epoch(epoch).requestId(requestId).rows(spec.rows()).initialiserSeed(spec.initialiserSeed())
            .partition(partition).slot(3).tableId(spec.tableId()).dim(spec.dim())
            .elementType((short)spec.elementType().code()).initialiser((short)spec.initialiser())
            .initialiserScale(spec.initialiserScale()).name(spec.name()).function(spec.function());
        send(create.encodedLength());
        await(() -> requestId == createdRequestId);
    }

    void push(final PushFrame frame)
    {
        await(() -> requests.offer(frame.buffer(), 0, frame.length()) > 0);
    }

    void pull(final long requestId, final int partition, final long afterSequence, final long[] keys)
    {
        rowsReceived = 0;
        isPullDone = false;
        final PullEncoder pull = new PullEncoder();
        final UnsafeBuffer body = new UnsafeBuffer(new byte[keys.length * Long.BYTES]);
        for (int i = 0; i < keys.length; i++)
        {
            body.putLong(i * Long.BYTES, keys[i], ByteOrder.LITTLE_ENDIAN);
        }
        pull.wrapAndApplyHeader(buffer, 0, header)
            .epoch(epoch).requestId(requestId).lastSequence(afterSequence).incarnation(incarnation)
            .partition(partition).slot(3).tableId(0).rowCount(keys.length).keyForm((short)1)
            .keyList(0).putBody(body, 0, body.capacity());
        send(pull.encodedLength());
    }

    void await(final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!condition.getAsBoolean())
        {
            responses.poll(assembler, 10);
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new AssertionError("not reached in time, refusedCode=" + refusedCode + " epoch=" + epoch);
            }
            Thread.yield();
        }
    }

    @Override
    public void close()
    {
        CloseHelper.close(aeron);
    }

    private void send(final int bodyLength)
    {
        await(() -> requests.offer(buffer, 0, HEADER_LENGTH + bodyLength) > 0);
    }

    private void onFragment(final DirectBuffer source, final int offset, final int length, final Header aeronHeader)
    {
        headerDecoder.wrap(source, offset);
        switch (headerDecoder.templateId())
        {
            case ConnectRefusedDecoder.TEMPLATE_ID -> connectRefusedId =
                new ConnectRefusedDecoder().wrapAndApplyHeader(source, offset, headerDecoder).correlationId();
            case ConnectedDecoder.TEMPLATE_ID -> connectedId =
                new ConnectedDecoder().wrapAndApplyHeader(source, offset, headerDecoder).correlationId();
            case WelcomeDecoder.TEMPLATE_ID ->
            {
                final WelcomeDecoder welcome = new WelcomeDecoder().wrapAndApplyHeader(source, offset, headerDecoder);
                assertThat(welcome.incarnation()).isEqualTo(incarnation);
                assertThat(welcome.helloId()).isEqualTo(helloId);
                epoch = welcome.epoch();
                lastSequence = welcome.lastSequence();
            }
            case WatermarksDecoder.TEMPLATE_ID ->
            {
                final WatermarksDecoder watermarks =
                    new WatermarksDecoder().wrapAndApplyHeader(source, offset, headerDecoder);
                for (final WatermarksDecoder.PartitionsDecoder partition : watermarks.partitions())
                {
                    recorded = partition.recorded();
                }
                for (final WatermarksDecoder.RefusalsDecoder refusal : watermarks.refusals())
                {
                    refusedCode = refusal.code();
                }
            }
            case TableCreatedDecoder.TEMPLATE_ID -> createdRequestId =
                new TableCreatedDecoder().wrapAndApplyHeader(source, offset, headerDecoder).requestId();
            case RefusedDecoder.TEMPLATE_ID -> refusedCode =
                new RefusedDecoder().wrapAndApplyHeader(source, offset, headerDecoder).code();
            case RowsDecoder.TEMPLATE_ID -> onRows(source, offset);
            default -> throw new AssertionError("templateId=" + headerDecoder.templateId());
        }
    }

    private void onRows(final DirectBuffer source, final int offset)
    {
        final RowsDecoder rows = new RowsDecoder().wrapAndApplyHeader(source, offset, headerDecoder);
        final int dim = rows.valuesLength() / Float.BYTES / rows.rowCount();
        final int first = rows.limit() + RowsDecoder.valuesHeaderLength();
        for (int i = 0; i < rows.rowCount() * dim; i++)
        {
            values[rows.rowOffset() * dim + i] = source.getFloat(first + i * Float.BYTES, ByteOrder.LITTLE_ENDIAN);
        }
        rowsReceived += rows.rowCount();
        isPullDone = 1 == rows.last();
    }
}
