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
package io.gradstream.console;

import io.gradstream.architecture.ModuleArchitecture;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * Checks that the console depends on a writer of JSON and on the JDK only.
 */
class ArchitectureTest extends ModuleArchitecture
{
    ArchitectureTest()
    {
        super("io.gradstream.console");
    }

    @Test
    void shouldKnowNothingElseOfOurs()
    {
        check(classes().that().resideInAPackage("io.gradstream.console..")
            .should().onlyDependOnClassesThat()
            .resideInAnyPackage("io.gradstream.console..", "com.google.gson.stream..", "java..", "javax.imageio..")
            .because("what is shown is told to the console, it asks nobody"));
    }

    @Test
    void shouldListenInOnePlace()
    {
        check(noClasses().that().doNotHaveSimpleName("ConsoleServer")
            .should().dependOnClassesThat().resideInAPackage("java.net..")
            .because("limits of what comes in are in one place"));
    }
}
