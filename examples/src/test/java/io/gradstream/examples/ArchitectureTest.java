// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.examples;

import io.gradstream.architecture.ModuleArchitecture;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * Examples use what users may use.
 */
class ArchitectureTest extends ModuleArchitecture
{
    ArchitectureTest()
    {
        super("io.gradstream.examples");
    }

    @Test
    void shouldUseThePublicClientAlone()
    {
        check(noClasses().should().dependOnClassesThat().resideInAnyPackage(
            "io.gradstream.worker.client..", "io.gradstream.worker.aeron..", "io.aeron..")
            .because("a user's program needs no more"));
    }
}
