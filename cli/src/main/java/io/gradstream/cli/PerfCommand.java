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

import java.util.ArrayList;
import java.util.List;

import io.gradstream.cli.options.UsageException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/**
 * Stands in the list of commands for {@code gradstream perf}, which the launcher script starts from another module.
 */
@Command(name = "perf", description = "Measure: perf --help lists what. Started by the script ./gradstream.")
final class PerfCommand implements Runnable
{
    @Unmatched
    private final List<String> arguments = new ArrayList<>();

    @Override
    public void run()
    {
        throw new UsageException("measurements are started by the script: ./gradstream perf " +
            String.join(" ", arguments));
    }
}
