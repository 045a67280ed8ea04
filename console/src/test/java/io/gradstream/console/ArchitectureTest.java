// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import io.gradstream.architecture.ModuleArchitecture;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * Checks that the console depends on a writer of JSON and on the JDK only.
 */
class ArchitectureTest extends ModuleArchitecture
{
    ArchitectureTest()
    {
        super("io.gradstream.console");
    }

    @Test
    void shouldKnowNothingElseOfOurs()
    {
        check(classes().that().resideInAPackage("io.gradstream.console..")
            .should().onlyDependOnClassesThat()
            .resideInAnyPackage("io.gradstream.console..", "com.google.gson..", "com.sun.net.httpserver..",
                "java..", "javax.imageio..")
            .because("what is shown is told to the console, it asks nobody"));
    }

    @Test
    void shouldListenInOnePlace()
    {
        check(noClasses().that().doNotHaveSimpleName("ConsoleServer")
            .should().dependOnClassesThat().resideInAnyPackage("java.net..", "com.sun.net.httpserver..")
            .because("limits of what comes in are in one place"));
    }
}
