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
