// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import org.junit.jupiter.api.Assumptions;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Real input, which is not part of the repository: tests that need it are skipped where it is absent.
 */
final class TestInput
{
    private static final String VARIABLE = "GRADSTREAM_TEST_DATA";

    private TestInput()
    {
    }

    static Path require(final String name)
    {
        final String directory = System.getProperty("gradstream.test.data", System.getenv(VARIABLE));
        Path file = null == directory ? null : Path.of(directory, name);
        Path ancestor = Path.of("").toAbsolutePath();
        while (null == file && null != ancestor)
        {
            final Path candidate = ancestor.resolve("shared/data").resolve(name);
            file = Files.exists(candidate) ? candidate : null;
            ancestor = ancestor.getParent();
        }
        final boolean isThere = null != file && Files.exists(file);
        Assumptions.assumeTrue(isThere, "SKIPPED: " + name + " is not here; set " + VARIABLE + " to its directory");

        return file;
    }
}
