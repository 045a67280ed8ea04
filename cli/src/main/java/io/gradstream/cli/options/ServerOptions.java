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

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Options that say how a server runs; the same for {@code train} and for each {@code server}.
 */
public final class ServerOptions
{
    @Mixin
    public TimingOption timing;

    @Option(names = "--driver", paramLabel = "internal|external", defaultValue = "internal",
        description = "A server's media driver: in the server's process, or in one of its own that survives a kill;" +
            " a server is told by --aeron-dir where that runs. Default: ${DEFAULT-VALUE}.")
    private String driver;

    @Option(names = "--keep-log", paramLabel = "all|needed", defaultValue = "needed",
        description = "Keep the whole recorded log, or what recovery needs. Default: ${DEFAULT-VALUE}.")
    private String keepLog;

    public boolean isDriverExternal()
    {
        CommonOptions.checkWord("driver", driver, "internal", "external");
        return "external".equals(driver);
    }

    /** all or needed. */
    public String keepLog()
    {
        CommonOptions.checkWord("keep-log", keepLog, "all", "needed");
        return keepLog;
    }
}
