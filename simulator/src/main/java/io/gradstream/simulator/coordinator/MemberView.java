// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.coordinator;

import io.aeron.Aeron;
import io.aeron.DirectBufferVector;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.logbuffer.BufferClaim;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpIdleStrategy;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The cluster as the production service of one coordinator member sees it: sessions, timers, time and role. */
final class MemberView implements Cluster
{
    private final CoordinatorMember member;
    private final SimulatedCoordinator cluster;
    private final Map<Long, ClientSession> sessions = new TreeMap<>();
    private final Map<Long, Long> timers = new TreeMap<>();
    private long timeMs;

    MemberView(final CoordinatorMember member, final SimulatedCoordinator cluster)
    {
        this.member = member;
        this.cluster = cluster;
    }

    ClientSession open(final long id)
    {
        return sessions.computeIfAbsent(id, Session::new);
    }

    ClientSession close(final long id)
    {
        return sessions.remove(id);
    }

    /** When a timer rings, by its id. */
    Map<Long, Long> timers()
    {
        return timers;
    }

    Set<Long> sessionIds()
    {
        return sessions.keySet();
    }

    void time(final long newTimeMs)
    {
        timeMs = newTimeMs;
    }

    @Override
    public int memberId()
    {
        return member.id();
    }

    @Override
    public Role role()
    {
        return member.isLeading() ? Role.LEADER : Role.FOLLOWER;
    }

    @Override
    public long logPosition()
    {
        return member.applied();
    }

    @Override
    public Aeron aeron()
    {
        throw new UnsupportedOperationException("aeron");
    }

    @Override
    public ClusteredServiceContainer.Context context()
    {
        throw new UnsupportedOperationException("context");
    }

    @Override
    public ClientSession getClientSession(final long clusterSessionId)
    {
        return sessions.get(clusterSessionId);
    }

    @Override
    public Collection<ClientSession> clientSessions()
    {
        return sessions.values();
    }

    @Override
    public void forEachClientSession(final Consumer<? super ClientSession> action)
    {
        sessions.values().forEach(action);
    }

    @Override
    public boolean closeClientSession(final long clusterSessionId)
    {
        throw new UnsupportedOperationException("closeClientSession");
    }

    @Override
    public long time()
    {
        return timeMs;
    }

    @Override
    public TimeUnit timeUnit()
    {
        return TimeUnit.MILLISECONDS;
    }

    @Override
    public boolean scheduleTimer(final long correlationId, final long deadline)
    {
        timers.put(correlationId, deadline);
        return true;
    }

    @Override
    public boolean cancelTimer(final long correlationId)
    {
        return null != timers.remove(correlationId);
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        throw new UnsupportedOperationException("offer");
    }

    @Override
    public long offer(final DirectBufferVector[] vectors)
    {
        throw new UnsupportedOperationException("offer");
    }

    @Override
    public long tryClaim(final int length, final BufferClaim bufferClaim)
    {
        throw new UnsupportedOperationException("tryClaim");
    }

    @Override
    public IdleStrategy idleStrategy()
    {
        return NoOpIdleStrategy.INSTANCE;
    }

    /** A session as the service sees it: only the leader's answers are sent. */
    private final class Session implements ClientSession
    {
        private final long id;

        private Session(final long id)
        {
            this.id = id;
        }

        @Override
        public long id()
        {
            return id;
        }

        @Override
        public int responseStreamId()
        {
            return 0;
        }

        @Override
        public String responseChannel()
        {
            return "";
        }

        @Override
        public byte[] encodedPrincipal()
        {
            return new byte[0];
        }

        @Override
        public void close()
        {
            throw new UnsupportedOperationException("close");
        }

        @Override
        public boolean isClosing()
        {
            return sessions.get(id) != this;
        }

        @Override
        public long offer(final DirectBuffer buffer, final int offset, final int length)
        {
            return member.isLeading() ? cluster.tell(id, buffer, offset, length) : MOCKED_OFFER;
        }

        @Override
        public long offer(final DirectBufferVector[] vectors)
        {
            throw new UnsupportedOperationException("offer");
        }

        @Override
        public long tryClaim(final int length, final BufferClaim bufferClaim)
        {
            throw new UnsupportedOperationException("tryClaim");
        }
    }
}
