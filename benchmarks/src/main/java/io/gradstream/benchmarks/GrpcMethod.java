// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * The one method of the gRPC peer: a stream of messages each way, of bytes as {@link PeerMessage} lays them out.
 */
final class GrpcMethod
{
    static final String SERVICE = "gradstream.benchmarks.Peer";
    /** Longest message, with what gRPC puts before it. */
    static final int MAX_MESSAGE_BYTES = PeerRows.COUNT * PeerRows.ROW_BYTES + 1024;
    /** Bytes under way before the receiver has taken some: eight of the largest that are measured by default. */
    static final int WINDOW_BYTES = 8 * 1024 * 1024;

    static final MethodDescriptor<byte[], byte[]> TRANSFER = MethodDescriptor.newBuilder(new Bytes(), new Bytes())
        .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Transfer"))
        .build();

    private GrpcMethod()
    {
    }

    /** Messages are bytes already. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]>
    {
        @Override
        public InputStream stream(final byte[] value)
        {
            return new Outgoing(value);
        }

        @Override
        public byte[] parse(final InputStream stream)
        {
            try
            {
                // gRPC's streams know how much there is: one array of that length
                return stream.readNBytes(stream instanceof KnownLength ? stream.available() : MAX_MESSAGE_BYTES);
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }
    }

    /** A message on its way out, which gRPC takes in one piece. */
    private static final class Outgoing extends ByteArrayInputStream implements KnownLength, Drainable
    {
        Outgoing(final byte[] bytes)
        {
            super(bytes);
        }

        @Override
        public int drainTo(final OutputStream target) throws IOException
        {
            final int length = count - pos;
            target.write(buf, pos, length);
            pos = count;

            return length;
        }
    }
}
