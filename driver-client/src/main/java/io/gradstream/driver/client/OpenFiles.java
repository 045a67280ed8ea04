// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.client;

import java.util.Locale;

/** Tells the operating system's limit of open files from what is wrong with a file: another name would not help. */
public final class OpenFiles
{
    /** The remedy, for the user; 256 were enough for each process of a small cluster. */
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
