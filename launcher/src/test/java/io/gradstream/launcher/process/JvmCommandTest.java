// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.process;

import java.util.List;

import org.junit.jupiter.api.Test;

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
    void shouldLetChildrenUseTheArchiveAndNotMakeIt()
    {
        final List<String> inherited = JvmCommand.inherited(List.of(
            "-XX:SharedArchiveFile=a.jsa", "-Xlog:cds=off", "-XX:ArchiveClassesAtExit=b.jsa"));

        assertThat(inherited).containsExactly("-XX:SharedArchiveFile=a.jsa", "-Xlog:cds=off");
    }
}
