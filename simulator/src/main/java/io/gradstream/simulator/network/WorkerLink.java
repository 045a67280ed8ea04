// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.network;

import io.gradstream.codecs.wire.ConnectedDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.server.node.ResponseStream;
import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.World;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.List;

/**
 * The streams between one process of a worker and one node, which each side opens: requests from the worker, responses
 * from the node. Images die, and what was under way in them may still arrive, beside the next ones.
 */
public final class WorkerLink
{
    private static final int FRAGMENT_LIMIT = 32;

    /** Takes what workers have sent. */
    @FunctionalInterface
    public interface RequestReceiver
    {
        boolean onMessage(int sessionId, UnsafeBuffer message);
    }

    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final World world;
    private final List<Requests> lateRequests = new ArrayList<>();
    private final List<Responses> responses = new ArrayList<>();
    private final List<SimulatedStream<UnsafeBuffer>> lateAnswers = new ArrayList<>();
    /** Answers that come right after the first answer on the next connection, when they can do the most harm. */
    private final List<SimulatedStream<UnsafeBuffer>> worstAnswers = new ArrayList<>();
    private Requests requests;
    private boolean isNodeAlive;
    private boolean isWorkerAlive;
    private long requestsCutUntilNs;
    private long responsesCutUntilNs;

    public WorkerLink(final World world)
    {
        this.world = world;
    }

    /** The worker begins a stream of requests; an earlier one is closed. */
    public Requests openRequests()
    {
        closeRequests();
        requests = new Requests(world.nextSessionId(), newStream(requestsCutUntilNs));

        return requests;
    }

    /** The node begins a stream of responses. */
    public ResponseStream openResponses(final int maxLength)
    {
        final Responses opened = new Responses(newStream(responsesCutUntilNs), maxLength);
        responses.add(opened);

        return opened;
    }

    /** Nothing arrives at either end for a while. */
    public void cut(final long durationNs)
    {
        cutRequests(durationNs);
        cutResponses(durationNs);
    }

    /** The node does not hear the worker for a while. */
    public void cutRequests(final long durationNs)
    {
        requestsCutUntilNs = Math.max(requestsCutUntilNs, world.events().nowNs() + durationNs);
        lateRequests.forEach((each) -> each.stream.block(durationNs));
        if (null != requests)
        {
            requests.stream.block(durationNs);
        }
    }

    /** The worker does not hear the node for a while. */
    public void cutResponses(final long durationNs)
    {
        responsesCutUntilNs = Math.max(responsesCutUntilNs, world.events().nowNs() + durationNs);
        lateAnswers.forEach((each) -> each.block(durationNs));
        responses.forEach((each) -> each.stream.block(durationNs));
    }

    public void onNodeStarted()
    {
        isNodeAlive = true;
        loseRequests();
    }

    public void onNodeDead()
    {
        isNodeAlive = false;
        lateRequests.clear();
        loseRequests();
        responses.forEach((each) -> retire(each.stream));
        responses.clear();
    }

    public void onWorkerStarted()
    {
        isWorkerAlive = true;
        responses.forEach(Responses::reconnect);
    }

    public void onWorkerDead()
    {
        isWorkerAlive = false;
        closeRequests();
        responses.forEach(Responses::reconnect);
    }

    /** The images of both directions die; what was under way to a living node, and from it, may still arrive. */
    public void lose()
    {
        loseRequests();
        responses.forEach(Responses::reconnect);
    }

    /** The process is dead, and the next one of its slot listens where it did. */
    public void leaveAnswersTo(final WorkerLink next)
    {
        next.lateAnswers.addAll(lateAnswers);
        next.worstAnswers.addAll(worstAnswers);
        lateAnswers.clear();
        worstAnswers.clear();
    }

    public int pollAtNode(final RequestReceiver receiver)
    {
        int count = 0;
        for (int i = lateRequests.size() - 1; i >= 0; i--)
        {
            count += lateRequests.get(i).poll(receiver);
            if (lateRequests.get(i).stream.isEmpty())
            {
                lateRequests.remove(i);
            }
        }

        return count + (null == requests ? 0 : requests.poll(receiver));
    }

    public int pollAtWorker(final SimulatedStream.Receiver<UnsafeBuffer> receiver)
    {
        int count = poll(lateAnswers, receiver);
        final int[] said = new int[1];
        final SimulatedStream.Receiver<UnsafeBuffer> counting = (message) ->
        {
            // nothing is asked before a stream is connected, so right behind that nothing late does harm
            said[0] += ConnectedDecoder.TEMPLATE_ID == header.wrap(message, 0).templateId() ? 0 : 1;
            return receiver.onMessage(message);
        };
        int answers = 0;
        for (int i = 0; i < responses.size(); i++)
        {
            answers += responses.get(i).stream.poll(counting, 1);
        }
        if (said[0] > 0)
        {
            count += poll(worstAnswers, receiver);
        }
        for (int i = 0; i < responses.size(); i++)
        {
            answers += responses.get(i).stream.poll(receiver, FRAGMENT_LIMIT);
        }

        return count + answers;
    }

    private void closeRequests()
    {
        if (null != requests)
        {
            loseRequests();
            requests.isClosed = true;
            requests = null;
        }
    }

    private void loseRequests()
    {
        if (null != requests)
        {
            if (isNodeAlive && world.faults().strike(FaultClass.LINGER, 0.6))
            {
                requests.stream.linger(world.faults().draw(FaultClass.LINGER, 0, 60_000_000));
                lateRequests.add(new Requests(requests.sessionId, requests.stream));
            }
            requests.stream = newStream(requestsCutUntilNs);
        }
    }

    private void retire(final SimulatedStream<UnsafeBuffer> stream)
    {
        if (world.faults().strike(FaultClass.LINGER, 0.9))
        {
            stream.linger(world.faults().draw(FaultClass.LINGER, 0, 60_000_000));
            (world.faults().strike(FaultClass.LINGER, 0.3) ? worstAnswers : lateAnswers).add(stream);
        }
    }

    /** A stream that connects some time later if both ends live. */
    private SimulatedStream<UnsafeBuffer> newStream(final long cutUntilNs)
    {
        final SimulatedStream<UnsafeBuffer> stream = new SimulatedStream<>(world);
        if (isNodeAlive && isWorkerAlive)
        {
            stream.connect(world.faults().draw(FaultClass.LINK_LOSS, 500_000, 10_000_000));
        }
        stream.block(Math.max(0, cutUntilNs - world.events().nowNs()));

        return stream;
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

    /** A worker's stream to the node. */
    public static final class Requests
    {
        private final int sessionId;
        private SimulatedStream<UnsafeBuffer> stream;
        private boolean isClosed;

        private Requests(final int sessionId, final SimulatedStream<UnsafeBuffer> stream)
        {
            this.sessionId = sessionId;
            this.stream = stream;
        }

        public boolean isConnected()
        {
            return !isClosed && stream.isConnected();
        }

        public boolean offer(final DirectBuffer buffer, final int offset, final int length)
        {
            return isConnected() && stream.offer(copy(buffer, offset, length));
        }

        private int poll(final RequestReceiver receiver)
        {
            return stream.poll((message) -> receiver.onMessage(sessionId, message), FRAGMENT_LIMIT);
        }
    }

    /** A node's stream to the worker. */
    private final class Responses implements ResponseStream
    {
        private final int maxLength;
        private SimulatedStream<UnsafeBuffer> stream;
        private boolean isClosed;

        private Responses(final SimulatedStream<UnsafeBuffer> stream, final int maxLength)
        {
            this.stream = stream;
            this.maxLength = maxLength;
        }

        private void reconnect()
        {
            retire(stream);
            stream = newStream(responsesCutUntilNs);
        }

        @Override
        public int doWork()
        {
            return 0;
        }

        @Override
        public boolean isConnected()
        {
            return !isClosed && stream.isConnected();
        }

        @Override
        public boolean isClosed()
        {
            return isClosed;
        }

        @Override
        public int maxPayloadLength()
        {
            return maxLength;
        }

        @Override
        public int maxMessageLength()
        {
            return maxLength;
        }

        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length)
        {
            if (length > maxLength)
            {
                // as Aeron does
                throw new IllegalArgumentException("message of length=" + length + ", longest=" + maxLength);
            }

            return isConnected() && stream.offer(copy(buffer, offset, length));
        }

        @Override
        public void close()
        {
            if (!isClosed)
            {
                isClosed = true;
                responses.remove(this);
                retire(stream);
            }
        }
    }
}
