// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import io.gradstream.architecture.ModuleArchitecture;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * Checks that model files can be read without a cluster.
 */
class ArchitectureTest extends ModuleArchitecture
{
    ArchitectureTest()
    {
        super("io.gradstream.model");
    }

    @Test
    void shouldDependOnCodecsAndNoTransport()
    {
        check(noClasses().should().dependOnClassesThat(oursOutside("io.gradstream.model", "io.gradstream.codecs")));
        check(noClasses().should().dependOnClassesThat().resideInAnyPackage("io.aeron..", "java.net.."));
    }
}
