// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.aeron;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.gradstream.codecs.Streams;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

import java.util.function.IntFunction;

/** The two streams to one neighbour: what must not wait, and records. Both outlive the neighbour's restarts. */
final class NeighbourStreams implements AutoCloseable
{
    /**
     * Of records: an eighth of it is the longest message. Three such terms, at each end, are written through when the
     * stream is made, by the thread that the node shares with its driver: longer ones made neighbours suspect it.
     */
    private static final int RECORDS_TERM_LENGTH = 2 * 1024 * 1024;
    /** Of what must not wait: an eighth of it holds the longest, an attach. */
    private static final int CONTROL_TERM_LENGTH = 512 * 1024;

    private final Aeron aeron;
    private long controlId;
    private long recordsId;
    private ExclusivePublication control;
    private ExclusivePublication records;

    NeighbourStreams(final Aeron aeron, final IntFunction<String> channel)
    {
        this.aeron = aeron;
        controlId = aeron.asyncAddExclusivePublication(channel.apply(CONTROL_TERM_LENGTH), Streams.CHAIN_CONTROL);
        recordsId = aeron.asyncAddExclusivePublication(channel.apply(RECORDS_TERM_LENGTH), Streams.CHAIN);
    }

    boolean offerControl(final DirectBuffer buffer, final int length)
    {
        if (null == control)
        {
            control = aeron.getExclusivePublication(controlId);
        }

        return null != control && isTaken(control.offer(buffer, 0, length), control);
    }

    boolean offerRecord(
        final DirectBuffer header,
        final int headerLength,
        final DirectBuffer record,
        final int offset,
        final int length)
    {
        if (null == records)
        {
            records = aeron.getExclusivePublication(recordsId);
        }
        if (null == records)
        {
            return false;
        }
        long result = records.offer(header, 0, headerLength, record, offset, length);
        if (Publication.ADMIN_ACTION == result)
        {
            result = records.offer(header, 0, headerLength, record, offset, length);
        }

        return isTaken(result, records);
    }

    boolean offerRecord(final DirectBuffer buffer, final int length)
    {
        return offerRecord(buffer, length, buffer, 0, 0);
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(control, records);
        control = null;
        records = null;
        controlId = Aeron.NULL_VALUE;
        recordsId = Aeron.NULL_VALUE;
    }

    private static boolean isTaken(final long result, final Publication publication)
    {
        if (Publication.CLOSED == result || Publication.MAX_POSITION_EXCEEDED == result)
        {
            throw new IllegalStateException(
                "cannot reach a neighbour: " + Publication.errorString(result) + " channel=" + publication.channel());
        }

        return result > 0;
    }
}
