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
package io.gradstream.coordinator;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.stream.Collectors;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the packages of the coordinator may know of each other and of the others, and what the pure ones must not touch.
 */
class ArchitectureTest
{
    private static final String STATE = "io.gradstream.coordinator.state..";
    private static final String CLIENT = "io.gradstream.coordinator.client..";
    private static final String SERVICE = "io.gradstream.coordinator.service..";
    private static final String SESSION = "io.gradstream.coordinator.session..";
    private static final int MAX_FILES = 25;

    private static JavaClasses classes;

    @BeforeAll
    static void importClasses()
    {
        classes = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.gradstream.coordinator");
    }

    @Test
    void shouldKeepStateAndClientFreeOfTransportFilesThreadsAndClocks()
    {
        check(noClasses().that().resideInAnyPackage(STATE, CLIENT).should().dependOnClassesThat().resideInAnyPackage(
            "io.aeron..", "java.io..", "java.nio..", "java.net..", "java.util.concurrent..", "java.util.logging..",
            "java.time..")
            .because("every member decides the same, and the simulator runs both unchanged"));
        check(noClasses().that().resideInAnyPackage(STATE, CLIENT).should().dependOnClassesThat().belongToAnyOf(
            Thread.class, java.util.Random.class)
            .because("pure code has neither threads nor chance"));
        check(noClasses().that().resideInAnyPackage(STATE, CLIENT).should().callMethod(Math.class, "random")
            .orShould().callMethod(System.class, "nanoTime")
            .orShould().callMethod(System.class, "currentTimeMillis")
            .because("time and chance are arguments"));
    }

    @Test
    void shouldKnowOfOursTheCodecsAlone()
    {
        check(noClasses().should().dependOnClassesThat(resideInAPackage("io.gradstream..").and(resideOutsideOfPackages(
            "io.gradstream.coordinator..", "io.gradstream.codecs..")))
            .because("the client library must bring neither server nor driver with it"));
    }

    @Test
    void shouldKeepArrowsBetweenPackagesInOneDirection()
    {
        check(slices().matching("io.gradstream.coordinator.(*)..").should().beFreeOfCycles());
        check(noClasses().that().resideInAPackage(STATE)
            .should().dependOnClassesThat().resideInAnyPackage(CLIENT, SERVICE, SESSION));
        check(noClasses().that().resideInAPackage(CLIENT)
            .should().dependOnClassesThat().resideInAnyPackage(SERVICE, SESSION));
        check(noClasses().that().resideInAPackage(SESSION)
            .should().dependOnClassesThat().resideInAnyPackage(STATE, SERVICE)
            .because("a session carries bytes, and does not decide"));
    }

    @Test
    void shouldKeepPackagesSmallEnoughToKnow()
    {
        final Map<String, Long> files = classes.stream()
            .filter((type) -> !type.getEnclosingClass().isPresent())
            .collect(Collectors.groupingBy((type) -> type.getPackageName(), Collectors.counting()));

        assertThat(files.values()).isNotEmpty().allMatch((count) -> count <= MAX_FILES);
    }

    private static void check(final ArchRule rule)
    {
        rule.check(classes);
    }
}
