// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import io.gradstream.architecture.ModuleArchitecture;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * What the data and the mathematics of training may know: themselves, the JDK, and where files are read, how to
 * decompress them.
 */
class ArchitectureTest extends ModuleArchitecture
{
    ArchitectureTest()
    {
        super("io.gradstream.training");
    }

    @Test
    void shouldKnowNobody()
    {
        check(classes().that().resideInAPackage("io.gradstream.training..")
            .should().onlyDependOnClassesThat()
            .resideInAnyPackage("io.gradstream.training..", "java..", "io.airlift.compress..")
            .because("data and mathematics need neither transport nor servers"));
    }

    @Test
    void shouldDecompressInOnePlace()
    {
        check(noClasses().that().doNotBelongToAnyOf(DataFile.class)
            .should().dependOnClassesThat().resideInAPackage("io.airlift.compress..")
            .because("the library can then be replaced in one place"));
    }
}
