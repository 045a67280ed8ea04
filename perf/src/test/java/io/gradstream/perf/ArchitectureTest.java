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
package io.gradstream.perf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the measurements may know, and how they are divided.
 */
class ArchitectureTest
{
    private static final int MAX_FILES = 25;

    private static JavaClasses classes;

    @BeforeAll
    static void importClasses()
    {
        classes = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.gradstream.perf");
    }

    @Test
    void shouldNotKnowTheCommands()
    {
        noClasses().that().resideInAPackage("io.gradstream.perf..")
            .should().dependOnClassesThat().resideInAnyPackage("io.gradstream.cli..", "io.gradstream.training..")
            .because("clusters are started by the launcher")
            .check(classes);
    }

    @Test
    void shouldHaveNoCycleBetweenPackages()
    {
        slices().matching("io.gradstream.(**)").should().beFreeOfCycles().check(classes);
    }

    @Test
    void shouldHaveFewFilesInEachPackage() throws IOException
    {
        try (Stream<Path> files = Files.walk(Path.of("src", "main", "java")))
        {
            final Map<Path, Long> counts = files.filter((file) -> file.toString().endsWith(".java"))
                .collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));

            assertThat(counts).isNotEmpty()
                .allSatisfy((name, count) -> assertThat(count).as(name.toString()).isLessThanOrEqualTo(MAX_FILES));
        }
    }
}
