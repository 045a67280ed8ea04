// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import org.junit.jupiter.api.Assumptions;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where tests find real data sets: never copied, and a test that needs one is skipped where it is absent.
 */
public final class RealData
{
    private static final String PROPERTY = "gradstream.test.data";
    private static final String ENVIRONMENT = "GRADSTREAM_TEST_DATA";

    private RealData()
    {
    }

    /**
     * A file of the data directory: the one named by property or environment, else {@code shared/data} in the first
     * directory above that has it.
     */
    public static Path file(final String name)
    {
        final Path file = directory().resolve(name);
        Assumptions.assumeTrue(
            Files.isRegularFile(file),
            () -> "SKIPPED: needs " + name + "; name its directory by -D" + PROPERTY + " or " + ENVIRONMENT);
        return file;
    }

    private static Path directory()
    {
        final String named = System.getProperty(PROPERTY, System.getenv(ENVIRONMENT));
        if (null != named && !named.isEmpty())
        {
            return Path.of(named);
        }

        Path ancestor = Path.of("").toAbsolutePath();
        while (null != ancestor && !Files.isDirectory(ancestor.resolve("shared/data")))
        {
            ancestor = ancestor.getParent();
        }
        return null == ancestor ? Path.of("") : ancestor.resolve("shared/data");
    }
}
