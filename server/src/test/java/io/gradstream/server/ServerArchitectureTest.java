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
package io.gradstream.server;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.gradstream.server.node.IngressAdapter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.stream.Collectors;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the packages of the server may know of each other, and what its pure packages must not touch.
 */
class ServerArchitectureTest
{
    private static final String[] PURE = {
        "io.gradstream.server.node..", "io.gradstream.server.partition..", "io.gradstream.server.function.."};
    private static final int MAX_FILES = 25;

    private static JavaClasses classes;

    @BeforeAll
    static void importClasses()
    {
        classes = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.gradstream.server");
    }

    @Test
    void shouldKeepThePureNodeFreeOfTransportFilesThreadsAndClocks()
    {
        check(noClasses().that().resideInAnyPackage(PURE).should().dependOnClassesThat().resideInAnyPackage(
            "io.aeron..", "io.gradstream.driver..", "net.openhft..", "java.io..", "java.nio.file..",
            "java.nio.channels..", "java.net..", "java.util.concurrent..", "java.util.logging..", "java.time..")
            .because("pure code decides; server.aeron moves bytes"));
        check(noClasses().that().resideInAnyPackage(PURE).should().dependOnClassesThat().belongToAnyOf(
            Thread.class, java.util.Random.class)
            .because("pure code has neither threads nor chance"));
        check(noClasses().that().resideInAnyPackage(PURE).should().callMethod(Math.class, "random")
            .orShould().callMethod(System.class, "nanoTime")
            .orShould().callMethod(System.class, "currentTimeMillis")
            .because("time and chance are arguments"));
    }

    @Test
    void shouldKeepArrowsBetweenPackagesInOneDirection()
    {
        check(slices().matching("io.gradstream.server.(*)..").should().beFreeOfCycles());
    }

    @Test
    void shouldHandWhatIsDecodedToOneCollaborator()
    {
        final JavaClass adapter = classes.get(IngressAdapter.class);
        assertThat(adapter.getFields().stream()
            .map((field) -> field.getRawType().getPackageName())
            .filter((name) -> name.startsWith("io.gradstream.") && !name.startsWith("io.gradstream.codecs")))
            .hasSize(1);
    }

    @Test
    void shouldKeepPackagesSmallEnoughToKnow()
    {
        final Map<String, Long> files = classes.stream()
            .filter((type) -> type.getEnclosingClass().isEmpty())
            .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));

        assertThat(files.values()).isNotEmpty().allMatch((count) -> count <= MAX_FILES);
    }

    private static void check(final ArchRule rule)
    {
        rule.check(classes);
    }
}
