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
import io.aeron.ChannelUri;
import io.aeron.CommonContext;
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
    private long registeredIncarnation;
    private long connectDueNs;
    private long heardNs;
    private long keepAliveDueNs;
    private final AnswerWatch answers = new AnswerWatch();

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

    /**
     * From now on this node serves the partition.
     */
    void add(final PartitionSession session)
    {
        sessions.add(session);
        if (State.CONNECTED == state)
        {
            session.onLinkUp();
        }
    }

    /**
     * The node does not serve the partition any more.
     */
    void remove(final PartitionSession session, final long nowNs)
    {
        sessions.remove(session);
        session.onLinkDown(nowNs);
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
        answers.onAnswered();
        final boolean isNewLife = State.CONNECTED == state && incarnation > nodeIncarnation;
        if (id == correlationId && (State.CONNECTING == state || isNewLife))
        {
            nodeIncarnation = incarnation;
            heardNs = nowNs;
            keepAliveDueNs = nowNs + context.keepAliveNs;
            state = State.CONNECTED;
            for (final PartitionSession session : sessions)
            {
                if (isNewLife)
                {
                    session.onLinkDown(nowNs);
                }
                session.onLinkUp();
            }
        }
        else if (id == correlationId)
        {
            onSignOfLife(incarnation, nowNs);
        }
    }

    /**
     * The coordinator knows this life of the node: if it is a newer one than the one spoken to, that one is dead.
     */
    void onRegistered(final long incarnation, final long nowNs)
    {
        if (incarnation <= registeredIncarnation)
        {
            return;
        }
        registeredIncarnation = incarnation;
        if (State.CONNECTED == state && incarnation > nodeIncarnation)
        {
            reconnect(nowNs);
        }
        else if (State.CONNECTING == state)
        {
            connectDueNs = nowNs;
        }
    }

    /**
     * Has nothing been heard for so long that the server may be gone?
     */
    boolean isSilent(final long nowNs)
    {
        return State.CONNECTED != state || nowNs - heardNs >= context.serverProbeNs;
    }

    /** When the server was last heard of. */
    long heardNs()
    {
        return heardNs;
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
     * What it waits for, for errors.
     */
    String describe(final long nowNs)
    {
        final String who = "server " + node.endpoint();
        return answers.isUnanswered(nowNs) ?
            AnswerWatch.text(who, ChannelUri.parse(responseChannel).get(CommonContext.ENDPOINT_PARAM_NAME)) :
            who + " is " + state;
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
            watchAnswers(nowNs);
            if (nowNs - heardNs >= context.serverTimeoutNs)
            {
                reconnect(nowNs);
                return 1;
            }
            return nowNs - connectDueNs >= 0 && connect(nowNs) ? 1 : 0;
        }
        heardNs = nowNs;

        return 0;
    }

    private void watchAnswers(final long nowNs)
    {
        answers.onUnanswered(nowNs);
        if (answers.pollDue(nowNs))
        {
            context.errorHandler.onError(new GradstreamException(describe(nowNs)));
        }
    }

    private boolean connect(final long nowNs)
    {
        if (!publisher.connect(correlationId, context.channels.responseStreamId, responseChannel))
        {
            return false;
        }
        connectDueNs = nowNs + context.connectRetryNs;

        return true;
    }

    private int connected(final long nowNs)
    {
        if (!publication.isConnected() || nowNs - heardNs >= context.serverTimeoutNs)
        {
            reconnect(nowNs);
            return 1;
        }
        if (isSilent(nowNs) && nowNs - connectDueNs >= 0 && connect(nowNs))
        {
            // a new life of the server may have joined this stream and know nobody: it answers this at once
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
