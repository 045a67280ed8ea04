// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.client;

import io.aeron.Aeron;
import io.aeron.ChannelUriStringBuilder;
import io.aeron.CommonContext;
import io.aeron.Counter;
import io.aeron.exceptions.RegistrationException;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.charset.StandardCharsets;

/**
 * Says to the clients of a node's own media driver on which IPC stream the node hears them: by a counter of that
 * driver, which lives as long as the node does. Who finds it need not go through sockets.
 */
public final class LocalIngress implements AutoCloseable
{
    /** Type of the counter; its key is the incarnation of the node, then the stream's id. */
    public static final int COUNTER_TYPE_ID = 17_090;

    private static final String LABEL = "gradstream ingress ";
    private static final int STREAM_ID_OFFSET = Long.BYTES;
    private static final int KEY_LENGTH = STREAM_ID_OFFSET + Integer.BYTES;
    /** No stream of ours or of Aeron's that has a fixed number has this bit. */
    private static final int OF_ONE_CLIENT = 0x4000_0000;

    private final int streamId;
    private final Counter counter;

    private LocalIngress(final int streamId, final Counter counter)
    {
        this.streamId = streamId;
        this.counter = counter;
    }

    /**
     * Say it, and wait until the driver knows.
     *
     * @param aeron       client of the node.
     * @param endpoint    host:port by which workers know the node.
     * @param incarnation of the node's process.
     * @return what was said, withdrawn when closed.
     * @throws RegistrationException if the driver has no room for it.
     */
    public static LocalIngress announce(final Aeron aeron, final String endpoint, final long incarnation)
    {
        final int streamId = uniqueStreamId(aeron);
        final UnsafeBuffer key = new UnsafeBuffer(new byte[KEY_LENGTH]);
        key.putLong(0, incarnation);
        key.putInt(STREAM_ID_OFFSET, streamId);
        final byte[] label = (LABEL + endpoint).getBytes(StandardCharsets.US_ASCII);

        return new LocalIngress(
            streamId, DriverRequests.count(aeron, COUNTER_TYPE_ID, key, new UnsafeBuffer(label)));
    }

    /**
     * On which IPC stream a process of a node hears clients of this driver.
     *
     * @param aeron       client that wants to speak to the node.
     * @param endpoint    host:port of the node.
     * @param incarnation of its process: another one's stream leads to nobody.
     * @return stream id, or {@link Aeron#NULL_VALUE} if no client of this driver is that process.
     */
    public static int find(final Aeron aeron, final String endpoint, final long incarnation)
    {
        final String wanted = LABEL + endpoint;
        final int[] found = {Aeron.NULL_VALUE};
        aeron.countersReader().forEach(
            (counterId, typeId, key, label) ->
            {
                final int streamId = COUNTER_TYPE_ID == typeId ? key.getInt(STREAM_ID_OFFSET) : 0;
                // a counter that is freed while it is read has an empty key
                if (0 != streamId && incarnation == key.getLong(0) && wanted.equals(label))
                {
                    found[0] = streamId;
                }
            });

        return found[0];
    }

    /** The id of an IPC stream that no other client of the driver uses. */
    public static int uniqueStreamId(final Aeron aeron)
    {
        return OF_ONE_CLIENT | (int)aeron.nextCorrelationId() & (OF_ONE_CLIENT - 1);
    }

    /**
     * The channel of a publication to a client of the same driver. What fits one frame is neither cut nor put together
     * again.
     *
     * @param termLength of the stream in bytes.
     */
    public static String publicationChannel(final int termLength)
    {
        return new ChannelUriStringBuilder()
            .media(CommonContext.IPC_MEDIA)
            .termLength(termLength)
            .mtu(ChannelMtu.within(ChannelMtu.MAX_LENGTH, termLength))
            .build();
    }

    /** Of the announced stream. */
    public int streamId()
    {
        return streamId;
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(counter);
    }
}
