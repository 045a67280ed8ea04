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

import io.aeron.archive.client.ArchiveException;

/**
 * Calls the Archive until it agrees: it refuses for a while what collides with a replay, a recording that is ending or
 * files being deleted.
 */
final class ArchiveRetry
{
    private final Deadline deadline;

    ArchiveRetry(final String awaited)
    {
        deadline = new Deadline(awaited);
    }

    /**
     * Once more.
     *
     * @return false if the Archive refused: try again.
     * @throws ArchiveException if it refuses for good, or has refused for {@link Deadline#ARCHIVE_TIMEOUT_NS}.
     */
    boolean succeed(final Runnable call)
    {
        try
        {
            call.run();
            return true;
        }
        catch (final ArchiveException ex)
        {
            if (!mayPass(ex) || deadline.isOver())
            {
                throw ex;
            }

            return false;
        }
    }

    private static boolean mayPass(final ArchiveException ex)
    {
        return switch (ex.errorCode())
        {
            // An outstanding delete operation has no code of its own.
            case ArchiveException.GENERIC, ArchiveException.ACTIVE_RECORDING, ArchiveException.MAX_RECORDINGS -> true;
            default -> false;
        };
    }
}
