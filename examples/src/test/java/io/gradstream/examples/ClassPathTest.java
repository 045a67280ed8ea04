// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.examples;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is on the class path of a program that uses the client.
 */
class ClassPathTest
{
    @Test
    void shouldHoldAgronaOnce() throws IOException
    {
        final List<URL> found = Collections.list(
            getClass().getClassLoader().getResources("org/agrona/DirectBuffer.class"));
        assertThat(found).hasSize(1);
    }

    @Test
    void shouldSayWhichFlagIsMissing() throws Exception
    {
        final Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx64m",
            "-cp", System.getProperty("java.class.path"), ReadmeLoop.class.getName()).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(output).contains("start java with --add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");
    }
}
