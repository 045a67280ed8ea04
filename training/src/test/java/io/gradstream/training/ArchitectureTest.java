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
package io.gradstream.training;

import io.gradstream.architecture.ModuleArchitecture;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * What the data and the mathematics of training may know: themselves, the JDK, and where files are read, how to
 * decompress them.
 */
class ArchitectureTest extends ModuleArchitecture
{
    ArchitectureTest()
    {
        super("io.gradstream.training");
    }

    @Test
    void shouldKnowNobody()
    {
        check(classes().that().resideInAPackage("io.gradstream.training..")
            .should().onlyDependOnClassesThat()
            .resideInAnyPackage("io.gradstream.training..", "java..", "io.airlift.compress..")
            .because("data and mathematics need neither transport nor servers"));
    }

    @Test
    void shouldDecompressInOnePlace()
    {
        check(noClasses().that().doNotBelongToAnyOf(DataFile.class)
            .should().dependOnClassesThat().resideInAPackage("io.airlift.compress..")
            .because("the library can then be replaced in one place"));
    }
}
