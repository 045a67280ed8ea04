// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import java.util.Arrays;
import java.util.Locale;

/**
 * Which process has the media driver of a server.
 */
public enum ServerDriver
{
    /** The server's own, with its Archive. */
    INTERNAL,
    /** One beside the server, with its Archive: both survive a kill of the server. */
    EXTERNAL,
    /** That of the workers' driver, which all servers use; each has its Archive in its own process. */
    SHARED;

    /** As a command line says it. */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * What a label stands for.
     *
     * @throws IllegalArgumentException if it is none.
     */
    public static ServerDriver of(final String label)
    {
        return Arrays.stream(values()).filter((driver) -> driver.label().equals(label)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("invalid driver=" + label));
    }
}
