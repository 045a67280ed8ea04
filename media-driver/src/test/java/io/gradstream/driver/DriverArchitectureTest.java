// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import io.gradstream.architecture.ModuleArchitecture;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * What the packages of this module may know of each other and of the others.
 */
class DriverArchitectureTest extends ModuleArchitecture
{
    DriverArchitectureTest()
    {
        super("io.gradstream.driver");
    }

    @Test
    void shouldKnowNothingElseOfOurs()
    {
        check(noClasses().should().dependOnClassesThat(oursOutside("io.gradstream.driver..")));
    }

    @Test
    void shouldReadTheFilesOfAnArchiveWithoutADriver()
    {
        check(noClasses().that().resideInAPackage("io.gradstream.driver.files")
            .should().dependOnClassesThat(oursOutside("io.gradstream.driver.files"))
            .orShould().dependOnClassesThat().resideInAPackage("io.aeron.driver.."));
    }
}
