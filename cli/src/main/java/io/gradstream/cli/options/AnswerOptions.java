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
package io.gradstream.cli.options;

import picocli.CommandLine.Option;

import java.nio.file.Path;

/**
 * How a command that asks the coordinators hears their answers.
 */
public final class AnswerOptions
{
    @Option(names = "--aeron-dir", paramLabel = "DIR",
        description = "Directory of this host's running media driver. Default: a small one is run meanwhile.")
    public Path aeronDir;

    @Option(names = "--endpoint", paramLabel = "HOST:PORT",
        description = "Where answers come in; port 0 lets the system choose. Default: this machine's address towards" +
            " the first coordinator.")
    public String endpoint;
}
