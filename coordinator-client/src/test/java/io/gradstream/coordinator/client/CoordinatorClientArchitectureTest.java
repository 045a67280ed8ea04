// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.client;

import io.gradstream.architecture.ModuleArchitecture;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * What those who talk to the coordinators bring with them: what is said is pure, sessions carry it over Aeron.
 */
class CoordinatorClientArchitectureTest extends ModuleArchitecture
{
    private static final String CLIENT = "io.gradstream.coordinator.client..";
    private static final String SESSION = "io.gradstream.coordinator.session..";

    CoordinatorClientArchitectureTest()
    {
        super("io.gradstream.coordinator");
    }

    @Test
    void shouldKeepWhatIsSaidFreeOfTransportFilesThreadsAndClocks()
    {
        check(noClasses().that().resideInAPackage(CLIENT).should().dependOnClassesThat().resideInAnyPackage(
            "io.aeron..", "java.io..", "java.nio..", "java.net..", "java.util.concurrent..", "java.util.logging..",
            "java.time..")
            .because("the simulator runs it unchanged"));
        checkPure(CLIENT);
    }

    @Test
    void shouldKnowOfOursTheCodecsAlone()
    {
        check(noClasses().should().dependOnClassesThat(oursOutside(CLIENT, SESSION, "io.gradstream.codecs.."))
            .because("the client library must bring neither server nor driver nor coordinator with it"));
    }

    @Test
    void shouldKeepArrowsBetweenPackagesInOneDirection()
    {
        check(noClasses().that().resideInAPackage(CLIENT)
            .should().dependOnClassesThat().resideInAPackage(SESSION));
    }
}
