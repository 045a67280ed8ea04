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

import io.aeron.Aeron;
import io.aeron.archive.client.AeronArchive;
import io.aeron.exceptions.TimeoutException;
import io.aeron.archive.client.ArchiveException;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;

import java.util.function.Supplier;

/**
 * The archive agent's Aeron client and its sessions with this node's Archive: one for calls that are answered at once,
 * one for replays, whose answers may take long. A session that was lost, as by a pause of seconds, is opened anew
 * without closing the client, since the client owns the logs.
 */
public final class ArchiveConnection implements AutoCloseable
{
    private static final int CONNECT_ATTEMPTS = 3;

    private final Supplier<Aeron.Context> clients;
    private final Supplier<AeronArchive.Context> contexts;
    private final ErrorHandler errorHandler;
    private final ReaderCycle readerCycle = new ReaderCycle();
    private volatile boolean hasLostClient;
    private Aeron aeron;
    private AeronArchive archive;
    private ReplayRequests replays;

    /**
     * Not yet connected.
     *
     * @param clients      settings of a client of the driver, new ones with each call.
     * @param contexts     settings of a session without a client, new ones with each call.
     * @param errorHandler told of what the client and the Archive report by themselves.
     */
    public ArchiveConnection(
        final Supplier<Aeron.Context> clients,
        final Supplier<AeronArchive.Context> contexts,
        final ErrorHandler errorHandler)
    {
        this.clients = clients;
        this.contexts = contexts;
        this.errorHandler = errorHandler;
    }

    /** The client that owns streams and subscriptions; connects if there is none, which blocks. */
    public Aeron aeron()
    {
        if (null != aeron && aeron.isClosed())
        {
            close();
        }
        if (null == aeron)
        {
            // no thread of its own, which would close it at any moment under the archive agent
            aeron = Aeron.connect(clients.get()
                .useConductorAgentInvoker(true)
                .closeLingerDurationNs(0)
                .errorHandler(errorHandler));
            aeron.addCloseHandler(this::onClientClosed);
        }

        return aeron;
    }

    /** A live session for calls; connects if there is none, which blocks. */
    public AeronArchive archive()
    {
        final Aeron client = aeron();
        if (null != archive && !isAlive(archive))
        {
            CloseHelper.quietClose(archive);
            archive = null;
        }
        if (null == archive)
        {
            archive = connect(client);
        }

        return archive;
    }

    /** A live session for replays; connects if there is none, which blocks. */
    public ReplayRequests replays()
    {
        final Aeron client = aeron();
        if (null != replays && !isAlive(replays.archive()))
        {
            CloseHelper.quietClose(replays);
            replays = null;
        }
        if (null == replays)
        {
            replays = new ReplayRequests(connect(client));
        }

        return replays;
    }

    /** The cycles of whoever uses the client's streams without being the archive agent. */
    public ReaderCycle readerCycle()
    {
        return readerCycle;
    }

    /** Has a client closed, by itself or for good? For any thread. */
    public boolean hasLostClient()
    {
        return hasLostClient;
    }

    /**
     * Run the client, and take what the Archive has sent by itself: what nobody takes would end the sessions after half
     * a minute.
     */
    public void keepAlive()
    {
        if (null != aeron)
        {
            aeron.conductorAgentInvoker().invoke();
        }
        if (null != archive && isAlive(archive))
        {
            final String error = archive.pollForErrorResponse();
            if (null != error)
            {
                errorHandler.onError(new ArchiveException(error));
            }
        }
        if (null != replays && isAlive(replays.archive()))
        {
            replays.poll();
        }
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(replays, archive, aeron);
        replays = null;
        archive = null;
        aeron = null;
    }

    private void onClientClosed()
    {
        hasLostClient = true;
        readerCycle.awaitEnd();
    }

    /** On a busy machine an Archive that has just started may miss one request for a session. */
    private AeronArchive connect(final Aeron client)
    {
        for (int attempt = 1; attempt < CONNECT_ATTEMPTS; attempt++)
        {
            try
            {
                return connectOnce(client);
            }
            catch (final TimeoutException ex)
            {
                errorHandler.onError(ex);
            }
        }

        return connectOnce(client);
    }

    private AeronArchive connectOnce(final Aeron client)
    {
        final AeronArchive.Context context = contexts.get();

        return AeronArchive.connect(context
            .messageTimeoutNs(Math.min(context.messageTimeoutNs(), Deadline.ARCHIVE_TIMEOUT_NS))
            .aeron(client)
            .ownsAeronClient(false)
            .errorHandler(errorHandler));
    }

    private static boolean isAlive(final AeronArchive archive)
    {
        return AeronArchive.State.CONNECTED == archive.state() &&
            archive.archiveProxy().publication().isConnected() &&
            archive.controlResponsePoller().subscription().isConnected();
    }
}
