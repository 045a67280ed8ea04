// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery;

import io.gradstream.architecture.ModuleArchitecture;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * What the packages of this module may know of each other and of the others.
 */
class RecoveryArchitectureTest extends ModuleArchitecture
{
    private static final String[] PURE =
        {"io.gradstream.recovery.log", "io.gradstream.recovery.replica", "io.gradstream.recovery.chain"};

    RecoveryArchitectureTest()
    {
        super("io.gradstream.recovery");
    }

    @Test
    void shouldKeepTheReplicaFreeOfTransportFilesThreadsAndClocks()
    {
        check(noClasses().that().resideInAnyPackage(PURE)
            .should().dependOnClassesThat().resideInAnyPackage(
                "io.aeron..", "java.io..", "java.nio.file..", "java.nio.channels..", "java.net..",
                "java.util.concurrent..", "java.time..")
            .orShould().dependOnClassesThat(oursOutside("io.gradstream.codecs..", PURE[0], PURE[1], PURE[2]))
            .orShould().callMethod(System.class, "nanoTime").orShould().callMethod(System.class, "currentTimeMillis")
            .because("pure code decides; agents move bytes"));
    }

    @Test
    void shouldUseOfTheMediaDriverOnlyTheFilesOfAnArchive()
    {
        check(noClasses().should().dependOnClassesThat(oursOutside(
            "io.gradstream.codecs..", "io.gradstream.driver.files", "io.gradstream.recovery..")));
        check(noClasses().should().dependOnClassesThat().resideInAPackage("io.aeron.driver.."));
    }

    @Test
    void shouldReadRecordingsWithoutAskingAnArchive()
    {
        check(noClasses().that().resideInAPackage("io.gradstream.recovery.recording")
            .should().dependOnClassesThat().haveFullyQualifiedName("io.aeron.Aeron"));
    }
}
