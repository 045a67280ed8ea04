/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
