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
package io.gradstream.driver;

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
class DriverArchitectureTest
{
    private static final int MAX_FILES = 25;
    private static final JavaClasses CLASSES = new ClassFileImporter()
        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS).importPackages("io.gradstream.driver");

    @Test
    void shouldKnowAeronAndOfOursOnlyHowMembersAreAddressed()
    {
        check(noClasses().that().resideOutsideOfPackage("io.gradstream.driver.cluster")
            .should().dependOnClassesThat(oursOutside("io.gradstream.driver..")));
        check(noClasses().should().dependOnClassesThat(
            oursOutside("io.gradstream.driver..", "io.gradstream.coordinator.session")));
    }

    @Test
    void shouldReadTheFilesOfAnArchiveWithoutADriver()
    {
        check(noClasses().that().resideInAPackage("io.gradstream.driver.files")
            .should().dependOnClassesThat(oursOutside("io.gradstream.driver.files"))
            .orShould().dependOnClassesThat().resideInAPackage("io.aeron.driver.."));
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
