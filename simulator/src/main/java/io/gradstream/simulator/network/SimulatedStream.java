// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.network;

import io.gradstream.simulator.world.EventQueue;
import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.Faults;
import io.gradstream.simulator.world.World;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages one way between two processes, with Aeron's contract. They are in order and gap-free within one image, but
 * images die with what is under way, and a new one may begin with a hole. An accepted offer is no delivered message,
 * and offers are refused. Whoever receives polls; a message not taken stays the first.
 *
 * @param <T> message.
 */
public final class SimulatedStream<T>
{
    /**
     * Takes a message, or not yet.
     *
     * @param <T> message.
     */
    @FunctionalInterface
    public interface Receiver<T>
    {
        boolean onMessage(T message);
    }

    private static final long NEVER = Long.MAX_VALUE;

    private record Message<T>(T content, long dueNs)
    {
    }

    private final EventQueue events;
    private final Faults faults;
    /** Most messages under way in this image; beyond it offers are refused. */
    private final int window;
    private final ArrayDeque<Message<T>> underWay = new ArrayDeque<>();
    private long lastDueNs;
    private long holeLength;
    private long connectedAtNs = NEVER;
    private long blockedUntilNs;

    SimulatedStream(final World world)
    {
        events = world.events();
        faults = world.faults();
        window = world.config().bounds().window();
    }

    boolean isConnected()
    {
        return events.nowNs() >= connectedAtNs;
    }

    void connect(final long delayNs)
    {
        connectedAtNs = events.nowNs() + delayNs;
        if (faults.strike(FaultClass.HOLE, 0.3))
        {
            holeLength = faults.draw(FaultClass.HOLE, 1, 4);
        }
    }

    /** The image dies with what is under way. */
    void die()
    {
        underWay.clear();
        connectedAtNs = NEVER;
    }

    /** Nothing arrives until then. */
    void block(final long durationNs)
    {
        blockedUntilNs = Math.max(blockedUntilNs, events.nowNs() + durationNs);
    }

    /** Nothing more vanishes of what was to. */
    void mend()
    {
        holeLength = 0;
    }

    /** Ends the sender; what it has sent arrives some time later. */
    void linger(final long delayNs)
    {
        final List<Message<T>> late = new ArrayList<>(underWay);
        underWay.clear();
        late.forEach((message) -> underWay.add(new Message<>(message.content, message.dueNs + delayNs)));
        connectedAtNs = NEVER;
    }

    boolean isEmpty()
    {
        return underWay.isEmpty();
    }

    boolean offer(final T content)
    {
        if (!isConnected() || underWay.size() >= window || faults.strike(FaultClass.BACK_PRESSURE, 0.08))
        {
            return false;
        }
        if (faults.strike(FaultClass.HOLE, 0.002))
        {
            holeLength = faults.draw(FaultClass.HOLE, 1, 8);
        }
        if (holeLength > 0)
        {
            holeLength--;
            return true;
        }
        final long delayNs = faults.draw(FaultClass.DELAY, 50_000, 400_000) *
            (faults.strike(FaultClass.DELAY, 0.006) ? faults.draw(FaultClass.DELAY, 5, 100) : 1);
        lastDueNs = Math.max(lastDueNs, events.nowNs() + delayNs);
        underWay.add(new Message<>(content, lastDueNs));

        return true;
    }

    int poll(final Receiver<T> receiver, final int limit)
    {
        if (events.nowNs() < blockedUntilNs)
        {
            return 0;
        }
        int count = 0;
        while (count < limit && !underWay.isEmpty() && underWay.peek().dueNs <= events.nowNs())
        {
            final Message<T> head = underWay.peek();
            if (!receiver.onMessage(head.content))
            {
                break;
            }
            events.trace(head.dueNs);
            // a message may end its own image
            if (head == underWay.peek())
            {
                underWay.poll();
            }
            count++;
        }

        return count;
    }
}
