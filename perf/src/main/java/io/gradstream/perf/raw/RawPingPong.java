// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.raw;

import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.gradstream.perf.measure.Transceiver;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;

/**
 * Raw Aeron as a system under load: each transfer is over when its answer has come.
 * <p>
 * A transfer longer than {@link #MAX_PART_LENGTH} is cut into messages of that length, as a push is.
 */
public final class RawPingPong implements Transceiver
{
    /** The bytes that travel each way. */
    public enum Exchange
    {
        /** All there, all back. */
        ECHO,
        /** All there, a short answer back: a push. */
        PUSH,
        /** A short question there, all back: a pull. */
        PULL
    }

    /** Longest message; a client cuts its pushes near it, and Aeron takes it with a term of 512 KiB. */
    static final int MAX_PART_LENGTH = 64 * 1024;

    private static final int FRAGMENT_LIMIT = 16;

    private final FragmentAssembler assembler =
        new FragmentAssembler((buffer, offset, length, header) -> this.answers++);
    private final ExclusivePublication publication;
    private final Subscription subscription;
    private final Exchange exchange;
    private final int transferBytes;
    private final int partCount;
    private final UnsafeBuffer message;
    private int nextPart;
    private long answers;

    RawPingPong(
        final ExclusivePublication publication,
        final Subscription subscription,
        final Exchange exchange,
        final int transferBytes)
    {
        this.publication = publication;
        this.subscription = subscription;
        this.exchange = exchange;
        this.transferBytes = transferBytes;
        partCount = (transferBytes + MAX_PART_LENGTH - 1) / MAX_PART_LENGTH;
        message = new UnsafeBuffer(ByteBuffer.allocateDirect(Math.min(transferBytes, MAX_PART_LENGTH)));
    }

    @Override
    public boolean tryStart()
    {
        // Goes on where it was, so that a transfer of many messages waits for room in the middle.
        while (nextPart < partCount)
        {
            if (!offerPart(nextPart))
            {
                return false;
            }
            nextPart++;
        }
        nextPart = 0;

        return true;
    }

    @Override
    public int poll()
    {
        return subscription.poll(assembler, FRAGMENT_LIMIT);
    }

    @Override
    public long completed()
    {
        return Exchange.PUSH == exchange ? answers : answers / partCount;
    }

    @Override
    public long transferBytes()
    {
        return transferBytes;
    }

    private boolean offerPart(final int part)
    {
        final boolean isLast = part == partCount - 1;
        final int partLength = isLast ? transferBytes - part * MAX_PART_LENGTH : MAX_PART_LENGTH;
        final int length = Exchange.PULL == exchange ? RawMessage.SHORT_LENGTH : partLength;
        final int kind = switch (exchange)
        {
            case ECHO -> RawMessage.ECHO;
            case PUSH -> isLast ? RawMessage.ANSWER : RawMessage.TAKE;
            case PULL -> RawMessage.ANSWER;
        };
        RawMessage.encode(message, kind, Exchange.PULL == exchange ? partLength : RawMessage.SHORT_LENGTH);

        return isTaken(publication.offer(message, 0, length));
    }

    /**
     * True if Aeron took a message.
     *
     * @throws IllegalStateException if the other process is gone.
     */
    public static boolean isTaken(final long position)
    {
        if (position > 0)
        {
            return true;
        }
        if (Publication.BACK_PRESSURED == position || Publication.ADMIN_ACTION == position)
        {
            return false;
        }
        throw new IllegalStateException(
            "offer=" + Publication.errorString(position) + ": the other process is gone");
    }
}
