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
package io.gradstream.simulation;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.List;

/**
 * What one process of a worker and one node say to each other: an image each way while both live, and what was under
 * way in those that have died.
 */
final class WorkerLink
{
    private static final int FRAGMENT_LIMIT = 32;

    private final World world;
    private final List<SimulatedStream<UnsafeBuffer>> lingering = new ArrayList<>();
    private final List<SimulatedStream<UnsafeBuffer>> lateAnswers = new ArrayList<>();
    /** What comes right behind the first answer on the next connection, when it can do the most harm. */
    private final List<SimulatedStream<UnsafeBuffer>> worstAnswers = new ArrayList<>();
    private SimulatedStream<UnsafeBuffer> toNode;
    private SimulatedStream<UnsafeBuffer> toWorker;
    private long incarnation;
    private int generation;
    private long cutUntilNs;

    WorkerLink(final World world)
    {
        this.world = world;
    }

    boolean isUp()
    {
        return null != toNode;
    }

    /** Incarnation of the worker at the other end: an answer to another one has nowhere to go. */
    long incarnation()
    {
        return incarnation;
    }

    /** Number of this connection; another one means that this one is gone. */
    int generation()
    {
        return generation;
    }

    void connect(final long newIncarnation)
    {
        incarnation = newIncarnation;
        toNode = new SimulatedStream<>(world.events, world.faults);
        toWorker = new SimulatedStream<>(world.events, world.faults);
        toNode.connect(0);
        toWorker.connect(0);
        block();
    }

    /** Nothing arrives at either end for a while. */
    void cut(final long durationNs)
    {
        cutUntilNs = Math.max(cutUntilNs, world.events.nowNs() + durationNs);
        block();
    }

    /** Does nothing arrive? */
    boolean isCut()
    {
        return world.events.nowNs() < cutUntilNs;
    }

    private void block()
    {
        if (isUp() && isCut())
        {
            toNode.block(cutUntilNs - world.events.nowNs());
            toWorker.block(cutUntilNs - world.events.nowNs());
        }
    }

    /** Both images die; what was under way to a living node, and from it, may still arrive. */
    void disconnect(final boolean isNodeAlive)
    {
        generation++;
        if (!isNodeAlive)
        {
            lingering.clear();
        }
        if (isUp() && isNodeAlive && world.faults.strike(FaultClass.LINGER, 0.6))
        {
            toNode.linger(world.faults.draw(FaultClass.LINGER, 0, 60_000_000));
            lingering.add(toNode);
        }
        if (isUp() && world.faults.strike(FaultClass.LINGER, 0.6))
        {
            toWorker.linger(world.faults.draw(FaultClass.LINGER, 0, 60_000_000));
            (world.faults.strike(FaultClass.LINGER, 0.3) ? worstAnswers : lateAnswers).add(toWorker);
        }
        toNode = null;
        toWorker = null;
    }

    boolean offerToNode(final DirectBuffer buffer, final int offset, final int length)
    {
        return isUp() && toNode.offer(copy(buffer, offset, length));
    }

    boolean offerToWorker(final DirectBuffer buffer, final int offset, final int length)
    {
        return isUp() && toWorker.offer(copy(buffer, offset, length));
    }

    int pollAtNode(final SimulatedStream.Receiver<UnsafeBuffer> receiver)
    {
        return poll(lingering, receiver) + (isUp() ? toNode.poll(receiver, FRAGMENT_LIMIT) : 0);
    }

    int pollAtWorker(final SimulatedStream.Receiver<UnsafeBuffer> receiver)
    {
        int count = poll(lateAnswers, receiver);
        final int answers = isUp() ? toWorker.poll(receiver, 1) : 0;
        if (answers > 0)
        {
            count += poll(worstAnswers, receiver);
        }

        return count + answers + (isUp() ? toWorker.poll(receiver, FRAGMENT_LIMIT) : 0);
    }

    /** The process is dead, and the next one of its slot listens where it did. */
    void leaveAnswersTo(final WorkerLink next)
    {
        next.lateAnswers.addAll(lateAnswers);
        next.worstAnswers.addAll(worstAnswers);
        lateAnswers.clear();
        worstAnswers.clear();
    }

    private static int poll(
        final List<SimulatedStream<UnsafeBuffer>> late, final SimulatedStream.Receiver<UnsafeBuffer> receiver)
    {
        int count = 0;
        for (int i = late.size() - 1; i >= 0; i--)
        {
            count += late.get(i).poll(receiver, FRAGMENT_LIMIT);
            if (late.get(i).isEmpty())
            {
                late.remove(i);
            }
        }

        return count;
    }

    private static UnsafeBuffer copy(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return new UnsafeBuffer(bytes);
    }
}
