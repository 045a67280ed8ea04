// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * What the modules may know of each other, and what the pure packages must not touch.
 */
class ArchitectureTest
{
    private static final String[] PURE = {
        "io.gradstream.recovery.log", "io.gradstream.recovery.replica", "io.gradstream.recovery.chain",
        "io.gradstream.server.partition..",
        "io.gradstream.server.function..",
        "io.gradstream.coordinator.state..",
        "io.gradstream.coordinator.client..",
        "io.gradstream.worker.client..",
        "io.gradstream.worker.request..",
        "io.gradstream.worker.session..",
        "io.gradstream.function",
        "io.gradstream.codecs"};
    /** Packages by module; perf is no dependency of this one, and has its own test. */
    private static final Map<String, String[]> MODULES = Map.ofEntries(
        module("codecs", "io.gradstream.codecs.."),
        module("driver-client", "io.gradstream.driver.client.."),
        module("function", "io.gradstream.function.."),
        module("coordinator-client", "io.gradstream.coordinator.client..", "io.gradstream.coordinator.session.."),
        module("media-driver", "io.gradstream.driver", "io.gradstream.driver.files.."),
        module("coordinator", "io.gradstream.coordinator.state..", "io.gradstream.coordinator.service..",
            "io.gradstream.coordinator.member.."),
        module("model", "io.gradstream.model.."),
        module("recovery", "io.gradstream.recovery.."),
        module("server", "io.gradstream.server.."),
        module("worker", "io.gradstream.worker.."),
        module("training", "io.gradstream.training.."),
        module("console", "io.gradstream.console.."),
        module("launcher", "io.gradstream.launcher.."),
        module("cli", "io.gradstream.cli.."),
        module("examples", "io.gradstream.examples.."));
    /** The arrows of ARCHITECTURE, with those that follow from them. */
    private static final Map<String, List<String>> ARROWS = Map.ofEntries(
        Map.entry("codecs", List.of()),
        Map.entry("driver-client", List.of()),
        Map.entry("function", List.of("codecs")),
        Map.entry("training", List.of()),
        Map.entry("console", List.of()),
        Map.entry("model", List.of("codecs")),
        Map.entry("coordinator-client", List.of("codecs")),
        Map.entry("media-driver", List.of("driver-client")),
        Map.entry("coordinator", List.of("codecs", "driver-client", "coordinator-client", "media-driver")),
        Map.entry("worker", List.of("codecs", "driver-client", "coordinator-client", "model")),
        Map.entry("recovery", List.of("codecs", "driver-client", "media-driver")),
        Map.entry("server",
            List.of("codecs", "driver-client", "function", "coordinator-client", "media-driver", "recovery")),
        Map.entry("launcher",
            List.of("codecs", "driver-client", "coordinator-client", "coordinator", "media-driver")),
        Map.entry("cli", List.of("codecs", "driver-client", "function", "coordinator-client", "coordinator",
            "media-driver", "recovery", "server", "model", "worker", "training", "console", "launcher")),
        Map.entry("examples", List.of("codecs", "function", "model", "worker", "training")));
    private static final String[] STATE_CHANGES = {"apply", "applyThrough", "refuse"};

    private static JavaClasses classes;

    @BeforeAll
    static void importClasses()
    {
        classes = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption((location) -> !location.contains("test-classes") && !location.contains("-tests.jar"))
            .importPackages("io.gradstream");
    }

    @Test
    void shouldKeepPurePackagesFreeOfTransportFilesAndThreads()
    {
        check(noClasses().that().resideInAnyPackage(PURE).should().dependOnClassesThat().resideInAnyPackage(
            "io.aeron..", "net.openhft..", "java.io..", "java.nio.file..", "java.nio.channels..", "java.net..",
            "java.util.concurrent..", "java.util.logging..", "java.time..")
            .because("pure code decides; agents move bytes"));
        check(noClasses().that().resideInAnyPackage(PURE).should().dependOnClassesThat().belongToAnyOf(
            Thread.class, java.util.Random.class)
            .because("pure code has neither threads nor chance"));
    }

    @Test
    void shouldKeepPurePackagesFreeOfClocksAndInexactMathematics()
    {
        for (final String method : new String[]{"pow", "exp", "expm1", "log", "log10", "log1p", "sin", "cos", "tan"})
        {
            check(noClasses().that().resideInAnyPackage(PURE)
                .should().callMethod(Math.class, method, parameters(method))
                .because("results differ between machines: use StrictMath"));
        }
        check(noClasses().that().resideInAnyPackage(PURE).should().callMethod(Math.class, "random")
            .orShould().callMethod(System.class, "nanoTime")
            .orShould().callMethod(System.class, "currentTimeMillis")
            .because("time and chance are arguments"));
    }

    @Test
    void shouldDependAsThePictureOfTheArchitectureShows()
    {
        ARROWS.forEach((module, below) ->
        {
            final String[] allowed = Stream.concat(Stream.of(module), below.stream())
                .flatMap((name) -> Arrays.stream(MODULES.get(name))).toArray(String[]::new);
            check(noClasses().that().resideInAnyPackage(MODULES.get(module))
                .should().dependOnClassesThat(resideInAPackage("io.gradstream..").and(resideOutsideOfPackages(allowed)))
                .because("module " + module + " knows " + below + " alone"));
        });
    }

    @Test
    void shouldChangeReplicatedSlotsInAppliersOnly()
    {
        check(noClasses().that().resideInAPackage("io.gradstream.server.partition..")
            .and().haveSimpleNameNotEndingWith("Applier").and().haveSimpleNameNotEndingWith("SnapshotLoader")
            .should().callMethodWhere(com.tngtech.archunit.base.DescribedPredicate.describe(
                "change a slot", (call) -> call.getTargetOwner().getSimpleName().equals("Slot") &&
                    !call.getOriginOwner().equals(call.getTargetOwner()) &&
                    List.of(STATE_CHANGES).contains(call.getName())))
            .because("replay and live traffic must take one path"));
    }

    private static Map.Entry<String, String[]> module(final String name, final String... packages)
    {
        return Map.entry(name, packages);
    }

    private static void check(final ArchRule rule)
    {
        rule.check(classes);
    }

    private static Class<?>[] parameters(final String method)
    {
        return "pow".equals(method) ? new Class<?>[]{double.class, double.class} : new Class<?>[]{double.class};
    }
}
