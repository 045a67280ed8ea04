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

import io.gradstream.architecture.ModuleArchitecture;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * What the launcher of local clusters may know, and how it is divided.
 */
class ArchitectureTest extends ModuleArchitecture
{
    ArchitectureTest()
    {
        super("io.gradstream.launcher");
    }

    @Test
    void shouldKnowNoCommandLine()
    {
        check(noClasses().that().resideInAPackage("io.gradstream.launcher..")
            .should().dependOnClassesThat().resideInAnyPackage(
                "picocli..", "io.gradstream.cli..", "io.gradstream.perf..")
            .because("commands, measurements and tests use the launcher, not the other way round"));
    }

    @Test
    void shouldNotKnowServersNorTraining()
    {
        check(noClasses().that().resideInAPackage("io.gradstream.launcher..")
            .should().dependOnClassesThat(oursOutside(
                "io.gradstream.launcher..", "io.gradstream.codecs..", "io.gradstream.driver..",
                "io.gradstream.coordinator.service"))
            .because("it starts processes by their command lines"));
    }
}
