// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.gradstream.driver.DriverProfile;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The client's side of gRPC: one call that stays open, whose answers come on gRPC's own thread. */
final class GrpcLink extends PeerLink
{
    private final Thread owner = Thread.currentThread();
    private final ManagedChannel channel;
    private final StreamObserver<byte[]> requests;
    private final boolean maySpin;
    private long seen;

    GrpcLink(final int port, final DriverProfile profile)
    {
        maySpin = DriverProfile.LATENCY == profile;
        channel = NettyChannelBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .usePlaintext()
            .directExecutor()
            .maxInboundMessageSize(GrpcMethod.MAX_MESSAGE_BYTES)
            .initialFlowControlWindow(GrpcMethod.WINDOW_BYTES)
            .build();
        requests = ClientCalls.asyncBidiStreamingCall(
            channel.newCall(GrpcMethod.TRANSFER, CallOptions.DEFAULT), new Answers());
    }

    @Override
    void send(final PeerMessage message, final float[] values)
    {
        final boolean isPush = PeerMeasure.PUSH == message.measure();
        // gRPC keeps what it is given until it is sent: a new array for each
        final byte[] request = new byte[PeerMessage.HEADER_LENGTH + (isPush ? message.valueBytes() : 0)];
        final ByteBuffer to = PeerMessage.wrap(request);
        message.encode(to);
        if (isPush)
        {
            to.asFloatBuffer().put(values);
        }
        requests.onNext(request);
    }

    @Override
    int doPoll(final boolean mayWait)
    {
        if (mayWait && !maySpin && seen == completed())
        {
            LockSupport.parkNanos(MAX_WAIT_NS);
        }
        final long before = seen;
        seen = completed();

        return (int)(seen - before);
    }

    @Override
    public void close()
    {
        channel.shutdownNow();
        try
        {
            channel.awaitTermination(CONNECT_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Takes the answers of the server. */
    private final class Answers implements StreamObserver<byte[]>
    {
        @Override
        public void onNext(final byte[] answer)
        {
            final ByteBuffer from = PeerMessage.wrap(answer);
            if (PeerMeasure.PULL == PeerMessage.decode(from).measure())
            {
                from.asFloatBuffer().get(nextTarget());
            }
            onAnswer();
            LockSupport.unpark(owner);
        }

        @Override
        public void onError(final Throwable cause)
        {
            onFailure(cause);
        }

        @Override
        public void onCompleted()
        {
            onFailure(new ClosedChannelException());
        }
    }
}
