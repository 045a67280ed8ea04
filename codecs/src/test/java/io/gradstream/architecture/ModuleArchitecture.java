// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules that every module obeys, and what its own rules are made of: each module's architecture test extends this.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ModuleArchitecture
{
    private static final int MAX_FILES = 25;

    protected final JavaClasses classes;

    protected ModuleArchitecture(final String rootPackage)
    {
        classes = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(rootPackage);
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
    void shouldKeepPackagesSmallEnoughToKnow() throws IOException
    {
        try (Stream<Path> files = Files.walk(Path.of("src", "main", "java")))
        {
            final Map<Path, Long> counts = files.filter((file) -> file.toString().endsWith(".java"))
                .collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));

            assertThat(counts).isNotEmpty()
                .allSatisfy((name, count) -> assertThat(count).as(name.toString()).isLessThanOrEqualTo(MAX_FILES));
        }
    }

    protected final void check(final ArchRule rule)
    {
        rule.check(classes);
    }

    /**
     * Check that packages have neither threads nor clocks nor chance.
     */
    protected final void checkPure(final String... packages)
    {
        check(noClasses().that().resideInAnyPackage(packages).should().dependOnClassesThat().belongToAnyOf(
            Thread.class, Random.class)
            .because("pure code has neither threads nor chance"));
        check(noClasses().that().resideInAnyPackage(packages).should().callMethod(Math.class, "random")
            .orShould().callMethod(System.class, "nanoTime")
            .orShould().callMethod(System.class, "currentTimeMillis")
            .because("time and chance are arguments"));
    }

    /**
     * Classes of Gradstream that are not in some packages.
     */
    protected static DescribedPredicate<JavaClass> oursOutside(final String... packages)
    {
        return resideInAPackage("io.gradstream..").and(resideOutsideOfPackages(packages));
    }
}
