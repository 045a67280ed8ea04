/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.worker;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.gradstream.codecs.PartitionMap;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.WorkerIdentity;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

import java.util.ArrayList;
import java.util.List;

/**
 * The connection of a worker to one server: its publication, and whether the server has opened the response stream.
 */
final class ServerConnection implements AutoCloseable
{
    /**
     * Where a connection is.
     */
    enum State
    {
        /** There is no publication yet. */
        DISCONNECTED,
        /** There is a publication; connect is repeated until the server answers. */
        CONNECTING,
        /** The server answers; requests may be sent. */
        CONNECTED,
        /** The client was closed. */
        CLOSED
    }

    private final PartitionMap.Node node;
    private final Aeron aeron;
    private final ClientContext context;
    private final String responseChannel;
    private final RequestPublisher publisher;
    private final List<PartitionSession> sessions = new ArrayList<>();
    private State state = State.DISCONNECTED;
    private ExclusivePublication publication;
    private long correlationId;
    private long nodeIncarnation;
    private long connectDueNs;
    private long heardNs;
    private long keepAliveDueNs;

    ServerConnection(
        final PartitionMap.Node node, final Aeron aeron, final ClientContext context, final String responseChannel)
    {
        this.node = node;
        this.aeron = aeron;
        this.context = context;
        this.responseChannel = responseChannel;
        publisher = new RequestPublisher(
            new WorkerIdentity(context.jobId, context.slot, context.incarnation));
    }

    void add(final PartitionSession session)
    {
        sessions.add(session);
    }

    int doWork(final long nowNs)
    {
        return switch (state)
        {
            case DISCONNECTED -> disconnected(nowNs);
            case CONNECTING -> connecting(nowNs);
            case CONNECTED -> connected(nowNs);
            case CLOSED -> 0;
        };
    }

    void onConnected(final long id, final long incarnation, final long nowNs)
    {
        if (State.CONNECTING == state && id == correlationId)
        {
            nodeIncarnation = incarnation;
            heardNs = nowNs;
            keepAliveDueNs = nowNs + context.keepAliveNs;
            state = State.CONNECTED;
            for (final PartitionSession session : sessions)
            {
                session.onLinkUp();
            }
        }
    }

    void onSignOfLife(final long incarnation, final long nowNs)
    {
        if (State.CONNECTED == state && incarnation == nodeIncarnation)
        {
            heardNs = nowNs;
        }
    }

    void onNotConnected(final long nowNs)
    {
        if (State.CONNECTED == state)
        {
            reconnect(nowNs);
        }
    }

    boolean offer(final DirectBuffer buffer, final int offset, final int length)
    {
        return State.CONNECTED == state && publisher.offer(buffer, offset, length);
    }

    RequestPublisher publisher()
    {
        return publisher;
    }

    State state()
    {
        return state;
    }

    int nodeId()
    {
        return node.nodeId();
    }

    String endpoint()
    {
        return node.endpoint();
    }

    /**
     * Say goodbye, if the server can be reached, and close.
     */
    public void close()
    {
        if (State.CONNECTED == state)
        {
            publisher.disconnect();
        }
        state = State.CLOSED;
        CloseHelper.close(publication);
    }

    private int disconnected(final long nowNs)
    {
        publication = aeron.addExclusivePublication(
            context.channels.ingressChannel(node.endpoint()), context.channels.ingressStreamId);
        publisher.publication(publication);
        correlationId = aeron.nextCorrelationId();
        connectDueNs = nowNs;
        heardNs = nowNs;
        state = State.CONNECTING;

        return 1;
    }

    private int connecting(final long nowNs)
    {
        if (publication.isConnected())
        {
            if (nowNs - heardNs >= context.serverTimeoutNs)
            {
                reconnect(nowNs);
                return 1;
            }
            if (nowNs - connectDueNs >= 0 &&
                publisher.connect(correlationId, context.channels.responseStreamId, responseChannel))
            {
                connectDueNs = nowNs + context.connectRetryNs;
                return 1;
            }
        }
        else
        {
            heardNs = nowNs;
        }

        return 0;
    }

    private int connected(final long nowNs)
    {
        if (!publication.isConnected() || nowNs - heardNs >= context.serverTimeoutNs)
        {
            reconnect(nowNs);
            return 1;
        }
        if (nowNs - keepAliveDueNs >= 0 && publisher.keepAlive())
        {
            keepAliveDueNs = nowNs + context.keepAliveNs;
            return 1;
        }

        return 0;
    }

    private void reconnect(final long nowNs)
    {
        // a new publication is a new image at the server, which begins at its beginning
        publication.close();
        state = State.DISCONNECTED;
        for (final PartitionSession session : sessions)
        {
            session.onLinkDown(nowNs);
        }
    }
}
