// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf;

import io.gradstream.architecture.ModuleArchitecture;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * What the measurements may know, and how they are divided.
 */
class ArchitectureTest extends ModuleArchitecture
{
    ArchitectureTest()
    {
        super("io.gradstream.perf");
    }

    @Test
    void shouldNotKnowTheCommands()
    {
        check(noClasses().that().resideInAPackage("io.gradstream.perf..")
            .should().dependOnClassesThat().resideInAPackage("io.gradstream.cli..")
            .because("clusters are started by the launcher"));
        check(noClasses().that().resideInAPackage("io.gradstream.perf..")
            .and().resideOutsideOfPackage("io.gradstream.perf.train")
            .should().dependOnClassesThat().resideInAPackage("io.gradstream.training..")
            .because("what is trained matters where training is compared with a plain loop"));
    }
}
