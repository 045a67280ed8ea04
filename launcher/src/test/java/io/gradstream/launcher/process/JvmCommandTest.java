// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class JvmCommandTest
{
    @Test
    void shouldNotInheritHeapDebuggerAndPropertiesOfTheParent()
    {
        assertThat(JvmCommand.inherited(List.of("-Xmx9g", "--add-opens=a/b=ALL-UNNAMED", "-agentlib:jdwp=x",
            "-Dgradstream.batch=3", "-Dgradstream.home=/h", "-XX:+UseG1GC")))
            .containsExactly("--add-opens=a/b=ALL-UNNAMED", "-Dgradstream.home=/h");
    }

    @Test
    void shouldAddTheFlagsOfOneCommandAlone(@TempDir final Path home) throws IOException
    {
        final Path config = Files.createDirectory(home.resolve("config"));
        final Path options = Files.writeString(config.resolve("coordinator.options"), "-XX:TieredStopAtLevel=1");

        assertThat(JvmCommand.ofRole(home.toString(), List.of("coordinator", "--node-id=0")))
            .containsExactly("@" + options);
        assertThat(JvmCommand.ofRole(home.toString(), List.of("server"))).isEmpty();
        assertThat(JvmCommand.ofRole(home.toString(), List.of("../config/coordinator"))).isEmpty();
        assertThat(JvmCommand.ofRole(home.toString(), List.of())).isEmpty();
        assertThat(JvmCommand.ofRole(null, List.of("coordinator"))).isEmpty();
    }

    @Test
    void shouldLetChildrenUseTheArchiveAndNotMakeIt()
    {
        final List<String> inherited = JvmCommand.inherited(List.of(
            "-XX:SharedArchiveFile=a.jsa", "-Xlog:cds=off", "-XX:ArchiveClassesAtExit=b.jsa"));

        assertThat(inherited).containsExactly("-XX:SharedArchiveFile=a.jsa", "-Xlog:cds=off");
    }
}
