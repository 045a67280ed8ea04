// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.architecture.ModuleArchitecture;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * What the packages of the client library may know of each other, and what its pure packages must not touch.
 */
class ArchitectureTest extends ModuleArchitecture
{
    private static final String[] PURE =
        {"io.gradstream.worker.cache..", "io.gradstream.worker.client..", "io.gradstream.worker.session..",
            "io.gradstream.worker.filter..", "io.gradstream.worker.work.."};

    ArchitectureTest()
    {
        super("io.gradstream.worker");
    }

    @Test
    void shouldKeepAeronInOnePackage()
    {
        check(noClasses().that().resideOutsideOfPackage("io.gradstream.worker.aeron..")
            .should().dependOnClassesThat().resideInAPackage("io.aeron..")
            .because("the transport can be replaced, by the simulator for one"));
    }

    @Test
    void shouldKeepThePureClientFreeOfTransportFilesThreadsAndClocks()
    {
        check(noClasses().that().resideInAnyPackage(PURE).should().dependOnClassesThat().resideInAnyPackage(
            "io.aeron..", "io.gradstream.driver..", "java.io..", "java.nio.file..", "java.nio.channels..", "java.net..",
            "java.util.concurrent..", "java.util.logging..", "java.time..")
            .because("pure code decides; worker.aeron moves bytes"));
        checkPure(PURE);
    }

    @Test
    void shouldKeepArrowsBetweenPackagesInOneDirection()
    {
        check(noClasses().that().resideInAPackage("io.gradstream.worker.session..")
            .should().dependOnClassesThat().resideInAnyPackage(
                "io.gradstream.worker", "io.gradstream.worker.client..", "io.gradstream.worker.aeron.."));
    }
}
