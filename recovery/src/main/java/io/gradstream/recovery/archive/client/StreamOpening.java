// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive.client;

import io.aeron.Aeron;
import io.aeron.ChannelUri;
import io.aeron.ExclusivePublication;
import io.aeron.archive.client.ArchiveProxy;
import io.aeron.archive.codecs.SourceLocation;
import io.aeron.archive.status.RecordingPos;
import org.agrona.concurrent.status.CountersReader;

/** Opens a stream that the Archive records from its first byte on, in steps: publication, request, recording. */
public final class StreamOpening
{
    private final String channel;
    private final int streamId;
    private final Recording extended;
    private final Deadline deadline;
    private long registrationId = Aeron.NULL_VALUE;
    private ExclusivePublication publication;
    private ArchiveRequest request;

    /** Extends a recording if one is given, which must end where the channel begins. */
    public StreamOpening(final String channel, final int streamId, final Recording extended)
    {
        this.channel = channel;
        this.streamId = streamId;
        this.extended = extended;
        deadline = new Deadline("recording of " + channel);
    }

    /** The stream, or null: ask again. */
    public RecordedStream poll(final ArchiveClient client)
    {
        final Aeron aeron = client.aeron();
        if (Aeron.NULL_VALUE == registrationId)
        {
            registrationId = aeron.asyncAddExclusivePublication(channel, streamId);
        }
        if (null == publication)
        {
            publication = aeron.getExclusivePublication(registrationId);
        }
        if (null == publication)
        {
            deadline.check();
            return null;
        }
        if (null == request)
        {
            request = new ArchiveRequest("recording of " + channel, this::ask, ArchiveRequest::isCollision);
        }

        return request.poll(client) ? findRecording(aeron, client.archiveId()) : null;
    }

    public void abandon(final ArchiveClient client)
    {
        if (null != request)
        {
            request.cancel(client);
        }
        if (null != publication)
        {
            publication.close();
        }
        else if (Aeron.NULL_VALUE != registrationId)
        {
            client.aeron().asyncRemovePublication(registrationId);
        }
    }

    private boolean ask(final ArchiveProxy proxy, final long correlationId, final long controlSessionId)
    {
        final String recorded = ChannelUri.addSessionId(channel, publication.sessionId());

        return null == extended ?
            proxy.startRecording(recorded, streamId, SourceLocation.LOCAL, true, correlationId, controlSessionId) :
            proxy.extendRecording(recorded, streamId, SourceLocation.LOCAL, true, extended.recordingId(),
                correlationId, controlSessionId);
    }

    private RecordedStream findRecording(final Aeron aeron, final long archiveId)
    {
        final int counterId = findCounter(aeron.countersReader(), publication.sessionId(), archiveId);
        if (CountersReader.NULL_COUNTER_ID == counterId || !publication.isConnected())
        {
            deadline.check();
            return null;
        }

        return new RecordedStream(aeron, publication, counterId);
    }

    /**
     * The counter of a recording's position, once the driver has shown whose it is: it shows a counter first, and only
     * then its registration, by which a {@link RecordedStream} knows it again.
     */
    static int findCounter(final CountersReader counters, final int sessionId, final long archiveId)
    {
        final int counterId = RecordingPos.findCounterIdBySession(counters, sessionId, archiveId);

        return CountersReader.NULL_COUNTER_ID != counterId &&
            CountersReader.DEFAULT_REGISTRATION_ID == counters.getCounterRegistrationId(counterId) ?
            CountersReader.NULL_COUNTER_ID : counterId;
    }
}
