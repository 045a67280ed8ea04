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
package io.gradstream.model;

import io.gradstream.architecture.ModuleArchitecture;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * Checks that model files can be read without a cluster.
 */
class ArchitectureTest extends ModuleArchitecture
{
    ArchitectureTest()
    {
        super("io.gradstream.model");
    }

    @Test
    void shouldDependOnCodecsAndNoTransport()
    {
        check(noClasses().should().dependOnClassesThat(oursOutside("io.gradstream.model", "io.gradstream.codecs")));
        check(noClasses().should().dependOnClassesThat().resideInAnyPackage("io.aeron..", "java.net.."));
    }
}
