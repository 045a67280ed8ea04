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

import io.aeron.archive.client.AeronArchive;

import java.util.function.Supplier;

/**
 * One thread's session with this node's Archive, opened anew when it has been lost: a pause of seconds ends a session.
 */
public final class ArchiveConnection implements AutoCloseable
{
    private final Supplier<AeronArchive> connector;
    private AeronArchive archive;

    /**
     * Not yet connected.
     *
     * @param connector opens a session, blocking; its client must not be shared with another thread.
     */
    public ArchiveConnection(final Supplier<AeronArchive> connector)
    {
        this.connector = connector;
    }

    /**
     * A live session; connects if there is none, which blocks.
     *
     * @return the session, to be used by the owner thread only.
     */
    public AeronArchive archive()
    {
        if (null != archive && !isAlive())
        {
            close();
        }
        if (null == archive)
        {
            archive = connector.get();
        }

        return archive;
    }

    @Override
    public void close()
    {
        if (null != archive)
        {
            final AeronArchive closing = archive;
            archive = null;
            closing.close();
        }
    }

    private boolean isAlive()
    {
        return AeronArchive.State.CONNECTED == archive.state() &&
            archive.archiveProxy().publication().isConnected() &&
            archive.controlResponsePoller().subscription().isConnected();
    }
}
