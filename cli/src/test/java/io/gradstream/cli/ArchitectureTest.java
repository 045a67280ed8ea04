// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli;

import io.gradstream.architecture.ModuleArchitecture;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * What the commands may know, and how they are divided.
 */
class ArchitectureTest extends ModuleArchitecture
{
    ArchitectureTest()
    {
        super("io.gradstream.cli");
    }

    @Test
    void shouldNotKnowTheMeasurements()
    {
        check(noClasses().that().resideInAPackage("io.gradstream.cli..")
            .should().dependOnClassesThat().resideInAPackage("io.gradstream.perf.."));
    }

    @Test
    void shouldKeepCommandsApart()
    {
        check(noClasses().that().resideOutsideOfPackage("io.gradstream.cli")
            .should().dependOnClassesThat().resideInAPackage("io.gradstream.cli")
            .because("the root command knows its subcommands, and none knows the root"));
    }
}
