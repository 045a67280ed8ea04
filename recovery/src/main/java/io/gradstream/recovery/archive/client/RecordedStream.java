// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive.client;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.archive.status.RecordingPos;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.protocol.DataHeaderFlyweight;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.status.CountersReader;

/** An IPC publication that this node's Archive records. The Archive is its only subscriber. */
public final class RecordedStream implements AutoCloseable
{
    /** Tries of one claim: the first may end a term, the second then begins the next. */
    static final int CLAIM_ATTEMPTS = 3;

    private final Aeron aeron;
    private final ExclusivePublication publication;
    private final CountersReader counters;
    private final int counterId;
    private final long registrationId;
    private final long recordingId;
    private final BufferClaim claim = new BufferClaim();
    private long lastRecordedPosition;

    public RecordedStream(final Aeron aeron, final ExclusivePublication publication, final int counterId)
    {
        this.aeron = aeron;
        this.publication = publication;
        counters = aeron.countersReader();
        this.counterId = counterId;
        registrationId = counters.getCounterRegistrationId(counterId);
        recordingId = RecordingPos.getRecordingId(counters, counterId);
        lastRecordedPosition = publication.position();
    }

    public int maxPayloadLength()
    {
        return publication.maxPayloadLength();
    }

    public long position()
    {
        return publication.position();
    }

    public long recordingId()
    {
        return recordingId;
    }

    public boolean tryClaim(final int length)
    {
        for (int i = 0; i < CLAIM_ATTEMPTS; i++)
        {
            final long result = publication.tryClaim(length, claim);
            if (isAppended(result))
            {
                return true;
            }
            if (Publication.ADMIN_ACTION != result)
            {
                return false;
            }
        }

        return false;
    }

    public MutableDirectBuffer buffer()
    {
        return claim.buffer();
    }

    public int offset()
    {
        return claim.offset();
    }

    public void commit()
    {
        claim.commit();
    }

    /**
     * Pad up to where a term begins.
     *
     * @param position where it begins, less than a frame's length ahead.
     * @return false if there is no room now.
     */
    public boolean tryPadTo(final long position)
    {
        final long length = position - publication.position() - DataHeaderFlyweight.HEADER_LENGTH;
        final int termLength = publication.termBufferLength();
        if (0 != (position & (termLength - 1)) || length < 0 || length > publication.maxPayloadLength())
        {
            throw new IllegalStateException(
                "cannot pad from position=" + publication.position() + " to position=" + position);
        }

        return isAppended(publication.appendPadding((int)length));
    }

    /**
     * The counter may be freed and used for something else: its value counts only if it is still ours afterwards. A
     * closed client no longer has any counters.
     */
    public long recordedPosition()
    {
        if (publication.isClosed())
        {
            return lastRecordedPosition;
        }
        final long value = counters.getCounterValue(counterId);
        if (isActive())
        {
            lastRecordedPosition = Math.max(lastRecordedPosition, value);
        }

        return lastRecordedPosition;
    }

    public boolean isAlive()
    {
        return !publication.isClosed() && isActive();
    }

    /** The ids of recordings begin again in each Archive, and there may be several Archives on a driver. */
    private boolean isActive()
    {
        return RecordingPos.isActive(counters, counterId, recordingId) &&
            registrationId == counters.getCounterRegistrationId(counterId);
    }

    /** True if the Archive has recorded the rest of a closed stream and ended its recording. */
    public boolean isRecordingOver()
    {
        return aeron.isClosed() || !isActive();
    }

    @Override
    public void close()
    {
        publication.close();
    }

    /** A client that has died is no error here: {@link #isAlive()} tells it. */
    private boolean isAppended(final long result)
    {
        if (Publication.MAX_POSITION_EXCEEDED == result)
        {
            throw new IllegalStateException(
                "cannot append: " + Publication.errorString(result) + " channel=" + publication.channel());
        }

        return result > 0;
    }
}
