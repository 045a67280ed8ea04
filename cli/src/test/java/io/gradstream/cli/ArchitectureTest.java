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
package io.gradstream.cli;

import io.gradstream.architecture.ModuleArchitecture;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * What the commands may know, and how they are divided.
 */
class ArchitectureTest extends ModuleArchitecture
{
    ArchitectureTest()
    {
        super("io.gradstream.cli");
    }

    @Test
    void shouldNotKnowTheMeasurements()
    {
        check(noClasses().that().resideInAPackage("io.gradstream.cli..")
            .should().dependOnClassesThat().resideInAPackage("io.gradstream.perf.."));
    }

    @Test
    void shouldKeepCommandsApart()
    {
        check(noClasses().that().resideOutsideOfPackage("io.gradstream.cli")
            .should().dependOnClassesThat().resideInAPackage("io.gradstream.cli")
            .because("the root command knows its subcommands, and none knows the root"));
    }
}
