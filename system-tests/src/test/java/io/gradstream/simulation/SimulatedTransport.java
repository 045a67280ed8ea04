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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The link between one worker and the server, with Aeron's contract: in order and gap-free within one image, but
 * images die with what is under way, an accepted offer is no delivered message, and offers are refused.
 */
final class SimulatedTransport
{
    /** Takes a message, or not yet. */
    @FunctionalInterface
    interface Receiver
    {
        boolean onMessage(DirectBuffer buffer, int length);
    }

    /** Most messages under way in one image; beyond it offers are refused. */
    static final int WINDOW = 128;
    private static final long RETRY_NS = 300_000;

    private final EventQueue events;
    private final Faults faults;
    private final Receiver server;
    private final Receiver worker;
    private final List<Image> lingering = new ArrayList<>();
    private long incarnation;
    private Image toServer;
    private Image toWorker;

    SimulatedTransport(
        final EventQueue events, final Faults faults, final Receiver server, final Receiver worker)
    {
        this.events = events;
        this.faults = faults;
        this.server = server;
        this.worker = worker;
    }

    boolean isUp()
    {
        return null != toServer;
    }

    /** Incarnation of the worker at the other end: an answer to another one has nowhere to go. */
    long incarnation()
    {
        return incarnation;
    }

    void connect(final long newIncarnation)
    {
        incarnation = newIncarnation;
        toServer = new Image(server);
        toWorker = new Image(worker);
    }

    /** Both images die; what was under way to a living server may still arrive there. */
    void disconnect(final boolean isServerAlive)
    {
        if (!isServerAlive)
        {
            lingering.forEach((image) -> image.isDead = true);
            lingering.clear();
        }
        if (isUp())
        {
            toWorker.isDead = true;
            if (isServerAlive && faults.strike(FaultClass.LINGER, 0.6))
            {
                toServer.linger(faults.draw(FaultClass.LINGER, 0, 60_000_000));
                lingering.add(toServer);
            }
            else
            {
                toServer.isDead = true;
            }
            toServer = null;
            toWorker = null;
        }
    }

    boolean offerToServer(final DirectBuffer buffer, final int offset, final int length)
    {
        return isUp() && toServer.offer(buffer, offset, length);
    }

    boolean offerToWorker(final DirectBuffer buffer, final int offset, final int length)
    {
        return isUp() && toWorker.offer(buffer, offset, length);
    }

    private record Message(UnsafeBuffer bytes, long dueNs)
    {
    }

    private final class Image
    {
        private final Receiver receiver;
        private final ArrayDeque<Message> underWay = new ArrayDeque<>();
        private long lastDueNs;
        private long holeLength;
        private boolean isPolled;
        private boolean isDead;

        Image(final Receiver receiver)
        {
            this.receiver = receiver;
        }

        boolean offer(final DirectBuffer buffer, final int offset, final int length)
        {
            if (underWay.size() >= WINDOW || faults.strike(FaultClass.BACK_PRESSURE, 0.1))
            {
                return false;
            }
            if (faults.strike(FaultClass.HOLE, 0.004))
            {
                holeLength = faults.draw(FaultClass.HOLE, 1, 8);
            }
            if (holeLength > 0)
            {
                holeLength--;
                return true;
            }
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            final long delayNs = faults.draw(FaultClass.DELAY, 50_000, 400_000) *
                (faults.strike(FaultClass.DELAY, 0.01) ? 50 : 1);
            lastDueNs = Math.max(lastDueNs, events.nowNs() + delayNs);
            underWay.add(new Message(new UnsafeBuffer(bytes), lastDueNs));
            schedule();

            return true;
        }

        void linger(final long delayNs)
        {
            final List<Message> late = new ArrayList<>(underWay);
            underWay.clear();
            late.forEach((message) -> underWay.add(new Message(message.bytes, message.dueNs + delayNs)));
        }

        private void schedule()
        {
            if (!isPolled && !underWay.isEmpty())
            {
                isPolled = true;
                events.after(Math.max(0, underWay.peek().dueNs - events.nowNs()), this::poll);
            }
        }

        private void poll()
        {
            isPolled = false;
            final Message head = isDead ? null : underWay.peek();
            if (null == head)
            {
                return;
            }
            if (head.dueNs <= events.nowNs() && !receiver.onMessage(head.bytes, head.bytes.capacity()))
            {
                isPolled = true;
                events.after(RETRY_NS, this::poll);
                return;
            }
            if (head.dueNs <= events.nowNs())
            {
                underWay.poll();
            }
            schedule();
        }
    }
}
