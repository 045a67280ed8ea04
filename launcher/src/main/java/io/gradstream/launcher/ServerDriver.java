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
