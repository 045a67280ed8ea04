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

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the packages of this module may know of each other and of the others.
 */
class RecoveryArchitectureTest
{
    private static final int MAX_FILES = 25;
    private static final String[] PURE =
        {"io.gradstream.recovery.log", "io.gradstream.recovery.replica", "io.gradstream.recovery.chain"};
    private static final JavaClasses CLASSES = new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS).importPackages("io.gradstream.recovery");

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

    @Test
    void shouldHaveNoCyclesBetweenPackages()
    {
        check(slices().assignedFrom(new SliceAssignment()
        {
            @Override
            public SliceIdentifier getIdentifierOf(final JavaClass javaClass)
            {
                return SliceIdentifier.of(javaClass.getPackageName());
            }

            @Override
            public String getDescription()
            {
                return "packages";
            }
        }).should().beFreeOfCycles());
    }

    @Test
    void shouldKeepPackagesSmallEnoughToBeRead() throws IOException
    {
        try (Stream<Path> files = Files.walk(Path.of("src/main/java")))
        {
            final Map<Path, Long> packages = files.filter((file) -> file.toString().endsWith(".java"))
                .collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));
            assertThat(packages).isNotEmpty();
            packages.forEach((path, size) -> assertThat(size).as("files in %s", path)
                .isLessThanOrEqualTo(MAX_FILES));
        }
    }

    private static void check(final ArchRule rule)
    {
        rule.check(CLASSES);
    }

    private static DescribedPredicate<JavaClass> oursOutside(final String... packages)
    {
        return resideInAPackage("io.gradstream..").and(DescribedPredicate.not(resideInAnyPackage(packages)));
    }
}
