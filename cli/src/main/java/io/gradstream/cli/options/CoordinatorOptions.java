// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.net.InetSocketAddress;
import java.util.List;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that say where the coordinators are. */
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
        UsageException.refuseIf(!isNamed(), "name the coordinators with --coordinator=HOST:PORT,...");

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
