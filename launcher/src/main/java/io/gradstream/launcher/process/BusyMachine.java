// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.process;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/** Warns that this machine has more to do than it has processors, since times and silences then mean little. */
public final class BusyMachine
{
    /** Load above which a machine is busy: threads that run or want to, over the last minute, for each processor. */
    public static final double MAX_LOAD_PER_PROCESSOR = 1.5;

    private BusyMachine()
    {
    }

    /**
     * Print a warning if the machine's load is high.
     *
     * @param command that begins the line.
     * @param what    is not to be trusted then, such as {@code the figures}.
     */
    public static void tell(final PrintStream err, final String command, final String what)
    {
        final String note = note(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
            Runtime.getRuntime().availableProcessors(), what);
        if (null != note)
        {
            err.println(command + ": " + note);
        }
    }

    /** One sentence, or null if the load is not high, or unknown. */
    static String note(final double load, final int processors, final String what)
    {
        return load <= MAX_LOAD_PER_PROCESSOR * processors ? null : String.format(Locale.ROOT,
            "this machine is busy (load %.1f in the last minute, %d processors): %s say little; stop what else runs" +
            " here and try again", load, processors, what);
    }
}
