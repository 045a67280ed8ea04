// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
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
                "io.gradstream.coordinator.member", "io.gradstream.coordinator.service"))
            .because("it starts processes by their command lines"));
    }
}
