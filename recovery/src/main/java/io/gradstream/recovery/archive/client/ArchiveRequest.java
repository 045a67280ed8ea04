// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive.client;

import io.aeron.Aeron;
import io.aeron.archive.client.ArchiveException;
import io.aeron.archive.client.ArchiveProxy;

import java.util.function.IntPredicate;

/**
 * One request to the Archive, which is sent when it is first polled and answered later. It is sent again where the
 * Archive's refusal may pass: for a while it refuses what collides with a replay, a recording that is ending or files
 * being deleted.
 */
public class ArchiveRequest
{
    private final Sender sender;
    private final Deadline deadline;
    private final IntPredicate passing;
    private long correlationId = Aeron.NULL_VALUE;
    private boolean isLasting;
    private boolean isAnswered;
    private long value;
    private ArchiveException refusal;

    /**
     * Nothing is sent yet.
     *
     * @param awaited what is waited for, for messages.
     * @param passing which error codes may pass: then it is sent again until the deadline.
     */
    public ArchiveRequest(final String awaited, final Sender sender, final IntPredicate passing)
    {
        this.sender = sender;
        this.passing = passing;
        deadline = new Deadline(awaited);
    }

    public ArchiveRequest(final String awaited, final Sender sender)
    {
        this(awaited, sender, (code) -> false);
    }

    public static ArchiveRequest ofStop(final long recordingId)
    {
        return new ArchiveRequest("stop of recordingId=" + recordingId, (proxy, correlationId, sessionId) ->
            proxy.stopRecordingByIdentity(recordingId, correlationId, sessionId));
    }

    public static ArchiveRequest ofStopPosition(final long recordingId)
    {
        return new ArchiveRequest("stop position of recordingId=" + recordingId, (proxy, correlationId, sessionId) ->
            proxy.getStopPosition(recordingId, correlationId, sessionId));
    }

    public static ArchiveRequest ofMaxRecordedPosition(final long recordingId)
    {
        return new ArchiveRequest("end of recordingId=" + recordingId, (proxy, correlationId, sessionId) ->
            proxy.getMaxRecordedPosition(recordingId, correlationId, sessionId));
    }

    /**
     * Send it if it has not been sent, and look for the answer.
     *
     * @return false: ask again.
     * @throws ArchiveException                     if the Archive refuses for good, or has refused for
     *                                              {@link Deadline#ARCHIVE_TIMEOUT_NS}.
     * @throws io.aeron.exceptions.TimeoutException if there is no answer for so long.
     */
    public final boolean poll(final ArchiveClient client)
    {
        if (isAnswered)
        {
            return true;
        }
        if (null != refusal)
        {
            if (!passing.test(refusal.errorCode()) || deadline.isOver())
            {
                throw refusal;
            }
            refusal = null;
            correlationId = Aeron.NULL_VALUE;
        }
        if (Aeron.NULL_VALUE == correlationId)
        {
            correlationId = client.send(this);
        }
        if (deadline.isOver())
        {
            cancel(client);
            throw deadline.exception();
        }

        return false;
    }

    /** True if an error may pass that the Archive gives for what collides with something that is going on. */
    public static boolean isCollision(final int errorCode)
    {
        return switch (errorCode)
        {
            // An outstanding delete operation has no code of its own.
            case ArchiveException.GENERIC, ArchiveException.ACTIVE_RECORDING, ArchiveException.MAX_RECORDINGS -> true;
            default -> false;
        };
    }

    public final long value()
    {
        return value;
    }

    /** Give the request up: an answer that comes from now on is ignored. */
    final void cancel(final ArchiveClient client)
    {
        client.forget(correlationId);
    }

    final boolean isOverdue()
    {
        return deadline.isOver();
    }

    /** Have it told of an error that comes after the answer. */
    final ArchiveRequest lasting()
    {
        isLasting = true;

        return this;
    }

    final boolean isLasting()
    {
        return isLasting;
    }

    /** The error that came after the answer, or null. */
    final ArchiveException refusal()
    {
        return refusal;
    }

    final boolean send(final ArchiveProxy proxy, final long correlationId, final long controlSessionId)
    {
        return sender.send(proxy, correlationId, controlSessionId);
    }

    final void onAnswered(final long answer)
    {
        value = answer;
        isAnswered = true;
    }

    final void onRefused(final ArchiveException ex)
    {
        refusal = ex;
    }

    /** Puts a request into the control stream. */
    @FunctionalInterface
    public interface Sender
    {
        /** False if there is no room now. */
        boolean send(ArchiveProxy proxy, long correlationId, long controlSessionId);
    }
}
