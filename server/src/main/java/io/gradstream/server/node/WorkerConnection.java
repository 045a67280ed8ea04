// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.AwaitedWatermark;
import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.keys.KeyLists;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.share.ConnectionLimit.NoRoom;
import org.agrona.collections.Int2ObjectHashMap;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * A worker that is connected to this server: which process it is, where its answers go, which partitions it has
 * attached to, what it was last told of each, and which lists of keys it names there.
 */
final class WorkerConnection implements AutoCloseable
{
    /** Slot of a worker that may only pull. */
    static final int OBSERVER = -1;

    private final int sessionId;
    private final int jobId;
    private final int slot;
    private final long incarnation;
    private final SlotRole role;
    private final ResponseStream responses;
    private final List<Watermark> watermarks = new ArrayList<>();
    private final Int2ObjectHashMap<KeyLists> keyLists = new Int2ObjectHashMap<>();
    private long correlationId;
    private boolean isConnectedDue = true;
    private NoRoom refusal;
    /** Index of the partition that comes first in the next message. */
    private int first;
    private long heardNs;
    private long signOfLifeNs;

    /** A connection on which nothing was sent yet. */
    WorkerConnection(
        final int sessionId, final WorkerConnections.ConnectRequest request, final ResponseStream responses)
    {
        this.sessionId = sessionId;
        jobId = request.jobId();
        slot = request.slot();
        incarnation = request.incarnation();
        role = request.role();
        this.responses = responses;
    }

    int first()
    {
        return first;
    }

    void first(final int index)
    {
        first = index;
    }

    int sessionId()
    {
        return sessionId;
    }

    /** The job that the worker works for; its numbers of partitions are those of the job. */
    int jobId()
    {
        return jobId;
    }

    int slot()
    {
        return slot;
    }

    long incarnation()
    {
        return incarnation;
    }

    /** The role of the process in its slot. */
    SlotRole role()
    {
        return role;
    }

    ResponseStream responses()
    {
        return responses;
    }

    long correlationId()
    {
        return correlationId;
    }

    /** The worker asks for the answer to its connect, for the first time or again. */
    void onConnect(final long newCorrelationId, final long nowNs)
    {
        correlationId = newCorrelationId;
        isConnectedDue = true;
        heardNs = nowNs;
    }

    /** The worker asks, for the first time or again, and is to be told that there is no room for it. */
    void refuse(final long newCorrelationId, final NoRoom problem)
    {
        correlationId = newCorrelationId;
        isConnectedDue = true;
        refusal = problem;
    }

    /** The reason why there is no room for the worker; null if there is. */
    NoRoom refusal()
    {
        return refusal;
    }

    /** True if the answer to the worker's connect is still to be sent. */
    boolean isConnectedDue()
    {
        return isConnectedDue;
    }

    void onConnectedSent()
    {
        isConnectedDue = false;
    }

    void onHeard(final long nowNs)
    {
        heardNs = nowNs;
    }

    boolean isOver(final long nowNs, final long timeoutNs)
    {
        return responses.isClosed() || nowNs - heardNs > timeoutNs;
    }

    /** From now on the worker is told how far its parts have come at this partition. */
    void attach(final int partition)
    {
        while (watermarks.size() <= partition)
        {
            watermarks.add(null);
        }
        if (null == watermarks.get(partition))
        {
            watermarks.set(partition, new Watermark());
        }
        watermarks.get(partition).isDue = true;
    }

    /**
     * The worker's hello was answered: its messages from now on belong to that hello.
     *
     * @param awaited see {@link AwaitedWatermark}.
     */
    void onWelcomed(final int partition, final long helloId, final int awaited)
    {
        attach(partition);
        watermarks.get(partition).helloId = helloId;
        watermarks.get(partition).awaited = awaited;
        final KeyLists lists = keyLists.remove(partition);
        if (null != lists)
        {
            lists.close();
        }
    }

    /** The lists of keys that the worker has sent to a partition since it was last welcomed, or null if it has none. */
    KeyLists keyLists(final int partition)
    {
        return keyLists.get(partition);
    }

    /** The worker has sent the first lists of keys to a partition. */
    void keyLists(final int partition, final KeyLists lists)
    {
        keyLists.put(partition, lists);
    }

    /** True if lists of keys are kept for the worker. */
    boolean hasKeyLists()
    {
        return !keyLists.isEmpty();
    }

    /** Give back the memory of the lists of keys at all partitions but those that this node leads. */
    void closeKeyLists(final IntPredicate isLed)
    {
        final Int2ObjectHashMap<KeyLists>.EntryIterator entries = keyLists.entrySet().iterator();
        while (entries.hasNext())
        {
            entries.next();
            if (!isLed.test(entries.getIntKey()))
            {
                entries.getValue().close();
                entries.remove();
            }
        }
    }

    /** The worker knows the outcome of more parts than before: the next message may list others instead. */
    void onMoreKnown(final int partition)
    {
        final Watermark watermark = watermark(partition);
        if (null != watermark)
        {
            watermark.isDue |= Long.MAX_VALUE != watermark.toldCap;
        }
    }

    /** Hello by which the slot is attached to a partition, 0 if it is not. */
    long helloId(final int partition)
    {
        final Watermark watermark = watermark(partition);
        return null == watermark ? 0 : watermark.helloId;
    }

    /** The state of a copy that the worker was last told, or null if it has not attached to the partition. */
    Watermark watermark(final HostedPartition copy)
    {
        return copy.jobId() == jobId ? watermark(copy.numberInJob()) : null;
    }

    /** The state of a partition that the worker was last told, or null if it has not attached to the partition. */
    Watermark watermark(final int partition)
    {
        return partition >= 0 && partition < watermarks.size() ? watermarks.get(partition) : null;
    }

    /**
     * True if a sign of life is due. Everything is then told again: the worker's image may have died and come back
     * without the messages sent in between.
     */
    boolean startSignOfLife(final long nowNs, final long intervalNs)
    {
        if (nowNs - signOfLifeNs < intervalNs)
        {
            return false;
        }
        for (final Watermark watermark : watermarks)
        {
            if (null != watermark)
            {
                watermark.isDue = true;
            }
        }

        return true;
    }

    void onSignOfLife(final long nowNs)
    {
        signOfLifeNs = nowNs;
    }

    @Override
    public void close()
    {
        keyLists.values().forEach(KeyLists::close);
        keyLists.clear();
        responses.close();
    }

    /** The state of one partition that a worker was last told. */
    static final class Watermark
    {
        boolean isDue;
        int awaited;
        long helloId;
        /** Sequence at which the last message stopped, because it could not list the refusals after that. */
        long toldCap = Long.MAX_VALUE;
        long applied;
        long replicated;
        long recorded;
        long snapshotted;
        /** 0 unless something is held. */
        long held;

        /** True if the worker waits until more is recorded. */
        boolean isRecordingAwaited(final boolean isReplicatedByRecording)
        {
            return switch (awaited)
            {
                case AwaitedWatermark.APPLIED -> false;
                case AwaitedWatermark.REPLICATED -> isReplicatedByRecording && replicated < applied;
                default -> recorded < applied;
            };
        }

        void set(final long newApplied, final long newReplicated, final long newRecorded, final long newSnapshotted)
        {
            isDue |= switch (awaited)
            {
                case AwaitedWatermark.APPLIED -> newApplied != applied;
                case AwaitedWatermark.REPLICATED -> newReplicated != replicated;
                case AwaitedWatermark.RECORDED -> newRecorded != recorded;
                default -> newApplied != applied || newReplicated != replicated || newRecorded != recorded ||
                    newSnapshotted != snapshotted;
            };
            applied = newApplied;
            replicated = newReplicated;
            recorded = newRecorded;
            snapshotted = newSnapshotted;
        }

        /** A message was sent that stopped at a sequence, or {@link Long#MAX_VALUE} if it told everything. */
        void onTold(final long cap)
        {
            // a capped message is not complete; but the same again helps only once the worker knows some refusals
            isDue = Long.MAX_VALUE != cap && cap != toldCap;
            toldCap = cap;
        }

        /** Set the sequence up to which parts are held. Once they are applied, the other watermarks tell it. */
        void held(final long newHeld)
        {
            isDue |= newHeld > 0 && newHeld != held;
            held = newHeld;
        }
    }
}
