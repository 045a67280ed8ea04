// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.keys.KeyLists;
import io.gradstream.codecs.keys.WholeMessages;
import io.gradstream.server.node.NodeCounters.Counter;
import io.gradstream.server.share.ConnectionLimit;
import io.gradstream.server.share.ConnectionLimit.NoRoom;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The workers connected to this node, by the session of their stream. A process of a slot has one connection. The
 * partitions decide which process the slot is: a process that was replaced is disconnected once a partition has taken
 * the newer one.
 */
final class WorkerConnections implements AutoCloseable
{
    /** Most streams open at once on which workers are told that there is no room for them. */
    static final int MAX_REFUSALS = 32;
    /** Such a stream is closed after so long. A worker that was not told asks again, and so does one that was. */
    static final long REFUSAL_NS = 1_000_000_000;

    private final IntPredicate isJob;
    private final ConnectionLimit limit;
    private final ResponseStream.Opener opener;
    private final NodeCounters counters;
    private final Int2ObjectHashMap<WorkerConnection> bySession = new Int2ObjectHashMap<>();
    private final List<WorkerConnection> all = new ArrayList<>();
    private final List<WorkerConnection> refused = new ArrayList<>();
    private final KeyLists.Memory keyListMemory;
    /** The lists of keys of the next partition to which a worker sends one: empty, and without memory. */
    private KeyLists nextLists;
    private NoRoom noRoom;

    /**
     * Nobody is connected yet.
     *
     * @param isJob        true for the number of a job that this node knows.
     * @param keyListBytes most bytes of the lists of keys that all workers name. A worker whose lists have no room
     *                     sends keys.
     */
    WorkerConnections(
        final IntPredicate isJob,
        final ConnectionLimit limit,
        final ResponseStream.Opener opener,
        final long keyListBytes,
        final NodeCounters counters)
    {
        keyListMemory = new KeyLists.Memory(keyListBytes);
        nextLists = new KeyLists(keyListMemory);
        this.isJob = isJob;
        this.limit = limit;
        this.opener = opener;
        this.counters = counters;
    }

    List<WorkerConnection> all()
    {
        return all;
    }

    /** Workers for which there is no room, and which are to be told so. */
    List<WorkerConnection> refused()
    {
        return refused;
    }

    /** The reason why a worker was refused since the last call, or null if none was. */
    NoRoom takeNoRoom()
    {
        final NoRoom taken = noRoom;
        noRoom = null;

        return taken;
    }

    /** True if a worker of a job is connected that has a slot. */
    boolean hasWorker(final int jobId)
    {
        boolean hasWorker = false;
        for (int i = 0; i < all.size() && !hasWorker; i++)
        {
            hasWorker = jobId == all.get(i).jobId() && WorkerConnection.OBSERVER != all.get(i).slot();
        }

        return hasWorker;
    }

    /** True if a process of a slot was heard within so long. */
    boolean isHeard(
        final int jobId, final int slot, final long incarnation, final long withinNs, final long nowNs)
    {
        boolean isHeard = false;
        for (int i = 0; i < all.size() && !isHeard; i++)
        {
            final WorkerConnection connection = all.get(i);
            isHeard = connection.jobId() == jobId && connection.slot() == slot &&
                connection.incarnation() == incarnation && !connection.isOver(nowNs, withinNs);
        }

        return isHeard;
    }

    /** The connection by which a process speaks, or null if it has none there. */
    WorkerConnection sender(final int sessionId, final int slot, final long incarnation, final long nowNs)
    {
        final WorkerConnection connection = bySession.get(sessionId);
        if (null == connection || slot != connection.slot() || incarnation != connection.incarnation())
        {
            return null;
        }
        connection.onHeard(nowNs);

        return connection;
    }

    /** The same where the request does not name the process. */
    WorkerConnection sender(final int sessionId, final int slot, final long nowNs)
    {
        final WorkerConnection connection = bySession.get(sessionId);
        return null == connection ? null : sender(sessionId, slot, connection.incarnation(), nowNs);
    }

    /**
     * A worker asks for a response stream. It gets one whichever process has its slot: only partitions judge which
     * process that is, and they tell the others.
     *
     * @return false if it is not answered: wrong job, malformed channel, sent before a request that was heard already,
     * or no room, not even to say so.
     */
    boolean onConnect(final int sessionId, final ConnectRequest request, final long nowNs)
    {
        final WorkerConnection known = bySession.get(sessionId);
        if (null != known && known.jobId() == request.jobId() && known.slot() == request.slot() &&
            known.incarnation() == request.incarnation())
        {
            known.onConnect(request.correlationId(), nowNs);
            return true;
        }
        final WorkerConnection before = ofSameProcess(request);
        // requests of the same process on a stream that it has closed may come later than those on its next stream
        final boolean isLate = null != before && request.correlationId() < before.correlationId();
        if (!isJob.test(request.jobId()) || request.slot() < WorkerConnection.OBSERVER || isLate)
        {
            return false;
        }
        final NoRoom problem = null != known || null != before ? null :
            limit.check(request.jobId(), countOf(request.jobId()), all.size());
        if (null != problem)
        {
            return refuse(sessionId, request, problem, nowNs);
        }
        final ResponseStream responses = opener.open(request.responseChannel(), request.responseStreamId());
        if (null == responses)
        {
            return false;
        }
        remove(known);
        remove(before);
        removeRefused(refusedBy(sessionId));
        final WorkerConnection connection = new WorkerConnection(sessionId, request, responses);
        connection.onConnect(request.correlationId(), nowNs);
        bySession.put(sessionId, connection);
        all.add(connection);
        counters.set(Counter.CONNECTIONS, all.size());

        return true;
    }

    /**
     * A partition has taken a process for its slot: connections of older ones that cannot share the slot with it are
     * closed.
     */
    void onTaken(final WorkerConnection taken)
    {
        for (int i = all.size() - 1; i >= 0 && WorkerConnection.OBSERVER != taken.slot(); i--)
        {
            final WorkerConnection other = all.get(i);
            if (other.jobId() == taken.jobId() && other.slot() == taken.slot() &&
                other.incarnation() < taken.incarnation() &&
                other.role().excludes(taken.role()))
            {
                remove(other);
            }
        }
    }

    void remove(final WorkerConnection connection)
    {
        if (null != connection && all.remove(connection))
        {
            bySession.remove(connection.sessionId());
            connection.close();
            counters.set(Counter.CONNECTIONS, all.size());
            onKeyLists();
        }
    }

    /**
     * Put the keys of a message in the place of the number of their list, and keep those that are to be a list. Nothing
     * is kept of a connection that has no list yet, and for whose first one there is no memory.
     *
     * @param whole takes the message.
     * @return false if the worker has to send the keys.
     */
    boolean makeWhole(
        final WorkerConnection connection,
        final int partition,
        final WholeMessages whole,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final KeyLists known = connection.keyLists(partition);
        final boolean isWhole = whole.wrap(null == known ? nextLists : known, buffer, offset, length);
        if (nextLists.size() > 0)
        {
            connection.keyLists(partition, nextLists);
            nextLists = new KeyLists(keyListMemory);
        }
        else
        {
            // it has seen a number of a list that it could not keep
            nextLists.clear();
        }
        onKeyLists();

        return isWhole;
    }

    /** Lists of keys came or went: count the memory that they take. */
    void onKeyLists()
    {
        counters.set(Counter.KEY_LIST_BYTES, keyListMemory.used());
    }

    /**
     * Open the streams that are being opened, and forget each worker that has been silent for too long, and each that
     * was refused.
     */
    int slowTick(final long nowNs, final long timeoutNs)
    {
        int workCount = 0;
        for (int i = all.size() - 1; i >= 0; i--)
        {
            final WorkerConnection connection = all.get(i);
            workCount += connection.responses().doWork();
            if (connection.isOver(nowNs, timeoutNs))
            {
                remove(connection);
                workCount++;
            }
        }
        for (int i = refused.size() - 1; i >= 0; i--)
        {
            final WorkerConnection connection = refused.get(i);
            workCount += connection.responses().doWork();
            if (connection.isOver(nowNs, REFUSAL_NS))
            {
                removeRefused(connection);
                workCount++;
            }
        }

        return workCount;
    }

    @Override
    public void close()
    {
        while (!refused.isEmpty())
        {
            removeRefused(refused.get(refused.size() - 1));
        }
        while (!all.isEmpty())
        {
            remove(all.get(all.size() - 1));
        }
    }

    /** Open a stream to tell a worker that there is no room for it; false if too many are open. */
    private boolean refuse(
        final int sessionId, final ConnectRequest request, final NoRoom problem, final long nowNs)
    {
        noRoom = problem;
        counters.increment(Counter.REFUSED_CONNECTS);
        final WorkerConnection known = refusedBy(sessionId);
        if (null != known)
        {
            known.refuse(request.correlationId(), problem);
            return true;
        }
        final ResponseStream responses = refused.size() >= MAX_REFUSALS ? null :
            opener.openForRefusal(request.responseChannel(), request.responseStreamId());
        if (null == responses)
        {
            return false;
        }
        final WorkerConnection connection = new WorkerConnection(sessionId, request, responses);
        connection.onHeard(nowNs);
        connection.refuse(request.correlationId(), problem);
        refused.add(connection);

        return true;
    }

    private WorkerConnection refusedBy(final int sessionId)
    {
        for (final WorkerConnection connection : refused)
        {
            if (connection.sessionId() == sessionId)
            {
                return connection;
            }
        }

        return null;
    }

    private void removeRefused(final WorkerConnection connection)
    {
        if (null != connection && refused.remove(connection))
        {
            connection.close();
        }
    }

    private int countOf(final int jobId)
    {
        int count = 0;
        for (final WorkerConnection connection : all)
        {
            count += connection.jobId() == jobId ? 1 : 0;
        }

        return count;
    }

    /** The connection that a process used before it opened the stream on which it connects, or null. */
    private WorkerConnection ofSameProcess(final ConnectRequest request)
    {
        for (final WorkerConnection connection : all)
        {
            if (connection.jobId() == request.jobId() && connection.slot() == request.slot() &&
                WorkerConnection.OBSERVER != request.slot() &&
                connection.incarnation() == request.incarnation() && connection.role().equals(request.role()))
            {
                return connection;
            }
        }

        return null;
    }

    /**
     * A worker's request to connect.
     *
     * @param correlationId    to be repeated in the answer; grows with each stream that a process opens.
     * @param incarnation      of the process.
     * @param jobId            it works for.
     * @param slot             it holds, or {@link WorkerConnection#OBSERVER}.
     * @param role             that it has in the slot.
     * @param responseStreamId where its answers go.
     * @param responseChannel  where its answers go.
     */
    record ConnectRequest(
        long correlationId,
        long incarnation,
        int jobId,
        int slot,
        SlotRole role,
        int responseStreamId,
        String responseChannel)
    {
    }
}
