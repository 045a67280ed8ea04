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
package io.gradstream.launcher;

import io.gradstream.codecs.RecoveryMode;

/**
 * How the servers of a local cluster run, all alike.
 *
 * @param profile          how processes wait: dev or latency.
 * @param driver           which process has a server's media driver.
 * @param keepLog          all or needed.
 * @param mode             what servers keep, as {@code --mode} names it.
 * @param standbys         of each partition, fewer than servers.
 * @param timing           quiet or shared.
 */
public record ServerPlan(
    String profile,
    ServerDriver driver,
    String keepLog,
    String mode,
    int standbys,
    String timing)
{
    /** Heartbeats and suspicions for an idle machine. */
    public static final String QUIET = "quiet";
    /** Heartbeats and suspicions for a machine whose cores are shared. */
    public static final String SHARED = "shared";

    /** Servers with one standby for each partition. */
    public static ServerPlan chain(final String profile, final String timing)
    {
        return new ServerPlan(profile, ServerDriver.INTERNAL, "needed", RecoveryMode.CHAIN.label(), 1, timing);
    }
}
