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
package io.gradstream.driver.client;

import java.util.Locale;

/**
 * Tells the operating system's limit of open files from what is wrong with a file: another name would not help.
 */
public final class OpenFiles
{
    /** What to do; 256 were enough for each process of a small cluster. */
    public static final String REMEDY = "raise the limit of open files of this shell with ulimit -n 4096";

    private static final String SIGN = "too many open files";
    private static final int MAX_CAUSES = 8;

    private OpenFiles()
    {
    }

    /**
     * The remedy for a file that could not be used.
     *
     * @param thrown    what the operating system said.
     * @param otherwise what to do if it is not the limit.
     */
    public static String remedy(final Throwable thrown, final String otherwise)
    {
        return isLimitReached(thrown) ? REMEDY : otherwise;
    }

    /** True if this process, or one whose words are quoted, had as many files open as it may. */
    public static boolean isLimitReached(final Throwable thrown)
    {
        Throwable cause = thrown;
        for (int i = 0; i < MAX_CAUSES && null != cause; i++)
        {
            if (String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT).contains(SIGN))
            {
                return true;
            }
            cause = cause.getCause();
        }

        return false;
    }
}
