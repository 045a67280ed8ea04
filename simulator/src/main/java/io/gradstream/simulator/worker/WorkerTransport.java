// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

import io.gradstream.simulator.network.SimulatedStream;
import io.gradstream.simulator.network.WorkerLink;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.node.SimulatedNode;
import io.gradstream.simulator.node.SimulatedTransport;
import io.gradstream.worker.client.Transport.RequestStream;
import io.gradstream.worker.client.Transport;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The way of one process of a worker to the nodes and back, over its links. */
class WorkerTransport implements Transport
{
    private static final int RESPONSE_STREAM_ID = 102;

    /** Sees, and may change, what the client says and what is said to the client. */
    interface Tap
    {
        /** Send a request, or something in its place; false if not now. */
        boolean onRequest(WorkerLink.Requests requests, UnsafeBuffer message);

        /** Hand an answer to the client. */
        void onAnswer(UnsafeBuffer message, Receiver receiver);
    }

    private final Cluster cluster;
    private final int client;
    private final Tap tap;

    WorkerTransport(final Cluster cluster, final int client, final Tap tap)
    {
        this.cluster = cluster;
        this.client = client;
        this.tap = tap;
    }

    @Override
    public RequestStream open(final String endpoint, final long incarnation)
    {
        final String own = "127.0.0.1:" + (SimulatedTransport.FIRST_PORT + client);
        return new TappedRequests(cluster.link(client, cluster.seatAt(endpoint)).openRequests(), tap,
            new ResponseAddress("aeron:udp?endpoint=" + own, RESPONSE_STREAM_ID, own));
    }

    @Override
    public int poll(final Receiver receiver)
    {
        final SimulatedStream.Receiver<UnsafeBuffer> tapped = (message) ->
        {
            tap.onAnswer(message, receiver);
            return true;
        };
        int count = 0;
        for (final SimulatedNode node : cluster.nodes())
        {
            count += cluster.link(client, node.seat()).pollAtWorker(tapped);
        }

        return count;
    }

    private record TappedRequests(WorkerLink.Requests requests, Tap tap, ResponseAddress responseAddress)
        implements RequestStream
    {
        @Override
        public boolean isConnected()
        {
            return requests.isConnected();
        }

        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length)
        {
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            return tap.onRequest(requests, new UnsafeBuffer(bytes));
        }

        @Override
        public boolean leadsTo(final long incarnation)
        {
            return true;
        }

        @Override
        public void abandon()
        {
            close();
        }

        @Override
        public void close()
        {
            // the next one closes it
        }
    }
}
