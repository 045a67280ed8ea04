// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator;

import io.gradstream.architecture.ModuleArchitecture;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * Checks which packages the simulator may know, and how it is divided.
 */
class ArchitectureTest extends ModuleArchitecture
{
    ArchitectureTest()
    {
        super("io.gradstream.simulator");
    }

    @Test
    void shouldHaveNoTimeNorChanceButThoseOfTheSeed()
    {
        check(noClasses().that().resideInAPackage("io.gradstream.simulator.*..")
            .should().callMethod(System.class, "nanoTime")
            .orShould().callMethod(System.class, "currentTimeMillis")
            .orShould().callMethod(Math.class, "random")
            .orShould().dependOnClassesThat().belongToAnyOf(java.util.Random.class)
            .because("the same seed gives the same course"));
    }

    @Test
    void shouldKnowNeitherAgentsNorCommands()
    {
        check(noClasses().that().resideInAPackage("io.gradstream.simulator..")
            .should().dependOnClassesThat().resideInAnyPackage(
                "io.gradstream.server.aeron..", "io.gradstream.worker.aeron..", "io.gradstream.recovery.archive..",
                "io.gradstream.cli..", "io.gradstream.launcher..", "picocli..")
            .because("it runs the pure core over ports of its own"));
    }
}
