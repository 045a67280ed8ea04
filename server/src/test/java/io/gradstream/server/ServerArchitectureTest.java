// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server;

import com.tngtech.archunit.core.domain.JavaClass;
import io.gradstream.architecture.ModuleArchitecture;
import io.gradstream.server.node.IngressAdapter;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the packages of the server may know of each other, and what its pure packages must not touch.
 */
class ServerArchitectureTest extends ModuleArchitecture
{
    private static final String[] PURE = {
        "io.gradstream.server.node..", "io.gradstream.server.partition..", "io.gradstream.server.function..",
        "io.gradstream.server.share.."};

    ServerArchitectureTest()
    {
        super("io.gradstream.server");
    }

    @Test
    void shouldKeepThePureNodeFreeOfTransportFilesThreadsAndClocks()
    {
        check(noClasses().that().resideInAnyPackage(PURE).should().dependOnClassesThat().resideInAnyPackage(
            "io.aeron..", "io.gradstream.driver..", "net.openhft..", "java.io..", "java.nio.file..",
            "java.nio.channels..", "java.net..", "java.util.concurrent..", "java.util.logging..", "java.time..")
            .because("pure code decides; server.aeron moves bytes"));
        checkPure(PURE);
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
}
