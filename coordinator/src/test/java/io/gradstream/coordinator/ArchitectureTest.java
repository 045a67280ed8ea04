// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator;

import io.gradstream.architecture.ModuleArchitecture;
import io.gradstream.coordinator.member.CoordinatorNode;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * What the packages of the coordinator may know of each other and of the others, and what the pure one must not touch.
 */
class ArchitectureTest extends ModuleArchitecture
{
    private static final String STATE = "io.gradstream.coordinator.state..";
    private static final String CLIENT = "io.gradstream.coordinator.client..";
    private static final String SERVICE = "io.gradstream.coordinator.service..";
    private static final String SESSION = "io.gradstream.coordinator.session..";
    private static final String MEMBER = "io.gradstream.coordinator.member..";

    ArchitectureTest()
    {
        super("io.gradstream.coordinator");
    }

    @Test
    void shouldKeepTheStateFreeOfTransportFilesThreadsAndClocks()
    {
        check(noClasses().that().resideInAPackage(STATE).should().dependOnClassesThat().resideInAnyPackage(
            "io.aeron..", "java.io..", "java.nio..", "java.net..", "java.util.concurrent..", "java.util.logging..",
            "java.time..")
            .because("every member decides the same, and the simulator runs it unchanged"));
        checkPure(STATE);
    }

    @Test
    void shouldKnowOfOursTheCodecsAndWhatIsSaidAlone()
    {
        check(noClasses().that().resideInAnyPackage(STATE, SERVICE).should().dependOnClassesThat(
            oursOutside(STATE, SERVICE, CLIENT, "io.gradstream.codecs.."))
            .because("the coordinator is the service of a cluster that others run"));
    }

    @Test
    void shouldKnowOfOursInOneClassHowACoordinatorBecomesReady()
    {
        check(noClasses().that().resideInAPackage(MEMBER).and().doNotBelongToAnyOf(CoordinatorNode.class)
            .should().dependOnClassesThat(oursOutside(MEMBER, SESSION, "io.gradstream.driver.."))
            .because("a member runs any service; only the node knows that of the coordinator"));
    }

    @Test
    void shouldKeepArrowsBetweenPackagesInOneDirection()
    {
        check(noClasses().that().resideInAPackage(STATE)
            .should().dependOnClassesThat().resideInAnyPackage(SERVICE, SESSION, MEMBER));
        check(noClasses().that().resideInAPackage(SERVICE).should().dependOnClassesThat().resideInAPackage(MEMBER));
        check(noClasses().that().resideInAnyPackage(CLIENT, SESSION)
            .should().dependOnClassesThat().resideInAnyPackage(STATE, SERVICE)
            .because("what is said, and the sessions that carry it, do not decide"));
    }
}
