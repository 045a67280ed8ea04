// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.raw;

import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.gradstream.perf.measure.InterruptedRunException;
import io.gradstream.perf.measure.Sample;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/** Raw Aeron one way: messages as fast as flow control lets, timed until the other process has taken the last. */
public final class RawStreaming
{
    private static final int FRAGMENT_LIMIT = 16;
    private static final long ANSWER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);

    private final FragmentAssembler assembler =
        new FragmentAssembler((buffer, offset, length, header) -> this.answers++);
    private final ExclusivePublication publication;
    private final Subscription subscription;
    private final IdleStrategy idleStrategy;
    private final UnsafeBuffer message;
    private long answers;

    RawStreaming(
        final ExclusivePublication publication,
        final Subscription subscription,
        final int transferBytes,
        final IdleStrategy idleStrategy)
    {
        this.publication = publication;
        this.subscription = subscription;
        this.idleStrategy = idleStrategy;
        message = new UnsafeBuffer(ByteBuffer.allocateDirect(Math.min(transferBytes, RawPingPong.MAX_PART_LENGTH)));
    }

    /** Stream for a while: messages as transfers, without latency. */
    public Sample run(final long durationNs)
    {
        final long beginNs = System.nanoTime();
        long sent = 0;
        RawMessage.encode(message, RawMessage.TAKE, 0);
        while (System.nanoTime() - beginNs < durationNs)
        {
            final boolean isTaken = RawPingPong.isTaken(publication.offer(message, 0, message.capacity()));
            sent += isTaken ? 1 : 0;
            idle(isTaken ? 1 : 0);
        }

        // A last one that is answered: then the other process has taken all before it.
        RawMessage.encode(message, RawMessage.ANSWER, RawMessage.SHORT_LENGTH);
        final long deadlineNs = System.nanoTime() + ANSWER_TIMEOUT_NS;
        final long answersBefore = answers;
        boolean isAsked = false;
        while (answers == answersBefore)
        {
            isAsked = isAsked || RawPingPong.isTaken(publication.offer(message, 0, message.capacity()));
            idle(subscription.poll(assembler, FRAGMENT_LIMIT));
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new IllegalStateException("the raw echo process did not answer within " +
                    TimeUnit.NANOSECONDS.toSeconds(ANSWER_TIMEOUT_NS) + " s");
            }
        }

        return new Sample(sent + 1, message.capacity(), System.nanoTime() - beginNs, Double.NaN, Double.NaN);
    }

    private void idle(final int workCount)
    {
        InterruptedRunException.check();
        idleStrategy.idle(workCount);
    }
}
