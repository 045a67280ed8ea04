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
package io.gradstream.recovery.archive;

import io.aeron.Aeron;
import io.aeron.ChannelUri;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.codecs.SourceLocation;
import io.aeron.archive.status.RecordingPos;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.protocol.DataHeaderFlyweight;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * An IPC publication that this node's Archive records. One thread opens it, which blocks; after that one thread, which
 * may be another, appends to it.
 */
final class RecordedStream implements AutoCloseable
{
    /** Tries of one claim: the first may end a term, the second then begins the next. */
    static final int CLAIM_ATTEMPTS = 3;

    private final ExclusivePublication publication;
    private final CountersReader counters;
    private final int counterId;
    private final long recordingId;
    private final BufferClaim claim = new BufferClaim();
    private long lastRecordedPosition;

    private RecordedStream(
        final ExclusivePublication publication, final CountersReader counters, final int counterId,
        final long recordingId)
    {
        this.publication = publication;
        this.counters = counters;
        this.counterId = counterId;
        this.recordingId = recordingId;
        lastRecordedPosition = publication.position();
    }

    /**
     * Open a stream; extends a recording if one is given, which must end where the channel begins.
     *
     * @return the stream, recorded from its first byte on.
     */
    static RecordedStream open(
        final AeronArchive archive, final String channel, final int streamId, final Recording extended)
    {
        final Aeron aeron = archive.context().aeron();
        final ExclusivePublication publication = aeron.addExclusivePublication(channel, streamId);
        try
        {
            final String recorded = ChannelUri.addSessionId(channel, publication.sessionId());
            if (null == extended)
            {
                archive.startRecording(recorded, streamId, SourceLocation.LOCAL, true);
            }
            else
            {
                archive.extendRecording(extended.recordingId(), recorded, streamId, SourceLocation.LOCAL, true);
            }

            final CountersReader counters = aeron.countersReader();
            final int counterId = awaitCounter(counters, publication, archive.archiveId());

            return new RecordedStream(
                publication, counters, counterId, RecordingPos.getRecordingId(counters, counterId));
        }
        catch (final RuntimeException ex)
        {
            publication.close();
            throw ex;
        }
    }

    int maxPayloadLength()
    {
        return publication.maxPayloadLength();
    }

    long position()
    {
        return publication.position();
    }

    long recordingId()
    {
        return recordingId;
    }

    boolean tryClaim(final int length)
    {
        for (int i = 0; i < CLAIM_ATTEMPTS; i++)
        {
            final long result = publication.tryClaim(length, claim);
            if (result > 0)
            {
                return true;
            }
            if (Publication.CLOSED == result || Publication.MAX_POSITION_EXCEEDED == result)
            {
                throw new IllegalStateException(
                    "cannot append: " + Publication.errorString(result) + " channel=" + publication.channel());
            }
            if (Publication.ADMIN_ACTION != result)
            {
                return false;
            }
        }

        return false;
    }

    boolean tryPadTo(final long position)
    {
        final int length = (int)(position - publication.position()) - DataHeaderFlyweight.HEADER_LENGTH;

        return publication.appendPadding(length) > 0;
    }

    MutableDirectBuffer buffer()
    {
        return claim.buffer();
    }

    int offset()
    {
        return claim.offset();
    }

    void commit()
    {
        claim.commit();
    }

    /** The counter may be freed and used for something else: its value counts only if it is still ours afterwards. */
    long recordedPosition()
    {
        final long value = counters.getCounterValue(counterId);
        if (RecordingPos.isActive(counters, counterId, recordingId))
        {
            lastRecordedPosition = Math.max(lastRecordedPosition, value);
        }

        return lastRecordedPosition;
    }

    boolean isAlive()
    {
        return !publication.isClosed() && RecordingPos.isActive(counters, counterId, recordingId);
    }

    @Override
    public void close()
    {
        publication.close();
    }

    private static int awaitCounter(
        final CountersReader counters, final ExclusivePublication publication, final long archiveId)
    {
        final Deadline deadline = new Deadline("recording of " + publication.channel());
        int counterId = RecordingPos.findCounterIdBySession(counters, publication.sessionId(), archiveId);
        while (CountersReader.NULL_COUNTER_ID == counterId || !publication.isConnected())
        {
            deadline.idle();
            counterId = RecordingPos.findCounterIdBySession(counters, publication.sessionId(), archiveId);
        }

        return counterId;
    }
}
