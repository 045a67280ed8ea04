// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import java.util.Arrays;
import java.util.Locale;

/** The process that runs the media driver of a server. */
public enum ServerDriver
{
    /** The server's own, with its Archive. */
    INTERNAL,
    /** A process next to the server, with its Archive: driver and Archive survive a kill of the server. */
    EXTERNAL,
    /** The process of the workers' driver, which all servers use; each server has its Archive in its own process. */
    SHARED;

    /** The name on a command line. */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The value with a label.
     *
     * @throws IllegalArgumentException if there is none.
     */
    public static ServerDriver of(final String label)
    {
        return Arrays.stream(values()).filter((driver) -> driver.label().equals(label)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("invalid driver=" + label));
    }
}
