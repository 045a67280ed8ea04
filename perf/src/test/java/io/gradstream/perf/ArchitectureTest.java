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

import io.gradstream.architecture.ModuleArchitecture;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * What the measurements may know, and how they are divided.
 */
class ArchitectureTest extends ModuleArchitecture
{
    ArchitectureTest()
    {
        super("io.gradstream.perf");
    }

    @Test
    void shouldNotKnowTheCommands()
    {
        check(noClasses().that().resideInAPackage("io.gradstream.perf..")
            .should().dependOnClassesThat().resideInAPackage("io.gradstream.cli..")
            .because("clusters are started by the launcher"));
        check(noClasses().that().resideInAPackage("io.gradstream.perf..")
            .and().resideOutsideOfPackage("io.gradstream.perf.train")
            .should().dependOnClassesThat().resideInAPackage("io.gradstream.training..")
            .because("what is trained matters where training is compared with a plain loop"));
    }
}
