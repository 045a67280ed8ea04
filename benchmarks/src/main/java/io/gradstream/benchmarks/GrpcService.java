// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The server's side of gRPC, on gRPC's own threads. */
final class GrpcService implements PeerService
{
    private static final long STOP_TIMEOUT_MS = 5_000;

    private final Server server;

    GrpcService(final PeerRows rows)
    {
        try
        {
            server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .directExecutor()
                .maxInboundMessageSize(GrpcMethod.MAX_MESSAGE_BYTES)
                .initialFlowControlWindow(GrpcMethod.WINDOW_BYTES)
                .addService(ServerServiceDefinition.builder(GrpcMethod.SERVICE)
                    .addMethod(GrpcMethod.TRANSFER, ServerCalls.asyncBidiStreamingCall(
                        (answers) -> new Requests(rows, answers)))
                    .build())
                .build()
                .start();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Override
    public int port()
    {
        return server.getPort();
    }

    @Override
    public void doWork(final boolean isBusy)
    {
        LockSupport.parkNanos(MAX_WAIT_NS);
    }

    @Override
    public void close()
    {
        server.shutdownNow();
        try
        {
            server.awaitTermination(STOP_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Takes the requests of one client, on the one thread of its connection. */
    private record Requests(PeerRows rows, StreamObserver<byte[]> answers) implements StreamObserver<byte[]>
    {
        @Override
        public void onNext(final byte[] request)
        {
            final ByteBuffer from = PeerMessage.wrap(request);
            final PeerMessage message = PeerMessage.decode(from);
            final boolean isPull = PeerMeasure.PULL == message.measure();
            final byte[] answer = new byte[PeerMessage.HEADER_LENGTH + (isPull ? message.valueBytes() : 0)];
            final ByteBuffer to = PeerMessage.wrap(answer);
            message.encode(to);
            if (isPull)
            {
                rows.read(message.firstRow(), message.rows(), to.asFloatBuffer());
            }
            else
            {
                apply(message, from.asFloatBuffer());
            }
            answers.onNext(answer);
        }

        @Override
        public void onError(final Throwable cause)
        {
            // the client is gone; there is nobody to tell
        }

        @Override
        public void onCompleted()
        {
            answers.onCompleted();
        }

        private void apply(final PeerMessage message, final FloatBuffer values)
        {
            for (int i = 0; i < message.rows(); i++)
            {
                rows.apply(message.firstRow() + i, values);
            }
        }
    }
}
