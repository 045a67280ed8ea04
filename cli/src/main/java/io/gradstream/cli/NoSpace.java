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
package io.gradstream.cli;

import io.aeron.ErrorCode;
import io.aeron.exceptions.RegistrationException;
import io.gradstream.driver.HostDriverException;

import static io.gradstream.driver.HostDriverException.Reason.NO_SPACE;

/**
 * Recognizes failures for lack of room in a file system: a start is refused by our own check, a stream later by the
 * media driver, and what a child of {@code train} was refused is passed on.
 */
final class NoSpace
{
    private static final int MAX_CAUSES = 8;

    private NoSpace()
    {
    }

    static boolean isCauseOf(final Throwable thrown)
    {
        return null != find(thrown);
    }

    /** What to do, where the message does not say so. */
    static String adviceFor(final Throwable thrown)
    {
        return find(thrown) instanceof RegistrationException ? ": the Aeron directory has no room for another stream;" +
            " enlarge its file system (in a container --shm-size), or choose another directory (--aeron-dir)" : "";
    }

    private static Throwable find(final Throwable thrown)
    {
        Throwable cause = thrown;
        for (int i = 0; i < MAX_CAUSES && null != cause; i++)
        {
            if (isNoSpace(cause))
            {
                return cause;
            }
            cause = cause.getCause();
        }

        return null;
    }

    private static boolean isNoSpace(final Throwable thrown)
    {
        if (thrown instanceof final RegistrationException refused)
        {
            return ErrorCode.STORAGE_SPACE == refused.errorCode();
        }
        if (thrown instanceof final ProcessEndedException ended)
        {
            return Gradstream.EXIT_NO_SPACE == ended.exitCode();
        }

        return thrown instanceof final HostDriverException host && NO_SPACE == host.reason();
    }
}
