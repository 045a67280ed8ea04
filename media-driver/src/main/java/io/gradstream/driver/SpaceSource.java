// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import java.io.IOException;
import java.nio.file.Path;

/** Tells how much room a file system has; a test replaces it to run out of room. */
@FunctionalInterface
public interface SpaceSource
{
    /** Bytes this process may still write below a directory. */
    long usableBytes(Path directory) throws IOException;
}
