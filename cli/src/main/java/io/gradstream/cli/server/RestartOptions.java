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
package io.gradstream.cli.server;

import io.gradstream.cli.options.CommonOptions;
import picocli.CommandLine.Option;

/**
 * How often a process that stood still starts anew what died of that.
 */
final class RestartOptions
{
    @Option(names = "--restarts", paramLabel = "N", defaultValue = Standstill.DEFAULT_RESTARTS,
        description = "How often within 10 minutes to start anew in this process after it stood still for longer than" +
            " its parts wait for each other; then it ends. Default: ${DEFAULT-VALUE}.")
    private int restarts;

    Standstill newStandstill()
    {
        CommonOptions.checkRange("restarts", restarts, 0, Standstill.MAX_RESTARTS);
        return new Standstill(restarts);
    }
}
