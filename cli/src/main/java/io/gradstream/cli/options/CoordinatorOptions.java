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

import java.net.InetSocketAddress;
import java.util.List;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Options that say where the coordinators are.
 */
public final class CoordinatorOptions
{
    @Option(names = "--coordinator", paramLabel = "HOST:PORT,...",
        description = "The coordinators, one or three, by member id: they say what the job is and who serves what.")
    private String hostPorts;

    @Mixin
    private Endpoints addresses;

    public boolean isNamed()
    {
        return null != hostPorts;
    }

    /**
     * Where they listen, by member id.
     *
     * @throws UsageException if none are named, or an address is wrong.
     */
    public List<String> endpoints()
    {
        if (!isNamed())
        {
            throw new UsageException("name the coordinators with --coordinator=HOST:PORT,...");
        }

        return addresses.coordinators(hostPorts);
    }

    /**
     * Check the address at which this process listens; null for none.
     *
     * @return the address, resolved.
     */
    public InetSocketAddress check(final String endpoint)
    {
        return null == endpoint ? null : addresses.check(endpoint);
    }
}
