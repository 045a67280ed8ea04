// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.NodeEndpoint;
import io.gradstream.worker.client.Transport.RequestStream;
import io.gradstream.worker.session.PartitionSession;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

import java.util.ArrayList;
import java.util.List;

/** The connection of a worker to one server: its stream of requests, and whether the server answers. */
final class ServerConnection implements AutoCloseable
{
    /** The states of a connection. */
    enum State
    {
        /** There is no stream of requests yet. */
        DISCONNECTED,
        /** There is a stream; connect is repeated until the server answers. */
        CONNECTING,
        /** The server answers; requests may be sent. */
        CONNECTED,
        /** The client was closed. */
        CLOSED
    }

    /** Makes the connections of a client. */
    static final class Opener
    {
        private final ClientSettings settings;
        private final Transport transport;
        private long lastCorrelationId;

        Opener(final ClientSettings settings, final Transport transport)
        {
            this.settings = settings;
            this.transport = transport;
            lastCorrelationId = settings.identity().firstRequest();
        }

        ServerConnection open(final NodeEndpoint node)
        {
            return new ServerConnection(node, this);
        }

        private long nextCorrelationId()
        {
            return ++lastCorrelationId;
        }
    }

    private final NodeEndpoint node;
    private final Opener opener;
    private final ClientSettings.Timing timing;
    private final RequestPublisher publisher;
    private final List<PartitionSession> sessions = new ArrayList<>();
    private State state = State.DISCONNECTED;
    private RequestStream stream;
    private long correlationId;
    private long nodeIncarnation;
    private long registeredIncarnation;
    private long connectDueNs;
    private long heardNs;
    private long keepAliveDueNs;
    private final AnswerWatch answers = new AnswerWatch();
    /** The last answer of a server that had no room; null once it had. */
    private ConnectRefusal refusal;
    private long refusedNs;
    private long refusalToldNs;

    private ServerConnection(final NodeEndpoint node, final Opener opener)
    {
        this.node = node;
        this.opener = opener;
        timing = opener.settings.timing();
        publisher = new RequestPublisher(opener.settings.identity());
    }

    void add(final PartitionSession session)
    {
        sessions.add(session);
        if (State.CONNECTED == state)
        {
            session.onLinkUp();
        }
    }

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
            refusal = null;
            heardNs = nowNs;
            keepAliveDueNs = nowNs + timing.keepAliveNs();
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
     * The server has no room for this worker. It is asked again and again, because others leave.
     *
     * @param id of the request to connect.
     */
    void onConnectRefused(final long id, final long incarnation, final ConnectRefusal newRefusal, final long nowNs)
    {
        final boolean isNewLife = State.CONNECTED == state && incarnation > nodeIncarnation;
        if (id != correlationId || State.CONNECTING != state && !isNewLife)
        {
            // the server has had room for a later one
            return;
        }
        if (isNewLife)
        {
            reconnect(nowNs);
        }
        answers.onAnswered();
        heardNs = nowNs;
        connectDueNs = nowNs + Math.max(timing.retryNs(), timing.timeoutNs() / 2);
        final boolean isTold = null != refusal && nowNs - refusalToldNs < AnswerWatch.REPEAT_NS;
        refusal = newRefusal;
        refusedNs = nowNs;
        if (!isTold)
        {
            refusalToldNs = nowNs;
            opener.settings.problemListener().accept(describe(nowNs));
        }
    }

    /** The coordinator knows this process of the node: if it is newer than the connected one, that one is dead. */
    void onRegistered(final long incarnation, final long nowNs)
    {
        if (incarnation <= registeredIncarnation)
        {
            return;
        }
        registeredIncarnation = incarnation;
        final boolean isOpen = State.CONNECTED == state || State.CONNECTING == state;
        if (State.CONNECTED == state && incarnation > nodeIncarnation || isOpen && !stream.leadsTo(incarnation))
        {
            reconnect(nowNs);
        }
        else if (State.CONNECTING == state)
        {
            connectDueNs = nowNs;
        }
    }

    /** True if the server may be gone: there is no connection, or nothing has been heard for long. */
    boolean isSilent(final long nowNs)
    {
        return State.CONNECTED != state || nowNs - heardNs >= timing.probeNs();
    }

    /** True if the server lives, and has said lately that it has no room for this worker. */
    boolean isRefused(final long nowNs)
    {
        return null != refusal && State.CONNECTED != state && nowNs - refusedNs < AnswerWatch.LIMIT_NS;
    }

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

    /** The process has another number: the server must hear it on a connection of its own. */
    void onRenumbered(final long nowNs)
    {
        if (State.CONNECTED == state || State.CONNECTING == state)
        {
            reconnect(nowNs);
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

    String describe(final long nowNs)
    {
        final String who = "server " + node.endpoint();
        if (isRefused(nowNs))
        {
            return refusal.text(who);
        }

        return answers.isUnanswered(nowNs) ?
            AnswerWatch.text(who, stream.responseAddress().endpoint()) : who + " is " + state;
    }

    public void close()
    {
        if (State.CONNECTED == state)
        {
            publisher.disconnect();
        }
        state = State.CLOSED;
        CloseHelper.close(stream);
    }

    private int disconnected(final long nowNs)
    {
        stream = opener.transport.open(node.endpoint(), registeredIncarnation);
        publisher.stream(stream);
        correlationId = opener.nextCorrelationId();
        connectDueNs = nowNs;
        heardNs = nowNs;
        state = State.CONNECTING;

        return 1;
    }

    private int connecting(final long nowNs)
    {
        if (stream.isConnected())
        {
            watchAnswers(nowNs);
            if (nowNs - heardNs >= timing.timeoutNs())
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
            opener.settings.problemListener().accept(describe(nowNs));
        }
    }

    private boolean connect(final long nowNs)
    {
        final Transport.ResponseAddress address = stream.responseAddress();
        if (!publisher.connect(correlationId, address.streamId(), address.channel()))
        {
            return false;
        }
        connectDueNs = nowNs + timing.retryNs();

        return true;
    }

    private int connected(final long nowNs)
    {
        if (!stream.isConnected() || nowNs - heardNs >= timing.timeoutNs())
        {
            reconnect(nowNs);
            return 1;
        }
        if (isSilent(nowNs) && nowNs - connectDueNs >= 0 && connect(nowNs))
        {
            // a new process of the server may have joined this stream and know no worker: it answers this at once
            return 1;
        }
        if (nowNs - keepAliveDueNs >= 0 && publisher.keepAlive())
        {
            keepAliveDueNs = nowNs + timing.keepAliveNs();
            return 1;
        }

        return 0;
    }

    private void reconnect(final long nowNs)
    {
        // a new stream is a new image at the server, which begins at its beginning
        stream.abandon();
        state = State.DISCONNECTED;
        for (final PartitionSession session : sessions)
        {
            session.onLinkDown(nowNs);
        }
    }
}
