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

import io.gradstream.launcher.ServerPlan;
import picocli.CommandLine.Option;

/**
 * The option that says how soon a silent process is replaced.
 */
public final class TimingOption
{
    @Option(names = "--timing", paramLabel = "quiet|shared", defaultValue = ServerPlan.SHARED,
        description = "How soon a process that is silent is replaced: quiet for idle machines, shared for others." +
            " Default: ${DEFAULT-VALUE}.")
    private String timing;

    /** As {@link ServerPlan} names it. */
    public String name()
    {
        CommonOptions.checkWord("timing", timing, ServerPlan.QUIET, ServerPlan.SHARED);
        return timing;
    }

    public boolean isQuiet()
    {
        return ServerPlan.QUIET.equals(name());
    }
}
