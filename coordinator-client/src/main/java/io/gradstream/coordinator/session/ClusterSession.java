// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.session;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.ClusterException;
import io.aeron.cluster.codecs.EventCode;
import io.aeron.cluster.codecs.SessionEventDecoder;
import io.aeron.logbuffer.FrameDescriptor;
import io.gradstream.coordinator.client.CoordinatorChannel;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A client's session with a cluster, which never waits: each {@link #poll(long)} does what can be done now.
 * <p>
 * It asks all members for a session at once, since only the leader grants one; follows a new leader; and asks again
 * when the cluster has forgotten it. A leader must show life on request, so that a dead one is noticed as soon as by
 * the other members, long before Aeron misses its stream. Commands under way when a leader is lost may be lost or done
 * twice: make them idempotent, and repeat them until their effect shows.
 * <p>
 * Not thread safe: one thread polls and offers.
 */
public final class ClusterSession implements CoordinatorChannel
{
    /** Of log, ingress, egress and snapshots; three such terms a stream lie in the Aeron directory. */
    public static final int TERM_LENGTH = 1024 * 1024;

    /** Longest command, and longest message from the service, in bytes. */
    public static final int MAX_MESSAGE_LENGTH =
        FrameDescriptor.computeMaxMessageLength(TERM_LENGTH) - SessionPublisher.HEADER_LENGTH;

    static final long ASK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(300);
    static final long RETRY_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    static final long FOLLOW_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);

    private enum State
    {
        /** The stream for answers is being made. */
        OPENING,

        /** Every member reached is asked for a session. */
        ASKING,

        /** The leader has granted a session and shows life. */
        CONNECTED,

        /** The leader shows no life; another may be elected, or this one may have paused. */
        SILENT,

        /** A new leader has made itself known; the way to it is being made. */
        FOLLOWING,

        /** The owner has closed the session. */
        CLOSED
    }

    private final Context ctx;
    private final Aeron aeron;
    private final IngressLink[] links;
    private final long[] askedNs;
    private final SessionPublisher publisher = new SessionPublisher();
    private final SessionAdapter adapter = new SessionAdapter(new Egress());
    private State state = State.OPENING;
    private String reason = "for the first time";
    private String reopenReason;
    private String otherMembers;
    private final EgressLink egress;
    private final LeaderWatch watch = new LeaderWatch();
    private final AnswerDeadline deadline = new AnswerDeadline();
    private boolean isPolled;
    private long nowNs;
    private long firstCorrelationId;
    private long connections;
    private long askCount;
    private long answerCount;
    private long sessionId = Aeron.NULL_VALUE;
    private long termId;
    private int leaderId;
    private Image leaderImage;
    private ExclusivePublication ingress;

    /**
     * A session yet to be connected, by {@link #poll(long)}.
     *
     * @param ctx settings; concluded here.
     * @throws IllegalArgumentException if a setting is wrong.
     */
    public ClusterSession(final Context ctx)
    {
        ctx.conclude();
        this.ctx = ctx;
        aeron = ctx.aeron;
        links = new IngressLink[ctx.members.size()];
        askedNs = new long[links.length];
        // A stream that was lost must not come back: what was said meanwhile would be missing.
        egress = new EgressLink(
            aeron,
            ctx.errorHandler,
            "aeron:udp?rejoin=false|endpoint=" + ctx.responseEndpoint,
            AeronCluster.Configuration.EGRESS_STREAM_ID_DEFAULT,
            RETRY_INTERVAL_NS);
        for (int id = 0; id < links.length; id++)
        {
            links[id] = new IngressLink(
                aeron,
                ctx.errorHandler,
                "aeron:udp?term-length=" + TERM_LENGTH + "|endpoint=" +
                    ctx.members.get(id).at(MemberEndpoint.INGRESS),
                AeronCluster.Configuration.INGRESS_STREAM_ID_DEFAULT,
                RETRY_INTERVAL_NS);
        }
    }

    @Override
    public int poll(final long nowNs)
    {
        watch.onPoll(isPolled ? nowNs - this.nowNs : 0);
        isPolled = true;
        this.nowNs = nowNs;
        int workCount = egress.poll(adapter);
        if (null != reopenReason)
        {
            reopen(reopenReason);
            workCount++;
        }

        return workCount + switch (state)
        {
            case OPENING -> open();
            case ASKING -> ask();
            case CONNECTED -> keepUp();
            case SILENT -> awaitLeader();
            case FOLLOWING -> follow();
            case CLOSED -> 0;
        };
    }

    /**
     * Send a command.
     *
     * @param buffer it lies in.
     * @param offset of its first byte.
     * @param length in bytes.
     * @return false if it was not taken: try again later.
     * @throws IllegalArgumentException if it is longer than {@link #MAX_MESSAGE_LENGTH}.
     */
    @Override
    public boolean offer(final DirectBuffer buffer, final int offset, final int length)
    {
        MemberCheck.requireRange("length", length, 0, MAX_MESSAGE_LENGTH);
        return State.CONNECTED == state &&
            isSent(publisher.message(ingress, termId, sessionId, buffer, offset, length));
    }

    /**
     * The number of this connection to the cluster. With every new one the service has forgotten what was said on the
     * connection before, so its owner says it again. A new leader may have missed a command, but not the session.
     *
     * @return 0 while there is none, else a number that grows with every new one.
     */
    @Override
    public long connection()
    {
        return State.CONNECTED == state ? connections : 0;
    }

    /**
     * The leadership that the session knows of. When it grows, commands still without effect may have been lost.
     *
     * @return the leader's term, or what it was while there is no connection.
     */
    public long leadershipTermId()
    {
        return termId;
    }

    /** The id of the member that leads, or what it was while there is no connection. */
    public int leaderId()
    {
        return leaderId;
    }

    /** True if members take requests for a session while none answers. */
    public boolean isUnanswered()
    {
        return State.ASKING == state && 0 == answerCount && reached() > 0;
    }

    @Override
    public String describe()
    {
        return switch (state)
        {
            case OPENING -> "opening a stream for answers at " + ctx.responseEndpoint + " (" + reason + ')';
            case ASKING -> "asking for the leader at " + ctx.endpoints + ": reached " + reached() +
                ", asked " + askCount + " times, answered " + answerCount + " times at " + ctx.responseEndpoint +
                " (" + reason + ')';
            case CONNECTED -> "connected to member " + leaderId + " at " + ctx.endpoints.get(leaderId);
            case SILENT -> "waiting for a sign of member " + leaderId + " at " + ctx.endpoints.get(leaderId) +
                " or for another leader (" + reason + ')';
            case FOLLOWING -> "connecting to the new leader, member " + leaderId + " at " + ctx.endpoints.get(leaderId);
            case CLOSED -> "closed";
        };
    }

    /** Give the session up. The cluster is told if that can be done at once, else it finds out. */
    @Override
    public void close()
    {
        if (State.CLOSED != state)
        {
            if (null != ingress && ingress.isConnected())
            {
                publisher.close(ingress, termId, sessionId);
            }
            release();
            state(State.CLOSED, "by its owner");
        }
    }

    private void state(final State newState, final String newReason)
    {
        state = newState;
        reason = newReason;
    }

    private void reopen(final String newReason)
    {
        release();
        state(State.OPENING, newReason);
    }

    private void release()
    {
        reopenReason = null;
        sessionId = Aeron.NULL_VALUE;
        ingress = null;
        leaderImage = null;
        for (final IngressLink link : links)
        {
            link.close();
        }

        egress.close();
        adapter.clear();
        deadline.clear();
    }

    private int open()
    {
        if (!egress.isOpen(nowNs))
        {
            return 0;
        }

        firstCorrelationId = aeron.nextCorrelationId();
        for (int id = 0; id < askedNs.length; id++)
        {
            askedNs[id] = nowNs - ASK_INTERVAL_NS;
        }
        askCount = 0;
        answerCount = 0;
        state(State.ASKING, reason);

        return 1;
    }

    private int ask()
    {
        if (deadline.isOver(nowNs))
        {
            giveUpUnanswered();
            return 1;
        }

        int workCount = 0;
        for (int id = 0; id < links.length; id++)
        {
            final ExclusivePublication publication = links[id].poll(nowNs);
            if (null != publication && nowNs - askedNs[id] >= ASK_INTERVAL_NS && isSent(publisher.connect(
                publication,
                aeron.nextCorrelationId(),
                AeronCluster.Configuration.EGRESS_STREAM_ID_DEFAULT,
                egress.responseChannel())))
            {
                deadline.onAsked(nowNs);
                askedNs[id] = nowNs;
                askCount++;
                workCount++;
            }
        }

        return workCount;
    }

    private void giveUpUnanswered()
    {
        final long givenNs = deadline.extend();
        reopen("no answer came in for " + TimeUnit.NANOSECONDS.toMillis(givenNs) + " ms");
        // Where the port is fixed the next stream is another one only once members have forgotten who asked.
        egress.pause(nowNs, ctx.responseEndpoint.endsWith(":0") ? 0 : givenNs);
    }

    private int keepUp()
    {
        if (leaderImage.isClosed() || !ingress.isConnected())
        {
            silent("its stream ended");
        }
        else if (watch.isSilent(nowNs))
        {
            silent("it shows no life for " + TimeUnit.NANOSECONDS.toMillis(watch.timeoutNs()) + " ms");
        }

        return callLeader();
    }

    private int callLeader()
    {
        int workCount = 0;
        if (watch.isKeepAliveDue(nowNs) && isSent(publisher.keepAlive(ingress, termId, sessionId)))
        {
            watch.onKeptAlive(nowNs);
            workCount++;
        }

        if (watch.isCallDue(nowNs) &&
            isSent(publisher.signOfLife(ingress, termId, sessionId, aeron.nextCorrelationId())))
        {
            watch.onCalled(nowNs);
            workCount++;
        }

        return workCount;
    }

    private void silent(final String newReason)
    {
        watch.allowElection(nowNs);
        state(State.SILENT, newReason);
    }

    private int awaitLeader()
    {
        if (watch.isOverdue(nowNs))
        {
            reopen("member " + leaderId + " went silent: " + reason);
            return 1;
        }

        return ingress.isConnected() ? callLeader() : 0;
    }

    private int follow()
    {
        ingress = links[leaderId].poll(nowNs);
        if (null != ingress)
        {
            connected();
            return 1;
        }

        if (watch.isOverdue(nowNs))
        {
            reopen("the new leader, member " + leaderId + ", cannot be reached");
            return 1;
        }

        return 0;
    }

    /**
     * The members as one of them names them, if that member names others than this session's endpoints, or in another
     * order.
     *
     * @return such as {@code 0=host:port,1=host:port,2=host:port}, or null while all that answered agree.
     */
    public String otherMembers()
    {
        return otherMembers;
    }

    private void connected()
    {
        deadline.onConnected();
        watch.onConnected(nowNs);
        state(State.CONNECTED, "granted");
    }

    private boolean isSent(final long result)
    {
        if (Publication.MAX_POSITION_EXCEEDED == result)
        {
            reopenReason = "the stream of commands is used up";
        }

        return result > 0;
    }

    private long reached()
    {
        return Arrays.stream(links).filter(IngressLink::isConnected).count();
    }

    private boolean isMine(final long otherSessionId)
    {
        return Aeron.NULL_VALUE != sessionId && otherSessionId == sessionId;
    }

    /** Takes what members say. */
    private final class Egress implements SessionAdapter.Listener
    {
        public void onSessionEvent(final SessionEventDecoder event, final EventCode code, final Image image)
        {
            answerCount++;
            deadline.clear();
            switch (code)
            {
                case OK -> onGranted(event, image);
                case CLOSED ->
                {
                    if (isMine(event.clusterSessionId()))
                    {
                        reopenReason = "the cluster closed the session: " + event.detail();
                    }
                }
                case ERROR, AUTHENTICATION_REJECTED -> onRefused(event.detail());
                // Followers redirect to the leader, which was asked too, and name all members as they know them.
                case REDIRECT -> onMembers(event.detail());
                default ->
                {
                }
            }
        }

        private void onMembers(final String named)
        {
            if (!named.isEmpty() && !named.equals(MemberEndpoint.ingress(ctx.members)))
            {
                otherMembers = named;
            }
        }

        private void onGranted(final SessionEventDecoder event, final Image image)
        {
            final int id = event.leaderMemberId();
            if (State.ASKING == state && event.correlationId() >= firstCorrelationId && id >= 0 && id < links.length)
            {
                sessionId = event.clusterSessionId();
                termId = event.leadershipTermId();
                watch.timeoutNs(event.leaderHeartbeatTimeoutNs());
                connections++;
                lead(id, image);
            }
            else if (null != ingress && !isMine(event.clusterSessionId()))
            {
                // Asked twice, granted twice: one session is enough.
                publisher.close(ingress, event.leadershipTermId(), event.clusterSessionId());
            }
        }

        private void onRefused(final String detail)
        {
            if (State.ASKING == state)
            {
                ctx.errorHandler.onError(new ClusterException("the cluster refuses a session: " + detail));
                reopenReason = detail;
                egress.pause(nowNs, RETRY_INTERVAL_NS);
            }
        }

        public void onNewLeader(final long id, final long newTermId, final int newLeaderId, final Image image)
        {
            if (isMine(id) && newTermId > termId && newLeaderId >= 0 && newLeaderId < links.length)
            {
                termId = newTermId;
                // A member that leads again has opened its ingress again: what is under way to the old one is lost.
                links[newLeaderId].close();
                lead(newLeaderId, image);
            }
        }

        private void lead(final int id, final Image image)
        {
            leaderId = id;
            leaderImage = image;
            IntStream.range(0, links.length).filter((other) -> other != id).forEach((other) -> links[other].close());
            watch.allow(nowNs, FOLLOW_TIMEOUT_NS);
            state(State.FOLLOWING, "granted");
            follow();
        }

        public void onSignOfLife(final long id)
        {
            if (isMine(id))
            {
                watch.onHeard(nowNs);
                if (State.SILENT == state && ingress.isConnected() && !leaderImage.isClosed())
                {
                    connected();
                }
            }
        }

        public void onMessage(final long id, final DirectBuffer buffer, final int offset, final int length)
        {
            if (isMine(id))
            {
                onSignOfLife(id);
                ctx.listener.onMessage(buffer, offset, length);
            }
        }
    }

    /**
     * The settings of a session: setters only set, {@link #conclude()} checks them all before anything opens.
     */
    public static final class Context
    {
        private Aeron aeron;
        private List<String> endpoints;
        private List<MemberEndpoint> members;
        private String responseEndpoint = "127.0.0.1:0";
        private Listener listener;
        private ErrorHandler errorHandler = (error) -> System.err.println("cluster session: " + error);

        /**
         * Check every setting. Called by the constructor of {@link ClusterSession}.
         *
         * @return this.
         * @throws IllegalArgumentException naming the setting, its value and what is allowed.
         */
        public Context conclude()
        {
            MemberCheck.requirePresent("aeron", aeron);
            members = MemberEndpoint.parseAll("endpoints", endpoints);
            MemberCheck.requirePresent("responseEndpoint", responseEndpoint);
            MemberCheck.requirePresent("listener", listener);
            MemberCheck.requirePresent("errorHandler", errorHandler);

            return this;
        }

        /**
         * The client of this process's driver; whoever owns it closes it. If it is in conductor-invoker mode, its
         * owner invokes it between polls.
         */
        public Context aeron(final Aeron aeron)
        {
            this.aeron = aeron;
            return this;
        }

        /** {@code host:port} of all members, in the order of their ids. */
        public Context endpoints(final List<String> hostPorts)
        {
            this.endpoints = hostPorts;
            return this;
        }

        /** {@code host:port} of this process at which members answer; port 0 (the default) for any. */
        public Context responseEndpoint(final String responseEndpoint)
        {
            this.responseEndpoint = responseEndpoint;
            return this;
        }

        /** Told what the service says. */
        public Context listener(final Listener listener)
        {
            this.listener = listener;
            return this;
        }

        /** Told what keeps the session from being granted; it is tried again all the same. */
        public Context errorHandler(final ErrorHandler errorHandler)
        {
            this.errorHandler = errorHandler;
            return this;
        }
    }
}
