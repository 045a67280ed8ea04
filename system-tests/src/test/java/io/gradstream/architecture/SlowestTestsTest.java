// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.architecture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

import static org.assertj.core.api.Assertions.assertThat;

class SlowestTestsTest
{
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    private Path root;

    @Test
    void shouldListClassesOfThisBuildSlowestFirst() throws IOException
    {
        report("a/target/surefire-reports/TEST-io.FirstTest.xml", "io.FirstTest", "0.5", START);
        report("b/target/failsafe-reports/TEST-io.SecondIT.xml", "io.SecondIT", "12.25", START.plusSeconds(9));
        report("b/target/surefire-reports/TEST-io.OldTest.xml", "io.OldTest", "99", START.minusMillis(1));
        report("b/target/surefire-reports/io.OtherTest.txt", "io.OtherTest", "99", START);

        assertThat(SlowestTests.read(root, START)).containsExactly(
            new SlowestTests.TestClass("io.SecondIT", 12.25), new SlowestTests.TestClass("io.FirstTest", 0.5));
    }

    private void report(final String path, final String name, final String seconds, final Instant written)
        throws IOException
    {
        final Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file,
            "<?xml version=\"1.0\"?>\n<testsuite name=\"" + name + "\" time=\"" + seconds + "\" tests=\"1\"/>\n");
        Files.setLastModifiedTime(file, FileTime.from(written));
    }
}
