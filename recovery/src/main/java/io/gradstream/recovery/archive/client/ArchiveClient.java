// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive.client;

import io.aeron.Aeron;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ArchiveException;
import io.aeron.archive.client.ControlResponseAdapter;
import io.aeron.archive.client.ControlResponseListener;
import io.aeron.archive.codecs.ControlResponseCode;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.AgentInvoker;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A node's session with its Archive, which never waits: requests are sent, answers are polled for, and operations that
 * take long go on in steps. Used by the node's thread alone, which runs the Aeron client too.
 * <p>
 * A session that was lost, as by a pause of seconds, is opened again without closing the Aeron client, since that owns
 * the logs.
 */
public final class ArchiveClient implements AutoCloseable
{
    /** Operations at once: for each partition a log, a snapshot and what it does before them. */
    public static final int MAX_OPERATIONS = 16_384;
    /** Recordings of a partition that may run at once, and as many replays: log and snapshot, and each before them. */
    public static final int RECORDINGS_PER_PARTITION = 4;
    /** Longest wait, when the node stops, for the Archive to record what its logs still hold. */
    public static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    /** Answers taken with one poll. */
    static final int RESPONSE_LIMIT = 16;
    /** Operations that have nothing to do are looked at again after so long, unless the Archive answers before. */
    static final long STEP_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** On a busy machine an Archive that has just started may miss one request for a session. */
    private static final int CONNECT_ATTEMPTS = 3;
    /** Error code of our own: it is none that may pass. */
    private static final int SESSION_LOST = -1;

    private final Long2ObjectHashMap<ArchiveRequest> asked = new Long2ObjectHashMap<>();
    private final List<ArchiveOperation> operations = new ArrayList<>();
    private final Aeron aeron;
    private final Supplier<AeronArchive.Context> contexts;
    private final ErrorHandler errorHandler;
    private AeronArchive.AsyncConnect connecting;
    private int failedConnects;
    private AeronArchive archive;
    /** Of the newest session. */
    private long archiveId = Aeron.NULL_VALUE;
    private ControlResponseAdapter responses;
    /** The Archive lists for one request of a session at a time. */
    private RecordingQuery listing;
    private long stepNs;
    private boolean isBusy = true;

    /**
     * Connects when it first works.
     *
     * @param aeron        the client that owns streams and subscriptions, without a conductor of its own.
     * @param contexts     settings of a session without a client, new ones with each call.
     * @param errorHandler told of what the Archive reports by itself, and of operations that failed unasked.
     */
    public ArchiveClient(
        final Aeron aeron, final Supplier<AeronArchive.Context> contexts, final ErrorHandler errorHandler)
    {
        this.aeron = aeron;
        this.contexts = contexts;
        this.errorHandler = errorHandler;
    }

    /** Part of the node's duty cycle, at a time by {@link System#nanoTime()}. */
    public int doWork(final long nowNs)
    {
        final int answers = null == responses ? 0 : responses.poll();
        final boolean isDue = 0 != answers || isBusy || nowNs - stepNs >= STEP_INTERVAL_NS;
        if (!isDue || aeron.isClosed())
        {
            return answers;
        }
        stepNs = nowNs;
        final int workCount = isConnected() ? step() : connect();
        isBusy = workCount > 0;

        return answers + workCount;
    }

    /** Let an operation go on from now on; false if there are too many: try again. */
    public boolean start(final ArchiveOperation operation)
    {
        if (MAX_OPERATIONS == operations.size())
        {
            return false;
        }
        isBusy = true;

        return operations.add(operation);
    }

    /** Close a stream; at the node's end the Archive is given time to record the rest of it. */
    public void close(final RecordedStream stream)
    {
        stream.close();
        start(new EndOfRecording(stream));
    }

    public Aeron aeron()
    {
        return aeron;
    }

    public ErrorHandler errorHandler()
    {
        return errorHandler;
    }

    /** Closes the session, not the Aeron client. */
    @Override
    public void close()
    {
        final long deadlineNs = System.nanoTime() + CLOSE_TIMEOUT_NS;
        // the driver may run on this thread
        final AgentInvoker driver = aeron.context().driverAgentInvoker();
        while (operations.stream().anyMatch(EndOfRecording.class::isInstance) && !aeron.isClosed() &&
            System.nanoTime() - deadlineNs < 0)
        {
            final int driverWork = null == driver ? 0 : driver.invoke();
            if (0 == driverWork + aeron.conductorAgentInvoker().invoke() + doWork(System.nanoTime()))
            {
                Thread.yield();
            }
        }
        CloseHelper.quietCloseAll(connecting, archive);
    }

    long archiveId()
    {
        return archiveId;
    }

    /** Returns the correlation id, or {@link Aeron#NULL_VALUE}: ask again. */
    long send(final ArchiveRequest request)
    {
        if (!isConnected() || request instanceof RecordingQuery && null != listing && !listing.isOverdue())
        {
            return Aeron.NULL_VALUE;
        }
        final long correlationId = aeron.nextCorrelationId();
        if (!request.send(archive.archiveProxy(), correlationId, archive.controlSessionId()))
        {
            return Aeron.NULL_VALUE;
        }
        asked.put(correlationId, request);
        if (request instanceof final RecordingQuery query)
        {
            listing = query;
        }

        return correlationId;
    }

    void forget(final long correlationId)
    {
        final ArchiveRequest request = asked.remove(correlationId);
        listing = request == listing ? null : listing;
    }

    private int step()
    {
        int workCount = 0;
        for (int i = operations.size() - 1; i >= 0; i--)
        {
            final ArchiveOperation operation = operations.get(i);
            workCount += operation.poll(this);
            if (operation.isOver())
            {
                final ArchiveOperation last = operations.remove(operations.size() - 1);
                if (i < operations.size())
                {
                    operations.set(i, last);
                }
            }
        }

        return workCount;
    }

    private boolean isConnected()
    {
        return null != archive && AeronArchive.State.CONNECTED == archive.state() &&
            archive.archiveProxy().publication().isConnected() &&
            archive.controlResponsePoller().subscription().isConnected();
    }

    private int connect()
    {
        if (null != archive)
        {
            loseSession();
        }
        try
        {
            if (null == connecting)
            {
                connecting = connectAsync();
            }
            archive = connecting.poll();
            if (null == archive)
            {
                return 0;
            }
            connecting = null;
            failedConnects = 0;
            archiveId = archive.archiveId();
            responses = new ControlResponseAdapter(
                new Answers(), archive.controlResponsePoller().subscription(), RESPONSE_LIMIT);
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.quietClose(connecting);
            connecting = null;
            onNotConnected(ex);
        }

        return 1;
    }

    private AeronArchive.AsyncConnect connectAsync()
    {
        final AeronArchive.Context context = contexts.get();

        return AeronArchive.asyncConnect(context
            .messageTimeoutNs(Math.min(context.messageTimeoutNs(), Deadline.ARCHIVE_TIMEOUT_NS))
            .messageRetryAttempts(1)
            .aeron(aeron)
            .ownsAeronClient(false)
            .errorHandler(errorHandler));
    }

    private void onNotConnected(final RuntimeException failure)
    {
        errorHandler.onError(failure);
        if (CONNECT_ATTEMPTS == ++failedConnects)
        {
            failedConnects = 0;
            operations.forEach((operation) -> operation.fail(this, failure));
            operations.clear();
        }
    }

    /** Drop the session. A request without an answer may have been done or not. */
    private void loseSession()
    {
        CloseHelper.quietClose(archive);
        archive = null;
        responses = null;
        final ArchiveException lost = new ArchiveException("the session with the Archive was lost", SESSION_LOST);
        asked.values().forEach((request) -> request.onRefused(lost));
        asked.clear();
        listing = null;
    }

    /** Hands each answer to the request it is for. */
    private final class Answers implements ControlResponseListener
    {
        @Override
        public void onResponse(
            final long controlSessionId, final long correlationId, final long relevantId,
            final ControlResponseCode code, final String errorMessage)
        {
            if (controlSessionId != archive.controlSessionId())
            {
                return;
            }
            final ArchiveRequest request = asked.get(correlationId);
            final boolean isRefused = ControlResponseCode.ERROR == code;
            if (null == request)
            {
                if (isRefused)
                {
                    errorHandler.onError(new ArchiveException(errorMessage, (int)relevantId, correlationId));
                }
                return;
            }
            if (isRefused)
            {
                request.onRefused(new ArchiveException(errorMessage, (int)relevantId, correlationId));
            }
            else
            {
                request.onAnswered(relevantId);
            }
            if (isRefused || !request.isLasting())
            {
                forget(correlationId);
            }
        }

        @Override
        public void onRecordingDescriptor(
            final long controlSessionId, final long correlationId, final long recordingId, final long startTimestamp,
            final long stopTimestamp, final long startPosition, final long stopPosition, final int initialTermId,
            final int segmentFileLength, final int termBufferLength, final int mtuLength, final int sessionId,
            final int streamId, final String strippedChannel, final String originalChannel,
            final String sourceIdentity)
        {
            if (null != listing && listing == asked.get(correlationId) && listing.onRecording(originalChannel,
                new Recording(recordingId, startPosition, stopPosition, segmentFileLength,
                new LogGeometry(mtuLength, termBufferLength, initialTermId))))
            {
                forget(correlationId);
            }
        }
    }

    /** Lives until the Archive has recorded the rest of a closed stream and ended its recording. */
    private static final class EndOfRecording extends ArchiveOperation
    {
        private final Deadline deadline = new Deadline("end of a recording");
        private final RecordedStream stream;

        EndOfRecording(final RecordedStream stream)
        {
            super("end a recording");
            this.stream = stream;
        }

        @Override
        protected int step(final ArchiveClient client)
        {
            if (stream.isRecordingOver() || deadline.isOver())
            {
                done();
            }

            return 0;
        }
    }
}
