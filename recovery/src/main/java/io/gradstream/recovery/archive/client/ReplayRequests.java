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
package io.gradstream.recovery.archive.client;

import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ArchiveException;
import io.aeron.archive.client.ControlResponsePoller;
import io.aeron.archive.codecs.ControlResponseCode;
import io.aeron.archive.codecs.ControlResponseDecoder;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Asks the Archive for replays without waiting for its answers: for a segment that is missing it answers after seconds.
 */
public final class ReplayRequests implements AutoCloseable
{
    /** Answers taken with one poll. */
    static final int POLL_LIMIT = 64;

    private final AeronArchive archive;
    private final Long2ObjectHashMap<ArchivedReplay> asked = new Long2ObjectHashMap<>();

    public ReplayRequests(final AeronArchive archive)
    {
        this.archive = archive;
    }

    public AeronArchive archive()
    {
        return archive;
    }

    /**
     * Ask for a replay, which is told of the answer, and later of an error if there is one.
     *
     * @return correlation id, to be {@link #forget forgotten}; or {@link AeronArchive#NULL_POSITION}: ask again.
     */
    long ask(final ArchivedReplay replay, final ReplayRange range, final String channel, final int streamId)
    {
        final long correlationId = archive.context().aeron().nextCorrelationId();
        if (!archive.archiveProxy().replay(
            range.recordingId(), range.fromPosition(), range.length(), channel, streamId, correlationId,
            archive.controlSessionId()))
        {
            return AeronArchive.NULL_POSITION;
        }
        asked.put(correlationId, replay);

        return correlationId;
    }

    void forget(final long correlationId)
    {
        asked.remove(correlationId);
    }

    public void poll()
    {
        final ControlResponsePoller poller = archive.controlResponsePoller();
        for (int i = 0; i < POLL_LIMIT && 0 != poller.poll(); i++)
        {
            if (poller.isPollComplete() && poller.controlSessionId() == archive.controlSessionId() &&
                ControlResponseDecoder.TEMPLATE_ID == poller.templateId())
            {
                onResponse(poller);
            }
        }
    }

    @Override
    public void close()
    {
        archive.close();
    }

    private void onResponse(final ControlResponsePoller poller)
    {
        final ArchivedReplay replay = asked.get(poller.correlationId());
        if (null == replay)
        {
            return;
        }
        if (ControlResponseCode.OK == poller.code())
        {
            replay.onStarted(poller.relevantId());
        }
        else
        {
            replay.onError(new ArchiveException(poller.errorMessage(), (int)poller.relevantId()));
        }
    }
}
